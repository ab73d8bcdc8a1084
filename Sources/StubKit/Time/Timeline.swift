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
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping Work
  ) -> DeliveryTimer

  /// A Boolean value that indicates whether a clock waits until what has begun has ended.
  var isWatched: Bool { get }

  /// A Boolean value that indicates whether a request times out while it waits for a gate, a stream or a closure,
  /// which have no time of their own.
  var timesOutWaits: Bool { get }

  func begin() -> UInt64
  func end(_ work: UInt64)

  /// Runs the closure of a stub, or of the policy for unmatched requests. Time doesn't move until it returns, except
  /// while it waits for the timeline.
  func answer<Response>(by stub: StubReference?, _ closure: () async throws -> Response) async rethrows -> Response

  /// Notes that the code of the caller uses the timeline. If a closure of one of its stubs is the caller, it begins to
  /// wait for the timeline: by a sleep, by a request, or for the end of a move. Returns what ends that wait.
  func beginWait() -> OneTime<Void>?

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

  func answer<Response>(by stub: StubReference?, _ closure: () async throws -> Response) async rethrows -> Response {
    try await closure()
  }

  func beginWait() -> OneTime<Void>? { nil }

  /// Returns work that has begun for the timeline, and ends after it has run.
  func counted(_ work: @escaping Work) -> Work {
    guard isWatched else { return work }
    let begun = begin()
    return { [self] in
      work()
      end(begun)
    }
  }
}

/// A scheduled piece of work that can be cancelled.
struct DeliveryTimer {
  /// Releases the work at once. Work that already waits on the queue can still run.
  let cancel: Work
}

/// The queue of a load, the only place where its client may be called. It runs one piece of work at a time.
package protocol DeliveryQueue: Sendable {
  func perform(_ work: @escaping Work)

  /// Performs work, and may block the calling thread meanwhile. If the queue is free, the work runs on this thread, and
  /// no other thread is woken. Only a thread for which no work of this queue waits may call it.
  func performHere(_ work: @escaping Work)
}

extension DeliveryQueue {
  package func performHere(_ work: @escaping Work) { perform(work) }
}

extension DispatchQueue: DeliveryQueue {
  package func perform(_ work: @escaping Work) { async(execute: work) }

  package func performHere(_ work: @escaping Work) { sync(execute: work) }
}

/// The queue of a load, with the time of its registry.
struct TimelineQueue {
  let queue: any DeliveryQueue
  let timeline: any Timeline

  var now: Duration { timeline.now }

  func perform(_ work: @escaping Work) { queue.perform(timeline.counted(work)) }

  func performHere(_ work: @escaping Work) {
    if timeline.isWatched { perform(work) } else { queue.performHere(work) }
  }

  /// Runs work after a deadline, never before it.
  func schedule(at deadline: Duration, _ work: @escaping Work) -> DeliveryTimer {
    timeline.schedule(at: deadline, on: queue, work)
  }

  /// Creates something away from the queue, because that takes time, and continues with it on the queue.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then completion: @escaping @Sendable (Thing) -> Void
  ) {
    let work = timeline.counted { [self] in
      let thing = make()
      perform { completion(thing) }
    }
    WorkerPool.background.run(work)
  }
}

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

/// A length of time, or a moment as the length of time since the zero of a clock.
///
/// Sums of `Duration` trap outside of its range. All code that schedules, measures or adds durations of a user clamps
/// them first. Fifty billion of the longest ones are still in the range.
extension Duration {
  /// The end of time on a clock, about 292 billion years.
  static let endOfTime = Duration.seconds(Int64.max)

  /// The duration, at most a hundred years in either direction.
  package var clamped: Duration { clamped(to: .seconds(Self.longestInSeconds)) }

  /// The duration, at least zero, and at most a hundred years.
  package var nonNegative: Duration { max(.zero, clamped) }
  func clamped(to longest: Duration) -> Duration { min(max(self, .zero - longest), longest) }

  private static let longestInSeconds = 100 * 31_557_600.0

  /// Creates the time for a number of bytes at a bandwidth, at most a hundred years. Without a limit, it is zero.
  init(of byteCount: Int, at bytesPerSecond: Double?) {
    self = bytesPerSecond.map { .seconds(min(Double(byteCount) / $0, Self.longestInSeconds)) } ?? .zero
  }

  /// The next whole nanosecond.
  var roundedUp: Duration { .zero - (Duration.zero - self).roundedDown }

  /// The previous whole nanosecond.
  var roundedDown: Duration {
    let part = components.attoseconds % 1_000_000_000
    // The rest of a negative time is negative.
    return self - Duration(secondsComponent: 0, attosecondsComponent: part < 0 ? part + 1_000_000_000 : part)
  }

  /// The system's time, which passes by itself.
  static func now() -> Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  /// The moment of the system's time at which Dispatch runs what waits for this one, never before it.
  var dispatchTime: DispatchTime {
    // Dispatch takes greater numbers for times of another clock. No process lives for 146 years.
    guard self < .nanoseconds(Int64.max / 2) else { return .distantFuture }
    let (seconds, attoseconds) = max(self, .nanoseconds(1)).roundedUp.components
    return DispatchTime(uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
  }
}

/// Values that wait for their deadlines, earliest first. Values with the same deadline keep the order of their tickets.
///
/// Few wait at a time, and most of the later ones are timeouts, which are inserted and cancelled at the end of the
/// array.
struct Deadlines<Value> {
  struct Ticket: Hashable, Comparable {
    let deadline: Duration
    fileprivate let number: UInt64

    static func < (left: Ticket, right: Ticket) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  private var entries: [(ticket: Ticket, value: Value)] = []
  private var lastNumber: UInt64 = 0

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var first: (ticket: Ticket, value: Value)? { entries.first }
  var values: some Sequence<Value> { entries.lazy.map(\.value) }

  /// Returns a ticket for a value that is inserted later.
  mutating func makeTicket(for deadline: Duration) -> Ticket {
    lastNumber += 1
    return Ticket(deadline: deadline, number: lastNumber)
  }

  mutating func insert(_ value: Value, at deadline: Duration) -> Ticket {
    let ticket = makeTicket(for: deadline)
    insert(value, ticket)
    return ticket
  }

  mutating func insert(_ value: Value, _ ticket: Ticket) { entries.insert((ticket, value), at: index(of: ticket)) }

  /// Returns `nil` for a value that has been removed already.
  mutating func remove(_ ticket: Ticket) -> Value? {
    let index = index(of: ticket)
    guard index < entries.count, entries[index].ticket == ticket else { return nil }
    return entries.remove(at: index).value
  }

  /// Removes and returns the values that are due at a moment, in order.
  mutating func removeAll(dueAt moment: Duration) -> [Value] {
    let due = entries.prefix { $0.ticket.deadline <= moment }.map(\.value)
    entries.removeFirst(due.count)
    return due
  }

  /// Returns the position of the first entry whose ticket isn't before this one.
  private func index(of ticket: Ticket) -> Int {
    var range = entries.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = entries[middle].ticket < ticket ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
