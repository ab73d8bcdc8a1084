import Foundation

/// The receiver of a delivery. It hides what the `URLProtocolClient` of each platform gets wrong.
///
/// Call it only on the delivery's queue.
protocol DeliveryClient {
  /// A Boolean value that indicates whether the client can receive anything now. Read it on the queue. It changes there
  /// too, between two pieces of work.
  var isListening: Bool { get }

  /// Tells the client that a number of bytes of the request's body were sent.
  func didSend(_ byteCount: Int)

  func receive(_ response: URLResponse)

  /// - Parameter isWhole: Whether the piece is the whole body.
  /// - Throws: An error if the client can't keep the piece.
  func receive(_ piece: Data, isWhole: Bool) throws

  /// Runs `completion` on the queue when the receiver has got what was delivered. Returns `false`, and doesn't run it,
  /// if the receiver has got it already.
  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool

  /// Ends the load.
  func finish()
  func fail(_ error: any Error)
}
