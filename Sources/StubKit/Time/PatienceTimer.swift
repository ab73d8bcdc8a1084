/// The end of somebody's patience.
///
/// The time is taken in slices. A process that is stopped, at a breakpoint for example, spends one slice at the most.
final class PatienceTimer: DeliveryTimer, Sendable {
  private static let slice = Time.milliseconds(200)

  private let state = Protected(State())

  private struct State {
    var timer: (any DeliveryTimer)?
    var isCancelled = false
  }

  /// - Parameter work: Short work, which runs on a queue of the timer table unless the timer is cancelled before.
  init(_ patience: Time, _ work: @escaping @Sendable () -> Void) { wait(patience, work) }

  func cancel() {
    let timer = state.withLock { state in
      state.isCancelled = true
      return state.timer
    }
    timer?.cancel()
  }

  private func wait(_ rest: Time, _ work: @escaping @Sendable () -> Void) {
    let timer = TimerTable.shared.schedule(at: .now() + min(rest, Self.slice)) { [self] in
      guard !state.withLock(\.isCancelled) else { return }
      if rest > Self.slice { wait(rest - Self.slice, work) } else { work() }
    }
    state.withLock { $0.timer = timer }
  }
}
