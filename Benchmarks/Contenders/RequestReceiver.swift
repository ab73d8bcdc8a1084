import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's delegate that collects the bodies of any number of requests at once.
final class RequestReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because the lock guards the exchanges.
  private struct Exchange {
    var body = Data()
    let continuation: CheckedContinuation<Data, any Error>
  }

  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  /// - Parameter session: The session that has this delegate.
  func receive(_ request: URLRequest, in session: URLSession) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      let task = session.dataTask(with: request)
      lock.withLock { exchanges[task.taskIdentifier] = Exchange(continuation: continuation) }
      task.resume()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.withLock { exchanges[dataTask.taskIdentifier]?.body.append(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = lock.withLock({ exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
    exchange.continuation.resume(with: error.map { .failure($0) } ?? .success(exchange.body))
  }
}
