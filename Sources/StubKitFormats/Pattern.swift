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
        "\(function)(\(pattern.debugDescription)) is not a regular expression: \(error.localizedDescription) "
          + "Write one for NSRegularExpression, with a backslash before a literal ( [ { * + ? . $ ^ | \\.")
    }
  }

  /// The arguments in Swift source, such as `"^/a$", options: .caseInsensitive`.
  package var source: String {
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
