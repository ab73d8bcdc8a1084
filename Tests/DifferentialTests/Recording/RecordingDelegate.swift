import Foundation
import StubKit
import TestSupport

/// A delegate that writes down what it is told, and answers as its cell says.
///
/// Data tasks and downloads have delegates of their own, because the native loader traps when a download's delegate is
/// one for data tasks too.
class RecordingDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  // @unchecked holds because the class has nothing that changes but what is behind locks.
  let log: EventLog
  private let cell: Cell
  private let challengeCount = Locked(0)
  private let seenTask = Protected<URLSessionTask?>(nil)

  /// The task that the delegate was told of.
  var task: URLSessionTask? { seenTask.withLock { $0 } }

  init(cell: Cell, log: EventLog) {
    self.cell = cell
    self.log = log
  }

  static func make(for cell: Cell, log: EventLog) -> RecordingDelegate {
    cell.kind == .download ? DownloadDelegate(cell: cell, log: log) : DataDelegate(cell: cell, log: log)
  }

  func see(_ task: URLSessionTask) { seenTask.withLock { $0 = task } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    see(task)
    log.note("asked about a redirect by \(Describing.response(response))")
    log.note("  to \(Describing.request(request))")
    log.note("  while the task shows \(Describing.response(task.response?.unlessInterim))")
    switch cell.replies.redirect {
    case .follow: completionHandler(request)
    case .refuse: completionHandler(nil)
    case .change:
      var other = URLRequest(url: URL(string: "/elsewhere", relativeTo: request.url!)!.absoluteURL)
      other.setValue("by the delegate", forHTTPHeaderField: "X-Changed")
      completionHandler(other)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    see(task)
    log.note("asked for a credential: \(Describing.challenge(challenge))")
    let number = challengeCount.adding(1)
    let replies = cell.replies.challenges
    switch number <= replies.count ? replies[number - 1] : .cancel {
    case .credential(let user, let password):
      completionHandler(.useCredential, URLCredential(user: user, password: password, persistence: .none))
    case .cancel: completionHandler(.cancelAuthenticationChallenge, nil)
    case .reject: completionHandler(.rejectProtectionSpace, nil)
    case .defaultHandling: completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    see(task)
    log.note("asked for a body stream")
    completionHandler(InputStream(data: Data(cell.exchange.requestBody.utf8)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    see(task)
    log.note(.moved(.sent, count: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend, isSteady: true))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    see(task)
    log.note("told of the end: \(Describing.error(error))")
    log.isOver.open()
  }
}

private final class DataDelegate: RecordingDelegate, URLSessionDataDelegate, @unchecked Sendable {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    see(dataTask)
    if let response = response.unlessInterim {
      log.note("told of the response: \(Describing.response(response))")
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    see(dataTask)
    log.note(.data(data))
  }
}

private final class DownloadDelegate: RecordingDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    see(downloadTask)
    log.note("told of the file: \(Describing.file(location))")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    see(downloadTask)
    let expected = totalBytesExpectedToWrite
    log.note(.moved(.written, count: bytesWritten, total: totalBytesWritten, expected: expected, isSteady: true))
  }
}

extension URLResponse {
  /// The server says 100 only because the client's transport would otherwise hold a streamed body back for a second. A
  /// stub has nothing to say it for.
  var unlessInterim: URLResponse? { (self as? HTTPURLResponse)?.statusCode == 100 ? nil : self }
}

extension Describing {
  /// Reads a downloaded file, and removes it.
  static func file(_ location: URL?) -> String {
    guard let location else { return "none" }
    defer { try? FileManager.default.removeItem(at: location) }
    return (try? Data(contentsOf: location))?.readable ?? "not readable"
  }
}
