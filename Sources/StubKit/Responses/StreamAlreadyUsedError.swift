import Foundation

/// A stream was to answer a second request: a sequence that was made once can be iterated once.
///
/// ```swift
/// stub(condition: isPath("/log"), response: .stream(lines))      // serves one request
/// stub(condition: isPath("/log"), response: .stream { lines() }) // serves all, each with a sequence of its own
/// ```
public struct StreamAlreadyUsedError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The stub that answered, or nil if the answer came from a policy.
  public let stub: StubReference?

  /// A sentence that names the stub and the cure.
  public var description: String {
    let subject = stub.map { "The stub \($0)" } ?? "The response to an unmatched request"
    return """
      \(subject) answers with a stream that an earlier request has used up. \
      Write .stream { … } with a closure that makes a new sequence for each request.
      """
  }

  /// The sentence, so that `localizedDescription` carries it.
  public var errorDescription: String? { description }
}
