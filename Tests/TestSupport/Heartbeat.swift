import Foundation

/// Measures how late the machine is while something runs, to tell a slow machine from a slow library.
package final class Heartbeat: Sendable {
  private let state = Locked((worst: Duration.zero, isOver: false))

  package init() {
    Thread.detachNewThread { [state] in
      var last = ContinuousClock.now
      while !state.withLock({ $0.isOver }) {
        Thread.sleep(forTimeInterval: 0.02)
        let now = ContinuousClock.now
        state.withLock { $0.worst = max($0.worst, now - last - .milliseconds(20)) }
        last = now
      }
    }
  }

  /// Ends the measurement. Returns how late the latest beat was.
  package func stop() -> Duration {
    state.withLock { state in
      state.isOver = true
      return state.worst
    }
  }
}
