import Foundation
import StubKit

/// What reports show of a request while it is recorded: a mark in the place of each value that the redactions of the
/// recording replace.
package struct ReportRedaction: ReportFilter {
  private let rules: RedactionRules

  package init(_ redactions: [Redaction]) { rules = RedactionRules(redactions) }

  /// Returns text without its secrets.
  ///
  /// - Parameter criterion: The part of the request that has the value, such as `header Accept` or `body at user.zip`,
  ///   or `nil` for a text of any kind.
  package func redacted(_ text: String, of criterion: String?) -> String {
    guard let criterion else { return replaced(text, .text) }
    guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return value(text, of: criterion) }
    // A literal stays one.
    return "\"\(value(String(text.dropFirst().dropLast()), of: criterion))\""
  }

  private func value(_ value: String, of criterion: String) -> String {
    if value.utf8.isEmpty || value == "none" { return value }
    for (prefix, place) in Self.places where criterion.starts(withBytesOf: prefix) {
      let name = String(criterion.utf8.dropFirst(prefix.utf8.count)) ?? ""
      if place == .member, rules.jsonPaths.contains(where: { $0.text == name }) { return PlaceholderText.mark }
      return replaced(value, .value(name, place))
    }
    return replaced(value, .text)
  }

  private func replaced(_ text: String, _ kind: SecretFinder.Kind) -> String {
    text.withUTF8Bytes { utf8 in
      var (finder, edits) = (SecretFinder(rules, SecretTable()), ByteEdits())
      for finding in finder.findings(in: utf8, kind, SecretFinder.Context(isInRequest: true)) {
        edits.replace(finding.range, with: PlaceholderText.mark.utf8)
      }
      return edits.applied(to: utf8).text
    }
  }

  private static let places: [(String, Leaf.Place)] = [
    ("header ", .header), ("query item ", .query), ("form field ", .form), ("cookie ", .cookie), ("body at ", .member),
    ("bearer ", .header),
  ]
}
