import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Writes down, in order, what a session tells its delegate about one task, and waits for the last of it.
final class SessionEvents: NSObject, URLSessionDataDelegate {
  enum Event: Equatable {
    case response(status: Int)
    case data(String)
    case finished
    case failed(domain: String, code: Int)
  }

  private let events = Locked<[Event]>([])
  private let completion = Latch()

  /// Everything up to the task's completion.
  var untilCompletion: [Event] {
    get async throws {
      try await until("the task is complete") { completion.isOpen }
      return events.withLock { $0 }
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    events.withLock { $0.append(.response(status: (response as? HTTPURLResponse)?.statusCode ?? 0)) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    events.withLock { $0.append(.data(String(decoding: data, as: UTF8.self))) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    events.withLock {
      $0.append((error as NSError?).map { .failed(domain: $0.domain, code: $0.code) } ?? .finished)
    }
    completion.open()
  }
}
