import Foundation
import StubKit
import Testing

/// A delegate that writes down what it is told, and says when its task is complete.
package final class DelegateEvents: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private let events = Locked<[String]>([])
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)

  package override init() {}

  package var told: [String] { events.withLock { $0 } }

  /// What was told until the task was complete.
  package func untilCompletion() async throws -> [String] {
    try await next(of: completions, when: "the task is complete")
    return told
  }

  private func note(_ event: String) { events.withLock { $0.append(event) } }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data \(String(decoding: data, as: UTF8.self))")
  }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    note("file \((try? String(contentsOf: location, encoding: .utf8)) ?? "none")")
    try? FileManager.default.removeItem(at: location)
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map { "error \(($0 as NSError).domain) \(($0 as NSError).code)" } ?? "complete")
    completion.yield()
  }
}
