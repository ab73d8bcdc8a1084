import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads every byte of a body, and keeps none.
final class BodyReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because it makes one request, whose calls come one after the other on the session's queue.
  struct Received: Sendable {
    var sum = 0
    var pieces = 0
  }

  private var received = Received()
  private var continuation: CheckedContinuation<Received, any Error>?

  /// Sends the request. This object receives the body if it is the session's delegate, and otherwise a completion
  /// handler does.
  func receive(_ request: URLRequest, in session: URLSession) async throws -> Received {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      if session.delegate != nil { return session.dataTask(with: request).resume() }
      session.dataTask(with: request) { data, _, error in
        if let data { self.read(data) }
        self.end(error)
      }.resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { read(data) }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) { end(error) }

  private func read(_ data: Data) {
    received.pieces += 1
    for region in data.regions {
      region.withUnsafeBytes { bytes in
        var sum = 0
        for byte in bytes { sum &+= Int(byte) }
        received.sum += sum
      }
    }
  }

  private func end(_ error: (any Error)?) {
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume(returning: received) }
    continuation = nil
  }
}
