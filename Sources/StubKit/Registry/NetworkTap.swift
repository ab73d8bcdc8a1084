import Foundation

/// Listens to the requests of a registry that go to the network, for example to record them.
package protocol NetworkTap: AnyObject, Sendable {
  /// Begins to listen to a request.
  ///
  /// - Parameter request: The request as a server receives it.
  func begin(_ request: URLRequest) -> any NetworkRecorder

  /// Returns text of a report without what this tap replaces in what it writes.
  ///
  /// - Parameter criterion: The part of the request that has the text as its value, such as `header Accept`, or `nil` for
  ///   a text of any kind.
  func redacted(_ text: String, of criterion: String?) -> String
}

/// Learns what happens to one request on the network. A request that a response leads to has a recorder of its own.
///
/// Call it on any thread, in the order of events.
package protocol NetworkRecorder: AnyObject, Sendable {
  /// The request is sent with this body.
  func setRequestBody(_ body: Data)

  func head(_ response: HTTPURLResponse)
  /// The response is a redirect that URLSession understands to lead here.
  func leads(to target: URL)
  /// A piece of the body has arrived.
  ///
  /// - Parameter asPiece: Whether the client receives the body in pieces.
  func receive(_ piece: Data, asPiece: Bool)

  /// The response is complete, or has broken off.
  func end(error: (any Error)?)
  /// The request was cancelled.
  func cancel()
}
