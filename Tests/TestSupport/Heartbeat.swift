import Foundation

/// Measures how late the machine is while something runs, to tell a slow machine from a slow library.
package final class Heartbeat: Sendable {
  private let state = Locked(State())

  private struct State {
    var worst = Duration.zero
    var last = ContinuousClock.now
    var isOver = false

    mutating func beat() {
      let now = ContinuousClock.now
      worst = max(worst, now - last - .milliseconds(20))
      last = now
    }
  }

  package init() {
    Thread.detachNewThread { [state] in
      while !state.withLock({ $0.isOver }) {
        Thread.sleep(forTimeInterval: 0.02)
        state.withLock { $0.beat() }
      }
    }
  }

  /// Runs work that measures time, and again, up to a few times, if the machine was late meanwhile.
  package static func steadily<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
    for _ in 0..<4 {
      let heartbeat = Heartbeat()
      let result = try await work()
      if heartbeat.stop() < .milliseconds(300) * Slowdown.factor { return result }
    }
    return try await work()
  }

  /// Ends the measurement. Returns how late the latest beat was, or is.
  package func stop() -> Duration {
    state.withLock { state in
      state.beat()
      state.isOver = true
      return state.worst
    }
  }
}
