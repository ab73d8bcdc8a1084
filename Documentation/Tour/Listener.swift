import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client that observes a body while it arrives.
final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because everything that changes is touched under the lock only.
  private let lock = NSLock()
  private var body = Data()
  private var length = 0
  private var isOver = false

  /// The number of bytes that have arrived.
  var byteCount: Int { lock.withLock { length } }
  /// A Boolean value that indicates whether the body is complete.
  var isComplete: Bool { lock.withLock { isOver } }

  /// Makes the request without waiting for anything.
  static func get(_ url: String) -> Listener {
    let listener = Listener()
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
    session.dataTask(with: URL(string: url)!).resume()
    session.finishTasksAndInvalidate()
    return listener
  }

  /// Returns what has arrived since the last call.
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
