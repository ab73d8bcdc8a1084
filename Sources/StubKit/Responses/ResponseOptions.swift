import Foundation

/// What a response can have besides a head, a body and their times. Most responses have none of it, so it is behind one
/// reference.
package struct ResponseOptions: Sendable {
  var network: NetworkConditions?
  var gate: ResponseGate?
  var flakiness: (rate: Double, code: URLError.Code, seed: UInt64?)?
  /// A Boolean value that indicates whether the server accepts the request but never answers.
  var isSilent = false
  /// The number of bytes of the body after which nothing more arrives, or `nil` if it arrives whole.
  var stallsAfter: Int?
  /// Where the upload of the request is lost, or `nil` if it arrives.
  var uploadLoss: UploadLoss?
  /// How the head meets the client's timeout, or `nil` for a head that doesn't know it.
  var punctuality: Punctuality?
  /// What the response suffers from, in this order.
  var faults: [NetworkFault] = []
  /// A Boolean value that indicates whether the request goes to the network instead.
  var isPassedThrough = false
  /// A Boolean value that indicates whether the test sends the response.
  var isControlled = false
  /// A Boolean value that indicates whether a request receives the ranges that it asks for.
  var acceptsRanges = false
  /// A Boolean value that indicates whether the conditions of a request are evaluated.
  var isConditional = false
  /// A Boolean value that indicates whether the head has no length, as if the server didn't know how much will follow.
  var hidesLength = false
  var moves: [ScenarioMove] = []
  /// The reason phrase of the status, or `nil` for the usual one.
  var reason: String?
  /// The version of HTTP, or `nil` for that of the registry.
  var httpVersion: StubResponse.HTTPVersion?
  /// Whether the client receives the body whatever the method and the status, and a `Location` leads nowhere.
  package var isVerbatim = false
  /// The latest change of each property that is set on a constant response, for the names of OHHTTPStubs.
  package var changes: Protected<[String: @Sendable (StubResponse) -> StubResponse]>?
  /// Whether the head is a recorded one, to which no length is added.
  package var isHeadComplete = false
  /// Where a recorded redirect has led, whatever its `Location` says, or `nil` if that says it.
  package var redirectTarget: URL?
}

/// When a head arrives that meets the client's timeout.
enum Punctuality: Sendable { case justInTime, justTooLate }
