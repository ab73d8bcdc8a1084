import Foundation

/// A regular expression with the names of its groups, which become captures.
package final class Pattern: Sendable {
  // NSRegularExpression is immutable and documented as safe to use from several threads at once. Foundation declares
  // it Sendable accordingly.
  package let expression: NSRegularExpression
  package let names: [String]

  package init(_ expression: NSRegularExpression) {
    self.expression = expression
    names = expression.numberOfCaptureGroups == 0 ? [] : Self.groupNames(in: expression)
  }

  package convenience init(
    parsing pattern: String, options: NSRegularExpression.Options, in function: StaticString
  ) throws(UsageMistake) {
    do {
      self.init(try NSRegularExpression(pattern: pattern, options: options))
    } catch {
      throw UsageMistake(
        "\(function)(\(pattern.debugDescription)) is not a regular expression: \(Self.cure(for: pattern, error))")
    }
  }

  /// Returns what is wrong with a pattern, and what to write instead.
  package static func cure(for pattern: String, _ error: any Error) -> String {
    // Python's (?P<name>…), .NET's (?'name'…), and names that have more than ICU's.
    for group in pattern.matches(of: #/\(\?P?[<']([^=!>'][^>']*)[>']/#) {
      let plain = String(utf8: group.1.utf8.filter(\.isAlphanumeric))
      let name = plain.utf8.first?.isLetter == true ? plain : "name"
      if group.0 == "(?<\(name)>" { continue }
      return
        "NSRegularExpression has no group \(group.0)…): write (?<\(name)>…), whose name has letters and digits only."
    }
    return "\(error.localizedDescription) Write one for NSRegularExpression, with a backslash before a literal "
      + "( [ { * + ? . $ ^ | \\."
  }

  /// The arguments in Swift source, such as `"^/a$", options: .caseInsensitive`.
  package var source: String {
    let pattern = expression.pattern.debugDescription
    let options = expression.options
    if options.isEmpty { return pattern }
    let text = options == .caseInsensitive ? ".caseInsensitive" : ".init(rawValue: \(options.rawValue))"
    return "\(pattern), options: \(text)"
  }

  /// Foundation doesn't say which names a pattern has. On Apple platforms, asking a match for an unknown name raises
  /// an exception. What looks like a named group can be quoted, escaped or in a comment. It is a group if a reference
  /// to it is valid. The `\E` ends a quotation that nothing else ends, and the line break ends a comment.
  private static func groupNames(in expression: NSRegularExpression) -> [String] {
    expression.pattern.matches(of: #/\(\?<([A-Za-z][A-Za-z0-9]*)>/#).map { String($0.1) }.filter { name in
      let reference = expression.pattern + "\\E\n\\k<\(name)>"
      return (try? NSRegularExpression(pattern: reference, options: expression.options)) != nil
    }
  }
}

extension String {
  /// The text as a regular expression that matches nothing else. Brackets need no backslash in Swift source, but
  /// some characters mean something in them, too.
  var asLiteralPattern: String {
    replacing(#/[.+*?^$()|{}\[\]\\]/#) { #"^\[]"#.contains($0.0) ? "\\\($0.0)" : "[\($0.0)]" }
  }
}

extension Pattern {
  /// Returns the first match, and captures its named groups.
  func firstMatch(in text: String, _ captures: inout Captures?) -> NSTextCheckingResult? {
    let whole = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
    for name in names {
      if let range = Range(match.range(withName: name), in: text) { captures?.add(name, String(text[range])) }
    }
    return match
  }
}

/// A Swift regular expression, whose named groups become captures.
package final class RegexPattern: Sendable {
  // Safe because a regex publishes its compiled program atomically, and nothing else in it changes. A transformation in
  // it can run on any thread, several times at once, like the closure of a condition.
  nonisolated(unsafe) private let regex: Regex<AnyRegexOutput>
  /// The expression in Swift source, or `#/…/#` for one that was built.
  package let source: String

  init(_ regex: Regex<some Any>) {
    self.regex = Regex<AnyRegexOutput>(regex)
    source = "#/\(regex._literalPattern ?? "…")/#"
  }

  /// Returns whether a text contains a match, and captures its named groups. An error of a transformation is no match.
  func hasMatch(in text: String, _ captures: inout Captures?) -> Bool {
    guard let match = try? regex.firstMatch(in: text) else { return false }
    for group in match.output {
      if let name = group.name, let text = group.substring { captures?.add(name, String(text)) }
    }
    return true
  }
}
