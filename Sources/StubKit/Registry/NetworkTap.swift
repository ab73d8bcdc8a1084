import Foundation

/// Listens to the requests of a registry that go to the network, for example to record them.
package protocol NetworkTap: AnyObject, Sendable {
  /// Begins to listen to a task.
  ///
  /// - Parameter request: The request as a server receives it.
  func begin(_ request: URLRequest) -> any NetworkListener

  /// A request went to the network that can belong to this tap or to another one. Neither listens to it.
  func cannotAttribute(_ request: URLRequest)

  /// Returns text of a report without what this tap replaces in what it writes. Defaults to the text itself.
  ///
  /// - Parameter criterion: The part of the request that has the text as its value, such as `header Accept`, or `nil` for
  ///   a text of any kind.
  func redacted(_ text: String, of criterion: String?) -> String
}

extension NetworkTap {
  package func redacted(_ text: String, of criterion: String?) -> String { text }
}

/// Learns what happens between one task and the network, from its first request to its end.
///
/// Call it on any thread, in the order of events.
package protocol NetworkListener: AnyObject, Sendable {
  // MARK: The request

  /// A piece of a streamed body was read and sent.
  func send(_ piece: Data)
  /// The stream is read again from its beginning.
  func sendAgain()
  /// The task sends this body, which its request doesn't contain.
  func setRequestBody(_ body: Data)
  /// The task sends this file. If it can't be read, the loader that sends it reports the problem.
  func setRequestBody(ofFile file: URL)

  // MARK: The response

  func head(_ response: HTTPURLResponse)
  /// A piece of the body has arrived.
  ///
  /// - Parameter asPiece: Whether the client receives the body in pieces.
  func receive(_ piece: Data, asPiece: Bool)
  /// The response leads to another request: a redirect, or a challenge that was answered with a credential.
  ///
  /// - Parameter target: Where a redirect leads before a delegate changes the request, or `nil` for a challenge, after
  ///   which the task sends its body again.
  func proceed(from response: HTTPURLResponse, _ body: ExchangeBody, to target: URL?, with next: URLRequest)
  /// The response leads to a request with a listener of its own. If the redirect is refused, the response's body and end
  /// follow.
  func leadOn(from response: HTTPURLResponse)

  // MARK: The end

  /// - Parameter response: The response, or `nil` for the one whose head has arrived.
  func end(_ response: HTTPURLResponse?, _ body: ExchangeBody, error: (any Error)?)
  /// The task was cancelled.
  func cancel()
}

/// Where to find a response's body at its end.
package enum ExchangeBody: Sendable {
  /// It was received piece by piece.
  case received
  case data(Data)
  /// It is unknown, for this reason, which is the end of a sentence that begins with the entry.
  case unknown(String)
}
