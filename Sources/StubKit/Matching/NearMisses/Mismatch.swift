extension MatchReport {
  /// A part of a condition that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", got none; there is pge
  /// body at user.address[0].zip: expected "1010", got "1020"
  /// cart is .full, expected .empty
  /// closure "is admin": not asked
  /// ```
  public struct Mismatch: Sendable, Hashable, CustomStringConvertible {
    /// The part that was compared: `path`, `header Accept`, or `body at user.zip`.
    public let criterion: String
    /// The value that the condition requires, or a description of it.
    public let expected: String
    /// The value in the request, or `nil` if there is none, or if nobody looked. The description shows `REDACTED` for a
    /// secret, such as a password or a token.
    public let actual: String?

    /// A note that helps to see why, after a semicolon.
    let note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is the state of a scenario, which isn't part of the request.
    let isState: Bool

    init(
      _ criterion: String, expected: String, actual: String?, note: String? = nil, unknown: String? = nil,
      isState: Bool = false
    ) {
      self.criterion = criterion
      self.expected = expected
      self.actual = actual
      self.note = note
      self.unknown = unknown
      self.isState = isState
    }

    /// One line of about 94 characters. Longer text is shortened where this hides no difference.
    public var description: String {
      let criterion = Excerpt.oneLine(Excerpt.middle(criterion, 40))
      if let unknown { return "\(criterion): \(unknown)" }
      let note = note.map { "; \(Excerpt.oneLine(Excerpt.middle($0, 80)))" } ?? ""
      let rest = max(30, 94 - criterion.count - note.count - ": expected , got ".count)
      let shown = actual.map { isState ? $0 : SecretMask.value($0, of: self.criterion) } ?? "none"
      let (expected, actual) = Excerpt.pair(Excerpt.oneLine(expected), Excerpt.oneLine(shown), rest)
      if isState { return "\(criterion) is \(actual), expected \(expected)\(note)" }
      return "\(criterion): expected \(expected), got \(actual)\(note)"
    }

    func adding(_ more: String) -> Mismatch {
      Mismatch(
        criterion, expected: expected, actual: actual, note: note.map { "\($0); \(more)" } ?? more, unknown: unknown)
    }
  }
}
