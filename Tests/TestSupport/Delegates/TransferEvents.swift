import Foundation
import StubKit
import Testing

/// A delegate that writes down everything it is told of a transfer, and the bytes that came.
package final class TransferEvents: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private struct State {
    var told: [String] = []
    var bytes = Data()
  }
  private let state = Locked(State())
  private let (completions, completion) = AsyncStream.makeStream(of: Void.self)

  package override init() {}

  package var told: [String] { state.withLock { $0.told } }
  package var bytes: Data { state.withLock { $0.bytes } }
  /// What was told until the task was complete.
  package func untilCompletion() async throws -> [String] {
    try await next(of: completions, when: "the task is complete")
    return told
  }

  private func note(_ event: String, _ bytes: Data = Data()) {
    state.withLock {
      $0.told.append(event)
      $0.bytes += bytes
    }
  }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data \(data.count)", data)
  }

  package func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note("sent \(count) \(totalBytesSent) \(totalBytesExpectedToSend)")
  }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    note("wrote \(count) \(totalBytesWritten) \(totalBytesExpectedToWrite)")
  }

  package func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let bytes = (try? Data(contentsOf: location)) ?? Data()
    note("file \(bytes.count)", bytes)
    try? FileManager.default.removeItem(at: location)
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note(error.map { "error \(($0 as NSError).code)" } ?? "complete")
    completion.yield()
  }
}
