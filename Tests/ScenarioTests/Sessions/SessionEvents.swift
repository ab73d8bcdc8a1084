import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Writes down, in order, what a session tells its delegate about one task, and waits for the last of it.
final class SessionEvents: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because what changes is touched under the lock only.
  enum Event: Equatable {
    case response(status: Int)
    case data(String)
    case finished
    case failed(domain: String, code: Int)
  }

  private let lock = NSLock()
  private var events: [Event] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private var isComplete = false

  /// Everything up to the task's completion.
  var untilCompletion: [Event] {
    get async {
      await withCheckedContinuation { continuation in
        let isComplete = lock.withLock {
          if !self.isComplete { waiting = continuation }
          return self.isComplete
        }
        if isComplete { continuation.resume() }
      }
      return lock.withLock { events }
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    lock.withLock { events.append(.response(status: (response as? HTTPURLResponse)?.statusCode ?? 0)) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.withLock { events.append(.data(String(decoding: data, as: UTF8.self))) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let waiting = lock.withLock {
      events.append((error as NSError?).map { .failed(domain: $0.domain, code: $0.code) } ?? .finished)
      isComplete = true
      defer { self.waiting = nil }
      return self.waiting
    }
    waiting?.resume()
  }
}
