import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's delegate that knows what a progress bar shows.
final class Download: NSObject, URLSessionDataDelegate {
  private let state = Locked((byteCount: 0, isComplete: false))
  var byteCount: Int { state.withLock { $0.byteCount } }
  var isComplete: Bool { state.withLock { $0.isComplete } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.byteCount += data.count }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    state.withLock { $0.isComplete = error == nil }
  }
}
