/// What waits for its deadline on a ``VirtualTimeline``, and how much of that had already begun at a certain moment.
struct Agenda {
  typealias Ticket = DeadlineHeap<Time, Entry>.Ticket

  struct Entry: Sendable {
    enum Action: Sendable {
      case work(@Sendable () -> Void, on: any DeliveryQueue)
      case sleeper(CheckedContinuation<Void, any Error>)
    }

    let action: Action
    /// Of the course that it is a step of, or its own.
    fileprivate let number: UInt64
    fileprivate let isStep: Bool
  }

  private var heap = DeadlineHeap<Time, Entry>()
  /// How much has ever begun: entries that stand alone, and courses. Each has the number that it began with.
  private(set) var beginningCount: UInt64 = 0
  private var tracked = Tracked(upTo: 0, stepsOnly: true)
  /// How many entries wait of what is tracked.
  private(set) var trackedCount = 0

  private struct Tracked {
    let upTo: UInt64
    let stepsOnly: Bool

    func contains(_ entry: Entry) -> Bool { entry.number <= upTo && (entry.isStep || !stepsOnly) }
  }

  var count: Int { heap.count }
  var isEmpty: Bool { heap.isEmpty }
  var firstDeadline: Time? { heap.firstDeadline }
  var firstTicket: Ticket? { heap.firstTicket }
  var first: Entry? { heap.first }

  mutating func makeTicket() -> Ticket { heap.makeTicket() }

  mutating func makeCourse() -> Course {
    beginningCount += 1
    return Course(number: beginningCount)
  }

  mutating func insert(_ action: Entry.Action, at deadline: Time, _ ticket: Ticket, of course: Course? = nil) {
    if course == nil { beginningCount += 1 }
    let entry = Entry(action: action, number: course?.number ?? beginningCount, isStep: course != nil)
    if tracked.contains(entry) { trackedCount += 1 }
    heap.insert(entry, at: deadline, ticket)
  }

  mutating func remove(_ ticket: Ticket) -> Entry? {
    let entry = heap.remove(ticket)
    if let entry, tracked.contains(entry) { trackedCount -= 1 }
    return entry
  }

  /// All that have the earliest deadline of all, in their order.
  mutating func removeEarliest() -> [Entry] {
    let entries = heap.removeEarliest()
    for entry in entries where tracked.contains(entry) { trackedCount -= 1 }
    return entries
  }

  /// Tracks what has begun until now, courses to their ends.
  mutating func track(coursesOnly: Bool) {
    let tracked = Tracked(upTo: beginningCount, stepsOnly: coursesOnly)
    self.tracked = tracked
    trackedCount = heap.waiting.count { tracked.contains($0) }
  }
}

/// Steps that are scheduled one after another, and come to an end: those of a delivery's plan. A clock that is to move to the
/// end knows that nothing new begins with the next of them.
struct Course: Sendable {
  fileprivate let number: UInt64
}
