import StubKit

/// What becomes of a value below the name of a secret: the table of what the name says, and what the value is.
enum SecretDecision {
  /// The table, which the guide has, too. A value is replaced wherever it stands, but in text without quotation marks,
  /// as `sent` only in requests, or kept.
  static let table = """
    | | token | password | code | secret | session | key | cookie |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | A constant, a mask or a template | kept | kept | kept | kept | kept | kept | kept |
    | One or two digits | kept | kept | kept | kept | kept | kept | fields |
    | Three digits | kept | kept | fields | kept | kept | kept | fields |
    | Four to seven digits | fields | fields | replaced | sent | kept | kept | fields |
    | Eight digits or more | fields | fields | replaced | fields | kept | kept | fields |
    | A number of JSON with four digits or more | fields | sent | fields | kept | kept | kept | kept |
    | A UUID | replaced | replaced | fields | replaced | fields | kept | fields |
    | A word, words in a row, a date, an address or a resource | fields | sent | sent | sent | kept | kept | fields |
    | Words with a number | fields | replaced | fields | sent | kept | kept | fields |
    | A sentence, or several lines | sent | sent | sent | sent | kept | kept | fields |
    | A passphrase | fields | fields | sent | fields | kept | kept | fields |
    | Anything else | fields | replaced | fields | fields | kept | kept | fields |
    | 16 random characters or more | replaced | replaced | replaced | replaced | fields | fields | fields |
    """

  private static let rows = table.rows

  /// Whether a value is replaced.
  ///
  /// - Parameter isInText: Whether it is in text without quotation marks.
  static func replaces(_ value: SecretValue, below name: SecretName.Sureness, isSent: Bool, isInText: Bool) -> Bool {
    guard let column = rows[0].firstIndex(of: name.rawValue) else { return name == .own }
    // The head has two lines.
    let cell = rows[value.rawValue + 2][column]
    return cell == "replaced" || !isInText && (cell == "fields" || cell == "sent" && isSent)
  }
}
