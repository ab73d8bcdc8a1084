import Foundation
import StubKit

/// What reports show of a request while it is recorded: a mark in the place of each value that the redactions of the
/// recording replace.
extension RedactionRules: ReportFilter {
  private static let places: [(String, Leaf.Place)] = [
    ("header ", .header), ("query item ", .query), ("form field ", .form), ("cookie ", .cookie), ("body at ", .member),
    ("bearer ", .header),
  ]

  /// Returns text without its secrets.
  ///
  /// - Parameter criterion: The part of the request that has the value, such as `header Accept` or `body at user.zip`,
  ///   or `nil` for a text of any kind.
  package func redacted(_ text: String, of criterion: String?) -> String {
    if text == "none" { return text }
    // A literal stays one.
    if criterion != nil, text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      return "\"\(redacted(String(text.dropFirst().dropLast()), of: criterion))\""
    }
    var kind = SecretFinder.Kind.text
    for (prefix, place) in Self.places {
      guard let criterion, criterion.hasPrefix(prefix) else { continue }
      let name = String(criterion.dropFirst(prefix.count))
      if place == .member, jsonPaths.contains(where: { $0.text == name }) { return PlaceholderText.mark }
      kind = .value(name, place)
    }
    return text.withUTF8Bytes { utf8 in
      let finder = SecretFinder(rules: self, table: SecretTable())
      var edits = ByteEdits()
      finder.isInRequest = true
      let findings = finder.findings(in: utf8, kind)
      for finding in findings.secrets + findings.encoded.filter(\.findings.hasSecrets).map({ ($0.range, 0) }) {
        edits.replace(finding.range, with: PlaceholderText.mark.utf8)
      }
      return edits.applied(to: utf8).text
    }
  }
}
