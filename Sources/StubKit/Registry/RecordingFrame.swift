import Foundation

/// Listens to the requests of a registry that go to the network, for example to record them.
package protocol NetworkTap: AnyObject, Sendable {
  /// Begins to listen to a request.
  ///
  /// - Parameter request: The request as a server receives it.
  func begin(_ request: URLRequest) -> any NetworkRecorder

  /// What reports may show of the requests.
  var filter: any ReportFilter { get }
}

/// What reports may show of the requests of a recording, during it and after its end.
package protocol ReportFilter: Sendable {
  /// Returns text of a report without what the recording replaces in what it writes.
  ///
  /// - Parameter criterion: The part of the request that has the text as its value, such as `header Accept`, or `nil`
  ///   for a text of any kind.
  func redacted(_ text: String, of criterion: String?) -> String
}

/// Learns what happens to one request on the network. A request that a response leads to has a recorder of its own.
///
/// Call it on any thread, in the order of events.
package protocol NetworkRecorder: AnyObject, Sendable {
  /// The request is sent with this body.
  func setRequestBody(_ body: Data)

  func headArrived(_ response: HTTPURLResponse)
  /// The response is a redirect that URLSession understands to lead here.
  func leads(to target: URL)
  /// A piece of the body has arrived.
  ///
  /// - Parameter asPiece: Whether the client receives the body in pieces.
  func pieceArrived(_ piece: Data, asPiece: Bool)

  /// The response is complete, or has broken off.
  func end(error: (any Error)?)
  /// The request was cancelled.
  func cancel()
}

/// A recording in use in a registry: its policy for unmatched requests, and what listens to those that go to the
/// network.
///
/// Recordings are nested, and the innermost one has all requests of the registry.
package final class RecordingFrame: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingFrame?

  let tap: (any NetworkTap)?
  /// The command after which unmatched requests have stubs, or `nil` if there is none.
  let remedy: String?
  /// Whether it is that of a whole test, whose tasks don't name it.
  let isOfTest: Bool
  /// The policy for requests that no stub matches, or `nil` for that of the registry.
  // Safe because it is touched only under the lock of the registry.
  nonisolated(unsafe) var unmatched: UnmatchedPolicy?

  package init(
    _ tap: (any NetworkTap)? = nil, unmatched: UnmatchedPolicy? = nil, remedy: String? = nil, isOfTest: Bool = false
  ) {
    self.tap = tap
    self.unmatched = unmatched
    self.remedy = remedy
    self.isOfTest = isOfTest
  }

  /// Returns whether the frame can begin inside another one, and not beside it. It can if the code that begins it runs
  /// inside of the other one.
  func isInside(_ outer: RecordingFrame) -> Bool { outer === Self.current || outer.isOfTest && !isOfTest }
}
