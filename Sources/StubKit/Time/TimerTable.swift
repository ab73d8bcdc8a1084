import Dispatch

/// Many timers on one of the system's timers, for what is nearly always cancelled. Dispatch wakes a thread to set up a
/// timer and again to cancel it, which takes 16 µs, a third of a whole request that waits for a closure. Here both take
/// a lock. The timers are never early, and a little late.
final class TimerTable: @unchecked Sendable {
  // Safe because the source is set once and can be called from any thread, and the rest is behind a lock.
  static let shared = TimerTable()

  private let queue = DispatchQueue(label: "StubKit.timers")
  private let source: any DispatchSourceTimer
  private let state = Protected(State())

  private struct State {
    var waiting = Deadlines<@Sendable () -> Void>()
    /// The time when the system's timer fires, which is not later than the first deadline.
    var armed: Duration?
  }

  private struct Timer: DeliveryTimer {
    let ticket: Deadlines<@Sendable () -> Void>.Ticket
    let table: TimerTable

    func cancel() {
      // The values that the work holds belong to the user, and can do anything when they are released.
      let work = table.state.withLock { $0.waiting.remove(ticket) }
      _ = consume work
    }
  }

  init() {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { [weak self] in self?.runWhatIsDue() }
    source.activate()
  }

  deinit { source.cancel() }

  var count: Int { state.withLock { $0.waiting.count } }

  /// - Parameter work: Short work, which runs on a queue of the table.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    let ticket = state.withLock { state in
      arm(&state, for: deadline)
      return state.waiting.insert(work, at: deadline)
    }
    return Timer(ticket: ticket, table: self)
  }

  private func runWhatIsDue() {
    let now = Duration.now()
    let due = state.withLock { state in
      let due = state.waiting.removeAll(dueAt: now)
      state.armed = nil
      if let next = state.waiting.first { arm(&state, for: next.ticket.deadline) }
      return due
    }
    for work in due { work() }
  }

  private func arm(_ state: inout State, for deadline: Duration) {
    if let armed = state.armed, armed <= deadline { return }
    state.armed = deadline
    source.schedule(deadline: deadline.dispatchTime, leeway: .milliseconds(1))
  }
}
