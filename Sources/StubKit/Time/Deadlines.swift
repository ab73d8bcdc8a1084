import Dispatch

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
