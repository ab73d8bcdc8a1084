import Foundation

/// The receiver of a delivery. It hides what the `URLProtocolClient` of each platform gets wrong.
///
/// Call it only on the delivery's queue.
protocol DeliveryClient {
  /// A Boolean value that indicates whether the client can receive anything now. Read it on the queue. It changes there
  /// too, between two pieces of work.
  var isListening: Bool { get }

  /// A Boolean value that indicates whether the client receives a body piece by piece. Otherwise it receives only the
  /// lengths of the pieces, and the whole body at the end.
  var takesPieces: Bool { get }

  /// Tells the client that a number of bytes of the request's body were sent.
  func didSend(_ byteCount: Int)

  func receive(_ response: URLResponse)

  /// - Parameter isWhole: Whether the piece is the whole body.
  func receive(_ piece: Data, isWhole: Bool)

  /// Tells the length of a piece to a client that receives no pieces.
  func receive(byteCount: Int)

  /// Runs `completion` on the queue when the receiver has got what was delivered. Returns `false`, and doesn't run it,
  /// if the receiver has got it already.
  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool

  /// Prepares what the end needs, away from the queue if that takes time. `completion` then runs on the queue.
  ///
  /// Returns `false` if there is nothing to prepare. `completion` isn't called then.
  ///
  /// - Parameter flag: A flag that is cancelled if the end isn't needed any more.
  func prepareToFinish(
    with body: ResponseBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool

  /// Ends the load, after `prepareToFinish`.
  func finish()
  func fail(_ error: any Error)
}
