import Foundation

/// An error that says that a stream would have had to serve a second request. A sequence can be iterated only once.
///
/// ```swift
/// // Serves one request.
/// stub(condition: isPath("/log"), response: .stream(lines))
/// // Serves all requests, each with a sequence of its own.
/// stub(condition: isPath("/log"), response: .stream { lines() })
/// ```
public struct StreamAlreadyUsedError: StubKitError, Hashable {
  /// The stub that answered, or `nil` if the response came from a policy.
  public let stub: StubReference?

  /// A sentence that names the stub and says what to write.
  public var description: String {
    let subject = stub.map { "The stub \($0)" } ?? "The response to an unmatched request"
    return """
      \(subject) answers with a stream that an earlier request has already read. \
      Write .stream { … } with a closure that creates a new sequence for each request.
      """
  }
}
