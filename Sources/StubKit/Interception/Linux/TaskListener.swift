#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The delegate that learns what a task sends and receives: the session's, or that of the call that created the task.
  struct TaskListener {
    let session: URLSession
    let delegate: any URLSessionTaskDelegate
    /// A Boolean value that indicates whether it is the delegate of `data(for:delegate:)` or a sibling, besides the
    /// call's completion.
    let isOwn: Bool

    var takesPieces: Bool { delegate is any URLSessionDataDelegate }
    var takesLengths: Bool { delegate is any URLSessionDownloadDelegate }

    func tell(_ task: URLSessionTask, received piece: Data) {
      guard let delegate = delegate as? any URLSessionDataDelegate, let task = task as? URLSessionDataTask else {
        return
      }
      session.delegateQueue.addOperation { [session] in
        delegate.urlSession(session, dataTask: task, didReceive: piece)
      }
    }

    func tell(_ task: URLSessionTask, wrote count: Int64, total: Int64, expected: Int64) {
      guard let delegate = delegate as? any URLSessionDownloadDelegate, let task = task as? URLSessionDownloadTask
      else { return }
      session.delegateQueue.addOperation { [session] in
        delegate.urlSession(
          session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
          totalBytesExpectedToWrite: expected)
      }
    }

    func tell(_ task: URLSessionTask, sent count: Int64, total: Int64, expected: Int64) {
      session.delegateQueue.addOperation { [session, delegate] in
        delegate.urlSession(
          session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
      }
    }
  }
#endif
