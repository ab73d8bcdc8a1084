import Foundation
import StubKit

/// What reports show of a request while it is recorded: a mark in the place of each value that the redactions of the
/// recording replace.
extension RedactionRules: ReportFilter {
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
    let part = criterion.flatMap { MessagePart(criterion: $0) }
    if case .member(let path) = part, jsonPaths.contains(where: { $0.text == path }) { return PlaceholderText.mark }
    return text.withUTF8Bytes { utf8 in
      let finder = SecretFinder(rules: self, table: SecretTable())
      var edits = ByteEdits()
      finder.isInRequest = true
      let findings = finder.findings(in: utf8, part?.kind ?? .text)
      for finding in findings.secrets + findings.encoded.filter(\.findings.hasSecrets).map({ ($0.range, 0) }) {
        edits.replace(finding.range, with: PlaceholderText.mark.utf8)
      }
      return edits.applied(to: utf8).text
    }
  }
}
