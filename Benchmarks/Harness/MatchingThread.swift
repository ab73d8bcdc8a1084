import Foundation
import StubKit

/// A thread that matches a request again and again until it is stopped.
final class MatchingThread: @unchecked Sendable {
  // @unchecked holds because the flag is touched under its lock only.
  private let lock = NSLock()
  private var isStopped = false
  private let started = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ registry: StubRegistry, _ request: URLRequest) {
    Thread.detachNewThread { [self] in
      _ = registry.stub(matching: request)
      started.signal()
      while !lock.withLock({ isStopped }) { _ = registry.stub(matching: request) }
      ended.signal()
    }
    started.wait()
  }

  func stop() {
    lock.withLock { isStopped = true }
    ended.wait()
  }
}
