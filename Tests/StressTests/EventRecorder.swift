import Foundation
import StubKit
import TestSupport

/// A session's delegate that tells each task's owner how the task ended, and counts what must not happen.
final class EventRecorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  private struct Conversation {
    /// How many heads there may still be: one, and one more where a credential is asked for.
    var headsToCome: Int
    var hasHead = false
    var body = Data()
    let end: @Sendable (Ending) -> Void
  }
  private let conversations = Locked<[Int: Conversation]>([:])
  private let found = Locked<[String]>([])

  var faults: [String] { found.withLock { $0 } }

  func expect(_ task: URLSessionTask, heads: Int, _ end: @escaping @Sendable (Ending) -> Void) {
    conversations.withLock { $0[task.taskIdentifier] = Conversation(headsToCome: heads, end: end) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    change(dataTask, "head") {
      if $0.headsToCome == 0 { self.fault("too many heads for \(dataTask)") }
      $0.headsToCome -= 1
      $0.hasHead = true
      $0.body = Data()
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    change(dataTask, "data") {
      if !$0.hasHead { self.fault("data before the head") }
      $0.body += data
    }
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    let file = try? Data(contentsOf: location)
    try? FileManager.default.removeItem(at: location)
    change(downloadTask, "file") {
      if file == nil { self.fault("no file for \(downloadTask)") }
      $0.body = file ?? Data()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let conversation = conversations.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let conversation else { return fault("a second completion") }
    conversation.end(Ending(conversation.body, error))
  }

  private func change(_ task: URLSessionTask, _ event: String, _ change: (inout Conversation) -> Void) {
    conversations.withLock {
      if $0[task.taskIdentifier] == nil {
        fault("\(event) after the completion")
      } else {
        change(&$0[task.taskIdentifier]!)
      }
    }
  }

  private func fault(_ text: String) { found.withLock { $0.append(text) } }
}
