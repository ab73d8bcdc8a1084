import Foundation
import StubKit
import Testing

/// A delegate that writes down what it is told, and says when its task is complete.
package class DelegateEvents: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  // @unchecked holds because neither the class nor its subclasses have anything that changes but what is behind locks.
  private let events = Locked<[String]>([])
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)

  package override init() {}

  package var told: [String] { events.withLock { $0 } }

  /// What was told until the task was complete.
  package func untilCompletion() async throws -> [String] {
    try await next(of: completions, when: "the task is complete")
    return told
  }

  func note(_ event: String) { events.withLock { $0.append(event) } }

  func text(of data: Data) -> String { String(decoding: data, as: UTF8.self) }

  func text(of error: NSError) -> String { "\(error.domain) \(error.code)" }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data \(text(of: data))")
  }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    note("file \((try? text(of: Data(contentsOf: location))) ?? "none")")
    try? FileManager.default.removeItem(at: location)
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map { "error \(text(of: $0 as NSError))" } ?? "complete")
    completion.yield()
  }

  // What a subclass is to hear of stands here too, since this class is what conforms to the protocols.

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(request) }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) { completionHandler(.performDefaultHandling, nil) }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) { completionHandler(nil) }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {}
}
