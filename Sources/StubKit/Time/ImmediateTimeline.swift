/// Runs what is scheduled one after the other, the earliest deadline first, and lets time jump to each.
///
/// It always goes to the queue of the earliest first, and decides there: what has come on the way, and is earlier, goes first
/// after all.
final class ImmediateTimeline: Timeline {
  private let state = Protected(State())

  private struct State {
    var now = Time.zero
    var waiting = DeadlineHeap<Time, Entry>()
    /// The entry that is being gone to, or is running.
    var current: UInt64?
    /// Whether that one is running, and so is no longer among those that wait.
    var isRunning = false
  }

  private struct Entry {
    let queue: any DeliveryQueue
    let work: @Sendable () -> Void
  }

  private struct Timer: DeliveryTimer {
    let ticket: UInt64
    let timeline: ImmediateTimeline

    func cancel() { timeline.cancel(ticket) }
  }

  var now: Time { state.withLock { $0.now } }
  var isWatched: Bool { false }
  var timesOutWaits: Bool { false }
  var executor: (any Executor)? { nil }
  func begin() {}
  func end() {}

  func schedule(
    at deadline: Time, on queue: any DeliveryQueue, of course: Course?, _ work: @escaping @Sendable () -> Void
  ) -> any DeliveryTimer {
    let ticket = state.withLock { $0.waiting.insert(Entry(queue: queue, work: work), at: deadline.roundedUp) }
    goOn()
    return Timer(ticket: ticket, timeline: self)
  }

  private func cancel(_ ticket: UInt64) {
    let entry = state.withLock { state in
      // Its queue may never get there: whoever leaves a queue calls off what is still to come.
      if state.current == ticket, !state.isRunning { state.current = nil }
      return state.waiting.remove(ticket)
    }
    _ = consume entry
    goOn()
  }

  /// Goes to the earliest, unless one is being gone to or running.
  private func goOn() {
    let next: (ticket: UInt64, queue: any DeliveryQueue)? = state.withLock { state in
      guard state.current == nil, let ticket = state.waiting.firstTicket, let entry = state.waiting.first else {
        return nil
      }
      state.current = ticket
      return (ticket, entry.queue)
    }
    guard let next else { return }
    next.queue.perform { self.arrived(for: next.ticket) }
  }

  private func arrived(for ticket: UInt64) {
    let entry: Entry? = state.withLock { state in
      // Called off on the way, and another is on its own way.
      guard state.current == ticket else { return nil }
      guard state.waiting.firstTicket == ticket, let deadline = state.waiting.firstDeadline else {
        state.current = nil
        return nil
      }
      state.now = max(state.now, deadline)
      state.isRunning = true
      return state.waiting.removeFirst()
    }
    if let entry {
      entry.work()
      state.withLock {
        $0.current = nil
        $0.isRunning = false
      }
    }
    goOn()
  }
}
