/// The entries that wait for their deadlines on a ``VirtualTimeline``, and the number of those that had begun at a
/// certain moment.
struct Agenda {
  typealias Ticket = DeadlineHeap<Time, Entry>.Ticket

  struct Entry: Sendable {
    enum Action: Sendable {
      case work(@Sendable () -> Void, on: any DeliveryQueue)
      /// Is resumed with `true` when the deadline has come.
      case sleeper(CheckedContinuation<Bool, any Error>)
    }

    let action: Action
    /// The number of the sequence that the entry is a step of, or its own number.
    fileprivate let number: UInt64
    fileprivate let isStep: Bool
  }

  private var heap = DeadlineHeap<Time, Entry>()
  /// The number of entries and courses that have ever begun. Each has the number that it began with.
  private(set) var beginningCount: UInt64 = 0
  private var tracked = Tracked(upTo: 0, stepsOnly: true)
  /// The number of tracked entries that wait.
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
  var sleeperCount: Int { heap.waiting.count { if case .sleeper = $0.action { true } else { false } } }

  mutating func makeTicket() -> Ticket { heap.makeTicket() }

  mutating func makeStepSequence() -> StepSequence {
    beginningCount += 1
    return StepSequence(number: beginningCount)
  }

  mutating func insert(_ action: Entry.Action, at deadline: Time, _ ticket: Ticket, in sequence: StepSequence? = nil) {
    if sequence == nil { beginningCount += 1 }
    let entry = Entry(action: action, number: sequence?.number ?? beginningCount, isStep: sequence != nil)
    if tracked.contains(entry) { trackedCount += 1 }
    heap.insert(entry, at: deadline, ticket)
  }

  mutating func remove(_ ticket: Ticket) -> Entry? {
    let entry = heap.remove(ticket)
    if let entry, tracked.contains(entry) { trackedCount -= 1 }
    return entry
  }

  /// Removes and returns all entries with the earliest deadline, in order.
  mutating func removeEarliest() -> [Entry] {
    let entries = heap.removeEarliest()
    for entry in entries where tracked.contains(entry) { trackedCount -= 1 }
    return entries
  }

  /// Tracks what has begun until now. Sequences are tracked to their ends.
  mutating func track(stepsOnly: Bool) {
    let tracked = Tracked(upTo: beginningCount, stepsOnly: stepsOnly)
    self.tracked = tracked
    trackedCount = heap.waiting.count { tracked.contains($0) }
  }
}

/// Steps that are scheduled one after another and come to an end, such as those of a delivery's plan. A clock that
/// moves to the end knows that the next of them begins nothing new.
struct StepSequence: Sendable {
  fileprivate let number: UInt64
}
