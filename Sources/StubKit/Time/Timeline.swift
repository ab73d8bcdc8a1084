import Dispatch

/// How time passes for the loads of a registry. It is the inside of a ``StubClock``.
///
/// Work that takes no time on the timeline, but doesn't happen at once either, has a number: call ``begin()`` before it
/// and ``end(_:)`` after it. A timeline that a test moves doesn't move before everything that has begun has ended.
protocol Timeline: AnyObject, Sendable {
  var now: Duration { get }

  /// Runs work on a queue after a deadline, never before it. Work that is due at the same moment runs in the order in
  /// which it was scheduled.
  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping @Sendable () -> Void
  ) -> DeliveryTimer

  /// A Boolean value that indicates whether a clock waits until what has begun has ended.
  var isWatched: Bool { get }

  /// A Boolean value that indicates whether a request times out while it waits for a gate, a stream or a closure,
  /// which have no time of their own.
  var timesOutWaits: Bool { get }

  func begin() -> UInt64
  func end(_ work: UInt64)

  /// Notes that the code of the caller uses the timeline.
  func noteUser()

  /// Runs the closure of a stub. Time doesn't move until it returns, except while it waits for the timeline.
  func answer<Response>(by stub: StubReference, _ closure: () async throws -> Response) async rethrows -> Response

  /// Returns a wait for the timeline that begins now, if a closure of one of its stubs is the caller.
  func beginWait() -> ClosureWait?

  /// The executor of the user's closures and streams, which tells when they have come to rest, or `nil` if they run
  /// elsewhere.
  var executor: (any Executor)? { get }
}

extension Timeline {
  var isWatched: Bool { false }
  var timesOutWaits: Bool { true }
  func begin() -> UInt64 { 0 }
  func end(_ work: UInt64) {}
  var executor: (any Executor)? { nil }
  func noteUser() {}

  func answer<Response>(by stub: StubReference, _ closure: () async throws -> Response) async rethrows -> Response {
    try await closure()
  }

  func beginWait() -> ClosureWait? { nil }
}

/// The system's time, with one timer for all deadlines. Dispatch takes 16 µs to set up a timer and to cancel it, a third of
/// a whole request that waits for a closure.
final class RealTimeline: Timeline, @unchecked Sendable {
  // Safe because the source can be called from any thread, and the rest is behind a lock.
  static let shared = RealTimeline()

  private let source: any DispatchSourceTimer
  private let state = Protected(State())

  private struct Entry {
    let queue: any DeliveryQueue
    /// The queue releases what the work holds, which belongs to the user and can take its time.
    let work: OneTime<Void>
  }

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
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping @Sendable () -> Void
  ) -> DeliveryTimer {
    let ticket = state.withLock { state in
      arm(&state, for: deadline)
      return state.waiting.insert(Entry(queue: queue, work: OneTime(work)), at: deadline)
    }
    return DeliveryTimer { [self] in
      // The values that the work holds belong to the user, and can do anything when they are released.
      let entry = state.withLock { $0.waiting.remove(ticket) }
      _ = consume entry
    }
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
    let work: @Sendable () -> Void
  }

  var now: Duration { state.withLock { $0.now } }
  var timesOutWaits: Bool { false }

  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping @Sendable () -> Void
  ) -> DeliveryTimer {
    let ticket = state.withLock { $0.waiting.insert(Entry(queue: queue, work: work), at: deadline.roundedUp) }
    advance()
    return DeliveryTimer { self.cancel(ticket) }
  }

  private func cancel(_ ticket: Ticket) {
    let entry = state.withLock { state in
      let entry = state.waiting.remove(ticket)
      // Its queue may never get there, because code that leaves a queue cancels the work that is still to come. One that
      // is running no longer waits.
      if entry != nil, state.current == ticket { state.current = nil }
      return entry
    }
    _ = consume entry
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
