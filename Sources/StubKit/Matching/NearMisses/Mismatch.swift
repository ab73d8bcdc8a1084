extension MatchReport {
  /// One thing that a condition asks for and a request has not: what was expected, and what came.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", got none; there is pge
  /// body at user.address[0].zip: expected "1010", got "1020"
  /// cart is .full, expected .empty
  /// closure "is admin": not asked
  /// ```
  public struct Mismatch: Sendable, Hashable, CustomStringConvertible {
    /// What was looked at: `path`, `header Accept`, `body at user.zip`.
    public let criterion: String
    /// What the condition asks for: a value, or what there is to say of it in words.
    public let expected: String
    /// What the request has there, or nil if it has nothing, or if nobody looked.
    public let actual: String?

    /// What helps to see why, after a semicolon.
    let note: String?
    /// Why it is not known whether the request meets the criterion, nil where it is known that it does not.
    let unknown: String?
    /// Whether it is the state of a scenario, which the request does not bring with it.
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

    /// One line of 94 characters or so; what is longer is cut where it hides no difference.
    public var description: String {
      let criterion = Excerpt.oneLine(Excerpt.middle(criterion, 40))
      if let unknown { return "\(criterion): \(unknown)" }
      let note = note.map { "; \(Excerpt.oneLine(Excerpt.middle($0, 80)))" } ?? ""
      let rest = max(30, 94 - criterion.count - note.count - ": expected , got ".count)
      let (expected, actual) = Excerpt.pair(Excerpt.oneLine(expected), Excerpt.oneLine(actual ?? "none"), rest)
      if isState { return "\(criterion) is \(actual), expected \(expected)\(note)" }
      return "\(criterion): expected \(expected), got \(actual)\(note)"
    }

    func adding(_ more: String) -> Mismatch {
      Mismatch(
        criterion, expected: expected, actual: actual, note: note.map { "\($0); \(more)" } ?? more, unknown: unknown)
    }
  }
}
