import Dispatch

/// The queue of a load, the only place where its client may be called. It runs one piece of work at a time.
package protocol DeliveryQueue: Sendable {
  func perform(_ work: @escaping @Sendable () -> Void)

  /// Performs work, and may block the calling thread meanwhile. If the queue is free, the work runs on this thread, and
  /// no other thread is woken. Only a thread for which no work of this queue waits may call it.
  func performHere(_ work: @escaping @Sendable () -> Void)

  /// Runs work that URLSession calls for: at once on this queue, or else in its turn.
  func enter(_ work: @escaping @Sendable () -> Void)
}

extension DeliveryQueue {
  package func performHere(_ work: @escaping @Sendable () -> Void) { perform(work) }
  package func enter(_ work: @escaping @Sendable () -> Void) { perform(work) }
}

extension DispatchQueue: DeliveryQueue {
  package func perform(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  package func performHere(_ work: @escaping @Sendable () -> Void) { sync(execute: work) }
}

/// The queue of a load, with the time of its registry.
struct TimelineQueue: Sendable {
  let queue: any DeliveryQueue
  let timeline: any Timeline

  var now: Duration { timeline.now }

  func perform(_ work: @escaping @Sendable () -> Void) { queue.perform(counted(work)) }

  func performHere(_ work: @escaping @Sendable () -> Void) {
    if timeline.isWatched { perform(work) } else { queue.performHere(work) }
  }

  func enter(_ work: @escaping @Sendable () -> Void) { queue.enter(counted(work)) }

  /// Returns work that has begun for the timeline, and ends after it has run.
  private func counted(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard timeline.isWatched else { return work }
    let begun = timeline.begin()
    return { [timeline] in
      work()
      timeline.end(begun)
    }
  }

  /// Runs work after a deadline, never before it.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> DeliveryTimer {
    timeline.schedule(at: deadline, on: queue, work)
  }

  /// Creates something away from the queue, because that takes time, and continues with it on the queue.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then completion: @escaping @Sendable (Thing) -> Void
  ) {
    let begun = timeline.begin()
    WorkerPool.background.run { [self] in
      let thing = make()
      perform { completion(thing) }
      timeline.end(begun)
    }
  }
}

/// A scheduled piece of work that can be cancelled.
struct DeliveryTimer: Sendable {
  /// Releases the work at once. Work that already waits on the queue can still run.
  let cancel: @Sendable () -> Void
}

/// Values that wait for their deadlines, earliest first. Values with the same deadline keep the order of their tickets.
///
/// Few wait at a time, and most of the later ones are timeouts, which are inserted and cancelled at the end of the array.
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

  @discardableResult
  mutating func insert(_ value: Value, at deadline: Duration) -> Ticket {
    let ticket = makeTicket(for: deadline)
    insert(value, ticket)
    return ticket
  }

  mutating func insert(_ value: Value, _ ticket: Ticket) {
    entries.insert((ticket, value), at: index(of: ticket))
  }

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

/// A length of time, or a moment as the length of time since the zero of a clock.
///
/// Sums of `Duration` trap outside of its range. All code that schedules, measures or adds durations of a user clamps them
/// first. Fifty billion of the longest ones are still in the range.
extension Duration {
  /// The end of time on a clock, about 292 billion years.
  static let endOfTime = Duration.seconds(Int64.max)

  /// The duration, at most a hundred years in either direction.
  package var clamped: Duration { clamped(to: .seconds(Self.longestInSeconds)) }

  func clamped(to longest: Duration) -> Duration { min(max(self, .zero - longest), longest) }

  private static let longestInSeconds = 100 * 31_557_600.0

  /// Creates the time for a number of bytes at a bandwidth, at most a hundred years.
  init(of byteCount: Int, at bytesPerSecond: Double) {
    self = .seconds(min(Double(byteCount) / bytesPerSecond, Self.longestInSeconds))
  }

  /// The next whole nanosecond.
  var roundedUp: Duration {
    let part = attosecondsBeyondNanosecond
    return part > 0 ? self + Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000 - part) : self
  }

  /// The previous whole nanosecond.
  var roundedDown: Duration {
    self - Duration(secondsComponent: 0, attosecondsComponent: attosecondsBeyondNanosecond)
  }

  /// The rest beyond a nanosecond, which is not negative, even for a negative time.
  private var attosecondsBeyondNanosecond: Int64 {
    let part = components.attoseconds % 1_000_000_000
    return part < 0 ? part + 1_000_000_000 : part
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
