import Dispatch

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
