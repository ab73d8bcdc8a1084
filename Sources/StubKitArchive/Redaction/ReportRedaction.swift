import Foundation
import StubKitFormats

/// What reports show of a request while it is recorded: a mark in the place of each value that the redactions of the
/// recording replace.
package struct ReportRedaction: Sendable {
  private let rules: RedactionRules

  package init(_ redactions: [Redaction]) { rules = RedactionRules(redactions) }

  /// Returns text without its secrets.
  ///
  /// - Parameter criterion: The part of the request that has the value, such as `header Accept` or `body at user.zip`, or
  ///   `nil` for a text of any kind.
  package func redacted(_ text: String, of criterion: String?) -> String {
    guard let criterion else { return withoutMatches(walk.redacted(text)) }
    guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return value(text, of: criterion) }
    // A literal stays one.
    return "\"\(value(String(text.dropFirst().dropLast()), of: criterion))\""
  }

  private func value(_ value: String, of criterion: String) -> String {
    if value.utf8.isEmpty || value == "none" { return value }
    for (prefix, place) in Self.places where criterion.starts(withBytesOf: prefix) {
      let name = String(criterion.utf8.dropFirst(prefix.utf8.count)) ?? ""
      if place == .json, rules.secrets.jsonPaths.contains(where: { $0.text == name }) { return Redacted.mark }
      return withoutMatches(walk.redacted(value, named: name, in: place))
    }
    return withoutMatches(walk.redacted(value))
  }

  private func withoutMatches(_ text: String) -> String {
    rules.patterns.reduce(text) { text, pattern in
      var edits = ByteEdits()
      for match in pattern.matches(in: Data(text.utf8)) { edits.replace(match.range, with: Redacted.mark) }
      var text = text
      return text.withUTF8 { edits.applied(to: $0).text }
    }
  }

  private var walk: SecretWalk { SecretWalk(rules.secrets, Marks()) }

  private static let places: [(String, SecretRules.Place)] = [
    ("header ", .header), ("query item ", .query), ("form field ", .form), ("cookie ", .cookie), ("body at ", .json),
    ("bearer ", .header),
  ]
}

/// Replaces every secret by the mark.
private struct Marks: SecretPlaceholders {
  var isInRequest: Bool { false }
  var hasWholeValues: Bool { false }

  func replacement(of value: String, _ origin: SecretOrigin) -> String? {
    value.isEmpty || Redacted.isWhole(value) ? nil : Redacted.mark
  }

  func replacement(ofToken token: String, head: String) -> String? {
    Redacted.isWhole(token) ? nil : Redacted.mark
  }

  func replacement(ofWhole value: String) -> String? { nil }
}
