import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client that looks at a body while it comes.
final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because what changes is touched under the lock only.
  private let lock = NSLock()
  private var body = Data()
  private var length = 0
  private var isOver = false

  /// How many bytes have come.
  var byteCount: Int { lock.withLock { length } }
  /// Whether the body came to its end.
  var isComplete: Bool { lock.withLock { isOver } }

  /// Makes the request, and does not wait for anything.
  static func get(_ url: String) -> Listener {
    let listener = Listener()
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
    session.dataTask(with: URL(string: url)!).resume()
    session.finishTasksAndInvalidate()
    return listener
  }

  /// What has come since it was last asked.
  func takeText() -> String {
    lock.withLock {
      defer { body = Data() }
      return String(decoding: body, as: UTF8.self)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.withLock {
      body += data
      length += data.count
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    lock.withLock { isOver = error == nil }
  }
}
