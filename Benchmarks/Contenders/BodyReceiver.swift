import Foundation
import StubKit

/// A session's delegate that receives one body after another, and keeps it or only its length.
final class BodyReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because it makes one request at a time, whose calls come one after the other on the session's queue.
  typealias Received = (length: Int, body: Data)

  private let keepsBody: Bool
  private var received: Received = (0, Data())
  private var continuation: CheckedContinuation<Received, any Error>?

  init(keepsBody: Bool = false) { self.keepsBody = keepsBody }

  /// - Parameter session: The session that has this delegate.
  func receive(_ request: URLRequest, in session: URLSession) async throws -> Received {
    received = (0, Data())
    return try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      session.dataTask(with: request).resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received.length += data.count
    if keepsBody { received.body += data }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // Whoever continues may make the next request at once.
    let (continuation, received) = (continuation, received)
    self.continuation = nil
    continuation?.resume(with: error.map { .failure($0) } ?? .success(received))
  }
}
