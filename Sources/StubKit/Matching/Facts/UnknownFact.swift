/// What is not known about an earlier request, so that it is not known either whether it met a condition.
package struct UnknownFact: Sendable {
  package let subject: String
  package let reason: String
  let cure: String

  /// What is not known, why, and what to do about it.
  var sentence: String { "\(subject): \(reason). \(cure)" }
}

/// Why nobody has the body of an earlier request. What hangs on it is not known.
package struct MissingBody: Sendable, Hashable {
  /// What happened to the body.
  package let reason: String
  let cure: String
  /// The length in bytes, or `nil` if it isn't known.
  private(set) var length: Int?

  /// What happened to the body, and what to do about it.
  var sentence: String { "\(reason). \(cure)" }

  /// It was longer than what the journal keeps.
  static func large(_ length: Int) -> MissingBody {
    MissingBody(
      reason: "only its length is kept, \(length) bytes",
      cure: "Set StubRegistry.current.journal.keepsLargeBodies = true before the request.", length: length)
  }

  static let unread = MissingBody(
    reason: "no stub needed the stream, so it was not read",
    cure: "Give the request's stub a condition on the body, such as !hasBody(Data()), so that it is read.")

  /// The end of a stream or a file has not been read, because it is yet to come, or because the request ended before.
  static let pending = MissingBody(
    reason: "not read to its end", cure: "Wait until the request is over, and let its body end.")

  static let unreadable = MissingBody(
    reason: "its file could not be read", cure: "Leave the file in its place, unchanged, until the request is over.")
}
