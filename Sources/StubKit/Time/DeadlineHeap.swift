/// Values that wait for their deadlines, earliest first. Values with the same deadline keep the order in which they
/// were inserted.
///
/// Inserting a value and removing the first one take logarithmic time. Cancelling a value takes almost none: only its
/// deadline stays, and the heap removes such deadlines when they are more than half.
struct DeadlineHeap<Deadline: Comparable, Value> {
  typealias Ticket = UInt64

  private struct Node {
    let deadline: Deadline
    let ticket: Ticket

    static func < (left: Node, right: Node) -> Bool {
      left.deadline == right.deadline ? left.ticket < right.ticket : left.deadline < right.deadline
    }
  }

  /// A binary heap. Its first node is always in `values`. Some of the others may have been cancelled.
  private var nodes: [Node] = []
  private var values: [Ticket: Value] = [:]
  private var lastTicket: Ticket = 0

  var count: Int { values.count }
  var isEmpty: Bool { values.isEmpty }
  var firstDeadline: Deadline? { nodes.first?.deadline }
  var firstTicket: Ticket? { nodes.first?.ticket }
  var first: Value? { firstTicket.flatMap { values[$0] } }
  /// The values, in no order.
  var waiting: some Sequence<Value> { values.values }

  /// Returns a ticket for a value that is inserted later. Values with the same deadline go in the order of their
  /// tickets.
  mutating func makeTicket() -> Ticket {
    lastTicket += 1
    return lastTicket
  }

  @discardableResult
  mutating func insert(_ value: Value, at deadline: Deadline) -> Ticket {
    let ticket = makeTicket()
    insert(value, at: deadline, ticket)
    return ticket
  }

  mutating func insert(_ value: Value, at deadline: Deadline, _ ticket: Ticket) {
    values[ticket] = value
    nodes.append(Node(deadline: deadline, ticket: ticket))
    siftUp(from: nodes.count - 1)
  }

  /// Returns `nil` for a value that has been removed already.
  mutating func remove(_ ticket: Ticket) -> Value? {
    guard let value = values.removeValue(forKey: ticket) else { return nil }
    // A few cancelled deadlines aren't worth the sweep.
    if nodes.count > 2 * values.count + 16 { sweep() }
    dropCalledOff()
    return value
  }

  mutating func removeFirst() -> Value? {
    guard let first = nodes.first else { return nil }
    dropFirst()
    let value = values.removeValue(forKey: first.ticket)
    dropCalledOff()
    return value
  }

  /// Removes and returns all values with the earliest deadline, in order.
  mutating func removeEarliest() -> [Value] {
    guard let deadline = firstDeadline else { return [] }
    var earliest: [Value] = []
    while firstDeadline == deadline, let value = removeFirst() { earliest.append(value) }
    return earliest
  }

  private mutating func dropCalledOff() {
    while let first = nodes.first, values[first.ticket] == nil { dropFirst() }
  }

  private mutating func dropFirst() {
    guard let last = nodes.popLast(), !nodes.isEmpty else { return }
    nodes[0] = last
    siftDown(from: 0)
  }

  private mutating func sweep() {
    nodes.removeAll { values[$0.ticket] == nil }
    for index in stride(from: nodes.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard nodes[index] < nodes[parent] else { return }
      nodes.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in (2 * index + 1)..<(2 * index + 3) where child < nodes.count && nodes[child] < nodes[smallest] {
        smallest = child
      }
      guard smallest != index else { return }
      nodes.swapAt(index, smallest)
      index = smallest
    }
  }
}
