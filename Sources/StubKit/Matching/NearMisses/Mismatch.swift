extension RequestMatcher {
  /// A criterion that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", got none; there is pge
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
    let note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is a state of the test, and no part of the request.
    let isState: Bool

    package init(
      _ criterion: String, expected: String, actual: String?, note: String? = nil, unknown: String? = nil,
      isState: Bool = false
    ) {
      (self.criterion, self.expected, self.actual) = (criterion, expected, actual)
      (self.note, self.unknown, self.isState) = (note, unknown, isState)
    }

    func adding(_ more: String) -> Mismatch {
      Mismatch(
        criterion, expected: expected, actual: actual, note: note.map { "\($0); \(more)" } ?? more, unknown: unknown)
    }
  }
}
