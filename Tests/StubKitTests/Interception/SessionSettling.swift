import Foundation
import TestSupport
import Testing

@testable import StubKit

extension URLSession {
  /// Returns when what was under way on the session's queues is done.
  func settle() async throws {
    let isSettled = Latch()
    onWorkQueue { [delegateQueue] in delegateQueue.addOperation { isSettled.open() } }
    try await until("the session's queues are done") { isSettled.isOpen }
  }

  #if os(Linux)
    /// The system's own `getAllTasks` comes this way too, but then looks into the session's tasks from another queue
    /// than the one that changes them, and may crash.
    private func onWorkQueue(_ work: @escaping @Sendable () -> Void) {
      guard let queue = try? StoredField<DispatchQueue>(.workQueue, of: URLSession.self) else { return work() }
      queue.load(from: self).async(execute: work)
    }
  #else
    private func onWorkQueue(_ work: @escaping @Sendable () -> Void) { getAllTasks { _ in work() } }
  #endif
}
