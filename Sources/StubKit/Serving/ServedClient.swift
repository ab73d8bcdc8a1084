import Foundation
import StubKitFormats

/// The receiver of the answer to a request that arrived over a connection.
///
/// It is called on the queue of its exchange only. After `passThrough`, `finish` or `fail`, it isn't called again.
package protocol ServedClient: AnyObject, Sendable {
  /// - Parameter hasBody: Whether a body follows. If not, the head describes one that the client doesn't get, or none.
  func receive(_ head: ServedHead, hasBody: Bool)

  func receive(_ piece: Data)

  /// Runs `completion` on the queue when what was received has left for the other end. Returns `false`, and doesn't run
  /// it, if it has left already.
  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool

  func finish()

  func fail(_ failure: ServedFailure)

  /// Sends the request to the network.
  ///
  /// - Parameter recording: Receives the response, or `nil` if nothing records.
  func passThrough(_ request: URLRequest, recording: (any ExchangeRecording)?)
}

/// The head of a response as a server writes it.
package struct ServedHead: Sendable {
  package let status: Int
  /// The fields in the order in which they were set, each as often as it was set.
  package let headers: ResponseHeaders

  package init(status: Int, headers: ResponseHeaders) {
    self.status = status
    self.headers = headers
  }
}

/// The end of an exchange that has no response, or only a part of one.
package enum ServedFailure: Sendable {
  /// The failure that the test asked for.
  case meant(any Error)
  /// No stub matches the request.
  case unmatched(UnmatchedRequestError)
  /// Something is wrong with the stub that answers.
  case mistaken(any Error)
  /// The scope of the registry has ended, or the server was stopped.
  case cut
}
