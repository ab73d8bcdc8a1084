extension RequestMatcher {
  /// A criterion that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", missing; found pge
  /// body at user.address[0].zip: expected "1010", got "1020"
  /// cart is .full, expected .empty
  /// closure "is admin": not asked
  /// ```
  public struct Mismatch: Sendable, Hashable {
    /// The part that was compared: `path`, `header Accept`, or `body at user.zip`.
    public let criterion: String
    /// The value that the condition requires, or a description of it.
    public let expected: String
    /// The value in the request, or `nil` if there is none or StubKit did not look for it. While something records, it
    /// lacks what the recording replaces.
    public let actual: String?

    /// A note that helps to see why, after a semicolon.
    private(set) var note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is a state of the test, and no part of the request.
    let isState: Bool

    package init(
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

    /// Adds a note after the others.
    mutating func add(_ more: String) { note = note.map { "\($0); \(more)" } ?? more }
  }
}

extension RequestMatcher.Mismatch: CustomStringConvertible {
  /// One line of about 94 characters, and more with a long note. Longer text is shortened where this hides no
  /// difference.
  public var description: String {
    let criterion = criterion.middle(40).onOneLine
    if let unknown { return "\(criterion): \(unknown)" }
    let notes = [note.map { $0.middle(160) }, actual.flatMap(expected.composition(besides:))]
    let note = notes.compactMap { $0.map { "; \($0.onOneLine)" } }.joined()
    // A cure in a note doesn't take the room of what it cures.
    let least = note.count > 40 ? 60 : 30
    let rest = max(least, 94 - criterion.count - note.count - ": expected , got ".count)
    let (expected, got) = expected.onOneLine.middle(rest, beside: (actual ?? "none").onOneLine)
    if isState { return "\(criterion) is \(got), expected \(expected)\(note)" }
    return "\(criterion): expected \(expected), \(actual == nil ? "missing" : "got \(got)")\(note)"
  }
}
