import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's delegate that knows what a progress bar shows, and keeps what came before a failure.
final class Download: NSObject, URLSessionDataDelegate {
  private let state = Locked((received: Data(), isComplete: false))
  private let (ends, end) = AsyncStream.makeStream(of: Void.self)
  var received: Data { state.withLock { $0.received } }
  var byteCount: Int { received.count }
  var isComplete: Bool { state.withLock { $0.isComplete } }

  func run(_ request: URLRequest) async -> HTTPURLResponse? {
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    task.resume()
    for await _ in ends {}
    return task.response as? HTTPURLResponse
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.received += data }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock { $0.isComplete = error == nil }
    end.finish()
  }
}
