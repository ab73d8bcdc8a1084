import Foundation
import StubKit
import Testing

/// A delegate that writes down everything it is told of a transfer, and the bytes that came.
package final class TransferEvents: DelegateEvents, @unchecked Sendable {
  // @unchecked holds because the stream is only handed on.
  private let stream: InputStream?
  private let received = Locked(Data())
  private let askedOn = Locked<[OperationQueue?]>([])

  /// - Parameter stream: The body of an upload that asks for one.
  package init(stream: InputStream? = nil) { self.stream = stream }

  package var bytes: Data { received.withLock { $0 } }

  /// The queues on which a body's stream was asked for.
  package var streamQueues: [OperationQueue?] { askedOn.withLock { $0 } }

  override func text(of data: Data) -> String {
    received.withLock { $0 += data }
    return "\(data.count)"
  }

  override func text(of error: NSError) -> String { "\(error.code)" }

  package override func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    let queue = OperationQueue.current
    askedOn.withLock { $0.append(queue) }
    completionHandler(stream)
  }

  package override func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note("sent \(count) \(totalBytesSent) \(totalBytesExpectedToSend)")
  }

  package override func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    note("wrote \(count) \(totalBytesWritten) \(totalBytesExpectedToWrite)")
  }
}
