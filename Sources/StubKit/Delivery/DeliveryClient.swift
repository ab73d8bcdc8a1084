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

  /// How it takes a body that comes in more than one piece, or is not in memory.
  var intake: BodyIntake { get }

  /// So many more bytes of the request's body were sent.
  func didSend(_ byteCount: Int)

  func receive(_ response: URLResponse)

  /// - Parameter isWhole: Whether there is no more of the body, before or after it.
  func receive(_ piece: Data, isWhole: Bool)

  /// A piece has come, of which a client that takes the whole hears nothing else.
  func pass(byteCount: Int)

  /// A piece, for a client that takes lengths.
  func receive(byteCount: Int)

  /// Whether what was told is still on its way to its receiver: then `completion` runs on the queue once it has arrived.
  /// Otherwise it is not called.
  func isArriving(_ completion: @escaping @Sendable () -> Void) -> Bool

  /// Makes ready what the end needs, away from the queue if that takes time; `completion` runs on the queue.
  /// Returns false when there is nothing to make ready: then `completion` is not called.
  func prepareToFinish(with body: DeliveryBody, completion: @escaping @Sendable ((any Error)?) -> Void) -> Bool

  /// Called after `prepareToFinish`.
  func finish()
  func fail(_ error: any Error)
}

/// How a client takes a body.
enum BodyIntake {
  /// Piece by piece.
  case pieces
  /// The length of each piece, and the whole at the end.
  case lengths
  /// The whole at the end.
  case whole
}
