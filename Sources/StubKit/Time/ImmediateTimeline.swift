import Dispatch

/// Runs scheduled work one piece after the other, the earliest deadline first. Time jumps to each deadline.
///
/// The next deadline is chosen on the queue of the earliest work, so that what is ahead of it there can still schedule
/// something earlier.
final class ImmediateTimeline: Timeline {
  private let state = Protected(State())

  private typealias Ticket = Deadlines<Entry>.Ticket

  private struct State {
    var now = Duration.zero
    var waiting = Deadlines<Entry>()
    /// The entry that is next or running.
    var current: Ticket?
  }

  private struct Entry {
    let queue: any DeliveryQueue
    let work: Work
  }

  var now: Duration { state.withLock { $0.now } }
  var timesOutWaits: Bool { false }

  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping Work
  ) -> DeliveryTimer {
    let ticket = state.withLock { $0.waiting.insert(Entry(queue: queue, work: work), at: deadline.roundedUp) }
    advance()
    return DeliveryTimer { self.cancel(ticket) }
  }

  private func cancel(_ ticket: Ticket) {
    state.discard { state in
      let entry = state.waiting.remove(ticket)
      // Its queue may never get there, because code that leaves a queue cancels the work that is still to come. One
      // that is running no longer waits.
      if entry != nil, state.current == ticket { state.current = nil }
      return entry
    }
    advance()
  }

  /// Goes to the earliest entry, unless one is next or running.
  private func advance() {
    let next: (ticket: Ticket, queue: any DeliveryQueue)? = state.withLock { state in
      guard state.current == nil, let (ticket, entry) = state.waiting.first else { return nil }
      state.current = ticket
      return (ticket, entry.queue)
    }
    guard let next else { return }
    next.queue.perform { self.arrived(for: next.ticket) }
  }

  private func arrived(for ticket: Ticket) {
    let entry: Entry? = state.withLock { state in
      // The entry was cancelled on the way, and another one is on its own way.
      guard state.current == ticket else { return nil }
      guard state.waiting.first?.ticket == ticket else {
        state.current = nil
        return nil
      }
      state.now = max(state.now, ticket.deadline)
      return state.waiting.remove(ticket)
    }
    if let entry {
      entry.work()
      state.withLock { $0.current = nil }
    }
    advance()
  }
}
