import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who is told what a delivery brings: the seam that hides what each platform's `URLProtocolClient` gets wrong.
///
/// Called on the delivery's queue only.
protocol DeliveryClient {
  /// Whether the client may be told anything now. It can change only between two pieces of work on the queue.
  var isListening: Bool { get }

  /// Whether it takes a body piece by piece. Otherwise it gets the pieces' lengths only, and the whole at the end.
  var takesPieces: Bool { get }

  /// What it fails with when it has waited for too long.
  var timeOutFailure: any Error { get }

  /// So many more bytes of the request's body were sent.
  func didSend(_ byteCount: Int)

  func receive(_ response: URLResponse)

  /// - Parameter isWhole: Whether there is no more of the body, before or after it.
  func receive(_ piece: Data, isWhole: Bool)

  /// A piece, for a client that takes none.
  func receive(byteCount: Int)

  /// Whether what was told is still on its way to its receiver: then `completion` runs on the queue once it has arrived.
  /// Otherwise it is not called.
  func isArriving(_ completion: @escaping @Sendable () -> Void) -> Bool

  /// Makes ready what the end needs, away from the queue if that takes time; `completion` runs on the queue.
  /// Returns false when there is nothing to make ready: then `completion` is not called.
  ///
  /// - Parameter flag: Cancelled when the end is not wanted any more.
  func prepareToFinish(
    with body: DeliveryBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool

  /// Called after `prepareToFinish`.
  func finish()
  func fail(_ error: any Error)
}
