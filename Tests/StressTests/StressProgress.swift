import Foundation
import TestSupport

/// Counts what a stress run has done, and gives it up when nothing has been done for a while: a hang must fail the run
/// instead of holding it up.
final class StressProgress: Sendable {
  private struct State {
    var completed = 0
    var disturbed = 0
    var faults: [String] = []
    var pending: [Int: Pending] = [:]
    var isGivenUp = false
  }
  private struct Pending {
    let exchange: Exchange
    let giveUp: @Sendable () -> Void
  }
  private let state = Locked(State())
  private let total: Int

  init(total: Int) { self.total = total }

  var completed: Int { state.withLock { $0.completed } }
  var faults: [String] { state.withLock { $0.faults } }
  var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
  var summary: String { state.withLock { "\($0.completed) of \(total) requests completed, \($0.disturbed) disturbed" } }

  func begin(_ exchange: Exchange, worker: Int, giveUp: @escaping @Sendable () -> Void) {
    state.withLock { $0.pending[worker] = Pending(exchange: exchange, giveUp: giveUp) }
  }

  func complete(_ exchange: Exchange, worker: Int, fault: String?) {
    state.withLock {
      $0.pending[worker] = nil
      $0.completed += 1
      if case .none = exchange.disturbance {} else { $0.disturbed += 1 }
      if let fault { $0.faults.append(fault) }
    }
  }

  func report(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  /// Watches until its task is cancelled. Gives the run up once nothing was completed during a minute of pauses.
  func watch() async throws {
    while true {
      let before = completed
      guard try await holds(within: .seconds(60), { completed != before }) else { break }
    }
    let pending = state.withLock { state in
      state.isGivenUp = true
      let waiting = state.pending.map { "worker \($0): \($1.exchange)" }
      state.faults.append("nothing completed for a minute; waiting: \(waiting)")
      return state.pending.values
    }
    for pending in pending { pending.giveUp() }
  }
}
