import StubKitFormats

/// What reports show of a live request: no value that the standard redactions of a recording would replace.
enum SecretMask {
  private static var walk: SecretWalk { SecretWalk(.standard, Marks()) }

  /// Returns a text of any kind without its secrets.
  static func text(_ text: String) -> String { walk.redacted(text) }

  /// Returns a value as a report shows it, without its secrets.
  ///
  /// - Parameter criterion: The part of the request that has the value, such as `header Accept` or `body at user.zip`.
  static func value(_ value: String, of criterion: String) -> String {
    guard value.utf8.count > 2, value.hasPrefix("\""), value.hasSuffix("\"") else {
      return masked(value, of: criterion)
    }
    // A literal stays one.
    return "\"\(masked(String(value.dropFirst().dropLast()), of: criterion))\""
  }

  private static func masked(_ value: String, of criterion: String) -> String {
    if value.utf8.isEmpty || value == "none" { return value }
    for (prefix, place) in places {
      guard criterion.starts(withBytesOf: prefix) else { continue }
      return walk.redacted(value, named: String(criterion.utf8.dropFirst(prefix.utf8.count)) ?? "", in: place)
    }
    return text(value)
  }

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
