import Dispatch

/// The system's time, with one timer for all deadlines. Dispatch takes 16 µs to set up a timer and to cancel it, a
/// third of a whole request that waits for a closure.
final class RealTimeline: Timeline, @unchecked Sendable {
  // Safe because the source can be called from any thread, and the rest is behind a lock.
  static let shared = RealTimeline()

  private let source: any DispatchSourceTimer
  private let state = Protected(State())

  /// The queue releases what the work has, which belongs to the user and can take its time.
  private typealias Entry = (queue: any DeliveryQueue, work: OneTime<Void>)

  private struct State {
    var waiting = Deadlines<Entry>()
    /// The time when the system's timer fires, which is not later than the first deadline.
    var armed: Duration?
  }

  init() {
    let queue = DispatchQueue(label: "StubKit.timers", qos: .userInitiated)
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler { [weak self] in self?.runWhatIsDue() }
    source.activate()
  }

  deinit { source.cancel() }

  var now: Duration { .now() }
  var count: Int { state.withLock { $0.waiting.count } }

  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping Work
  ) -> DeliveryTimer {
    let ticket = state.withLock { state in
      arm(&state, for: deadline)
      return state.waiting.insert((queue, OneTime(work)), at: deadline)
    }
    return DeliveryTimer { [self] in state.discard { $0.waiting.remove(ticket) } }
  }

  private func runWhatIsDue() {
    let now = now
    let due = state.withLock { state in
      let due = state.waiting.removeAll(dueAt: now)
      state.armed = nil
      if let next = state.waiting.first { arm(&state, for: next.ticket.deadline) }
      return due
    }
    for entry in due { entry.queue.perform { [work = entry.work] in work(()) } }
  }

  private func arm(_ state: inout State, for deadline: Duration) {
    if let armed = state.armed, armed <= deadline { return }
    state.armed = deadline
    source.schedule(deadline: deadline.dispatchTime, leeway: .nanoseconds(0))
  }
}
