import Foundation

/// Learns what happens to one request: to make a note of it, or to call the user's code.
///
/// The journal and the callbacks of a registry are no part of the path of a request. They listen to it.
protocol ExchangeListener: Sendable {
  /// The answer is known. Called where the user's closures run.
  func willBegin()

  /// The request sends a file. Called on the queue of the request, so at most a megabyte may be read.
  func sends(bodyIn file: URL)

  /// The head of a response is due.
  func receives(_ response: RecordedRequest.Response)

  /// Returns a closure that must have run before the client learns of the end, or `nil` if nothing has to run. It is
  /// called where the user's closures run.
  ///
  /// - Parameters:
  ///   - error: The error that ends the request, or `nil`.
  ///   - request: The request that a redirect leads to, or `nil` if the response doesn't redirect.
  func willEnd(_ error: (any Error)?, redirectedTo request: URLRequest?) -> (@Sendable () -> Void)?

  /// The request is over, whether `willEnd` was called before or not. A request that ends away from its answer, for
  /// example by its cancellation, can end twice.
  ///
  /// - Parameters:
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - callbacks: The client's callbacks, which have yet to return, or `nil` if none follows.
  func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int?, callbacks: RequestCallbacks?)
}

extension ExchangeListener {
  func willBegin() {}
  func sends(bodyIn file: URL) {}
  func receives(_ response: RecordedRequest.Response) {}
  func willEnd(_ error: (any Error)?, redirectedTo request: URLRequest?) -> (@Sendable () -> Void)? { nil }
}
