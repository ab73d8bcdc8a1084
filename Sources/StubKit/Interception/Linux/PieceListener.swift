#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Receives a body in place of a delegate, records it, and passes it on to the delegate at once, in the same
  /// operation.
  final class PieceListener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked holds because nothing in it changes. The delegate is called on its own queue, as without this.
    private let delegate: any URLSessionTaskDelegate
    private let recording: any ExchangeRecording

    init(_ delegate: any URLSessionTaskDelegate, _ recording: any ExchangeRecording) {
      self.delegate = delegate
      self.recording = recording
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recording.receive(data)
      (delegate as? any URLSessionDataDelegate)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent total: Int64,
      totalBytesExpectedToSend expected: Int64
    ) {
      delegate.urlSession(
        session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
  }

  /// Receives the progress of a download in place of the delegate of the call that created the task, records it, and
  /// tells that delegate at once. URLSession on Linux writes each piece of such a download twice.
  final class WrittenListener: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    // @unchecked holds because nothing in it changes. The delegate is called on the session's queue, as without this.
    private let delegate: any URLSessionDownloadDelegate
    private let recording: any ExchangeRecording

    init(_ delegate: any URLSessionDownloadDelegate, _ recording: any ExchangeRecording) {
      self.delegate = delegate
      self.recording = recording
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64,
      totalBytesWritten total: Int64, totalBytesExpectedToWrite expected: Int64
    ) {
      recording.wrote(Int(count))
      delegate.urlSession(
        session, downloadTask: downloadTask, didWriteData: count, totalBytesWritten: total,
        totalBytesExpectedToWrite: expected)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
      delegate.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: file)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent total: Int64,
      totalBytesExpectedToSend expected: Int64
    ) {
      delegate.urlSession(
        session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
  }

  /// Makes the system's loader tell its client of a response's head. The listener itself receives nothing.
  final class HeadListener: NSObject, URLSessionTaskDelegate {}

  /// Does what `HeadListener` does, and records when the pieces of an event stream arrive. The body itself arrives as a
  /// whole at the completion handler.
  final class PieceTimes: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked holds because nothing in it changes, except what `isEventStream` guards.
    private let recording: any ExchangeRecording
    private let isEventStream = Protected(false)

    init(_ recording: any ExchangeRecording) { self.recording = recording }

    /// Call this before the pieces of a response arrive.
    func meet(_ head: HTTPURLResponse) {
      let type = head.value(forHTTPHeaderField: "Content-Type")?.lowercased()
      isEventStream.withLock { $0 = type?.hasPrefix("text/event-stream") == true }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      if isEventStream.withLock(\.self) { recording.wrote(data.count) }
    }
  }
#endif
