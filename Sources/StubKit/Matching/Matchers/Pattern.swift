import Foundation

/// A regular expression with the names of its groups, which become captures.
final class Pattern: Sendable {
  // NSRegularExpression is immutable and documented as safe to use from several threads at once; Foundation declares it
  // Sendable accordingly.
  let expression: NSRegularExpression
  let names: [String]

  init(_ expression: NSRegularExpression) {
    self.expression = expression
    names = expression.numberOfCaptureGroups == 0 ? [] : Self.groupNames(in: expression.pattern)
  }

  /// Traps with the parser's message on an invalid pattern.
  convenience init(_ pattern: String, options: NSRegularExpression.Options, in function: StaticString) {
    do {
      self.init(try NSRegularExpression(pattern: pattern, options: options))
    } catch {
      preconditionFailure(
        "\(function)(\(pattern.debugDescription)) is not a regular expression: \(error.localizedDescription) "
          + "Write one in the syntax of NSRegularExpression, with a backslash before a literal ( [ { * + ? . $ ^ | \\.")
    }
  }

  /// Whether the pattern is found somewhere in the text.
  func test(_ text: String, _ captures: inout Captures) -> Bool {
    let whole = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, range: whole) else { return false }
    for name in names {
      if let range = Range(match.range(withName: name), in: text) { captures.add(name, String(text[range])) }
    }
    return true
  }

  /// As arguments in Swift source: `"^/a$", options: .caseInsensitive`.
  var source: String {
    let names = Self.optionNames.filter { expression.options.contains($0.option) }.map { ".\($0.name)" }
    let pattern = expression.pattern.debugDescription
    return switch names.count {
    case 0: pattern
    case 1: "\(pattern), options: \(names[0])"
    default: "\(pattern), options: [\(names.joined(separator: ", "))]"
    }
  }

  private static let optionNames: [(option: NSRegularExpression.Options, name: String)] = [
    (.caseInsensitive, "caseInsensitive"), (.allowCommentsAndWhitespace, "allowCommentsAndWhitespace"),
    (.ignoreMetacharacters, "ignoreMetacharacters"), (.dotMatchesLineSeparators, "dotMatchesLineSeparators"),
    (.anchorsMatchLines, "anchorsMatchLines"), (.useUnixLineSeparators, "useUnixLineSeparators"),
    (.useUnicodeWordBoundaries, "useUnicodeWordBoundaries"),
  ]

  /// Foundation does not say which names a pattern has; asking a match for a name that isn't there is an exception.
  private static func groupNames(in pattern: String) -> [String] {
    var names: [String] = []
    var inClass = 0
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        if rest.popFirst() == "Q" {
          guard let end = rest.range(of: "\\E") else { return names }
          rest = rest[end.upperBound...]
        }
      case "[": inClass += 1
      case "]": inClass = max(0, inClass - 1)
      case "(" where inClass == 0 && rest.hasPrefix("?<"):
        let name = rest.dropFirst(2).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        if !name.isEmpty, rest[name.endIndex...].first == ">" { names.append(String(name)) }
      default: continue
      }
    }
    return names
  }
}
