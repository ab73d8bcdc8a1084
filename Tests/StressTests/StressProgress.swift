import Dispatch
import Foundation
import TestSupport

/// Counts what a stress run has done, and ends the process when nothing has been done for a minute: a hang must fail the
/// run instead of holding it up.
final class StressProgress: @unchecked Sendable {
  // @unchecked holds because the timer is set up before it is activated, and cancelling it is thread-safe.
  private struct State {
    var completed = 0
    var disturbed = 0
    var faults: [String] = []
    var watched = -1
    var pending: [Int: Exchange] = [:]
  }
  private let state = Locked(State())
  private let total: Int
  private let timer: any DispatchSourceTimer

  init(total: Int) {
    self.total = total
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "stress.watch"))
  }

  var completed: Int { state.withLock { $0.completed } }
  var faults: [String] { state.withLock { $0.faults } }
  var summary: String { state.withLock { "\($0.completed) of \(total) requests completed, \($0.disturbed) disturbed" } }

  func begin(_ exchange: Exchange, worker: Int) { state.withLock { $0.pending[worker] = exchange } }

  func complete(_ exchange: Exchange, worker: Int, fault: String?) {
    state.withLock {
      $0.pending[worker] = nil
      $0.completed += 1
      if case .none = exchange.disturbance {} else { $0.disturbed += 1 }
      if let fault { $0.faults.append(fault) }
    }
  }

  func report(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  func watch() {
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      let isStuck = state.withLock { state in
        defer { state.watched = state.completed }
        return state.watched == state.completed
      }
      guard isStuck else { return }
      let pending = state.withLock { $0.pending.map { "worker \($0): \($1)" } }
      fatalError("stress: nothing completed for a minute; \(summary); waiting: \(pending)")
    }
    timer.schedule(deadline: .now() + 60, repeating: 60)
    timer.activate()
  }

  func stopWatching() { timer.cancel() }
}
