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

  /// Whether a body may be told in more than one piece. Where it may not, the whole is told at the end.
  var takesPieces: Bool { get }

  func receive(_ response: URLResponse)
  func receive(_ piece: Data)

  /// Makes ready what the end needs, away from the queue if that takes time; `completion` runs on the queue.
  /// Returns false when there is nothing to make ready: then `completion` is not called.
  func prepareToFinish(
    with body: Data, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool

  /// - Parameter body: All that was told in pieces, joined.
  func finish(_ body: Data)
  func fail(_ error: any Error)
}
