import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests that a registry has seen, oldest first.
///
/// ```swift
/// let posts = StubRegistry.current.journal.requests(matching: isMethodPOST())
/// ```
///
/// Clearing or limiting it never changes a stub's ``Stub/callCount``.
public final class RequestJournal: Sendable {
  private let state = Protected(State())

  fileprivate struct State {
    var limit = 10_000
    var keepsLargeBodies = false
    var records: [Record] = []
    /// The number of the first record that is kept: records are numbered from the first one ever made.
    var firstNumber = 0
    /// What durations are measured on; nil for the system's own time.
    var timeline: (any Timeline)?
  }

  fileprivate struct Record {
    var request: RecordedRequest
    let began: DispatchTime
    let timeline: (any Timeline)?
  }

  /// A request's place in the journal, by which its outcome finds it.
  struct EntryID: Sendable {
    fileprivate let number: Int
  }

  init() {}

  /// How many requests are kept; 10,000 to begin with. Beyond that the oldest are dropped.
  public var limit: Int {
    get { state.withLock { $0.limit } }
    set {
      precondition(newValue >= 0, "A journal's limit is a number of requests; write 0 to keep none.")
      let dropped = state.withLock {
        $0.limit = newValue
        return $0.dropBeyondLimit(slack: 0)
      }
      _ = consume dropped
    }
  }

  /// Whether bodies of more than a megabyte are kept whole; false to begin with, when ``RecordedRequest/largeBody`` is what
  /// is kept of them. It holds for requests that are made from now on.
  ///
  /// ```swift
  /// StubRegistry.current.journal.keepsLargeBodies = true
  /// ```
  public var keepsLargeBodies: Bool {
    get { state.withLock { $0.keepsLargeBodies } }
    set { state.withLock { $0.keepsLargeBodies = newValue } }
  }

  var timeline: (any Timeline)? {
    get { state.withLock { $0.timeline } }
    set { state.withLock { $0.timeline = newValue } }
  }

  /// The requests, oldest first.
  public var entries: [RecordedRequest] {
    state.withLock { $0.records.suffix($0.limit) }.map(\.request)
  }

  /// The requests that meet the condition, oldest first.
  public func requests(matching condition: RequestMatcher) -> [RecordedRequest] {
    entries.filter { condition.matches($0.request) }
  }

  /// The requests that no stub matched, whatever the policy then made of them, oldest first.
  public var unmatched: [RecordedRequest] { entries.filter { $0.stub == nil } }

  /// Forgets all requests. One that is still in progress does not come back.
  public func clear() {
    let dropped = state.withLock { state in
      defer {
        state.firstNumber += state.records.count
        state.records = []
      }
      return state.records
    }
    _ = consume dropped
  }

  func begin(_ request: URLRequest, body: Data?, stub: StubReference?, isInferred: Bool = false) -> EntryID {
    var recorded = RecordedRequest(
      request: request, body: nil, stub: stub, isInferred: isInferred, startedAt: Date(), duration: nil,
      outcome: .inProgress)
    if let body { recorded.take(request, body: body, keepsLargeBodies: keepsLargeBodies) }
    let began = DispatchTime.now()
    let (entry, dropped) = state.withLock {
      let timeline = $0.timeline
      $0.records.append(Record(request: recorded, began: timeline?.now ?? began, timeline: timeline))
      let dropped = $0.dropBeyondLimit(slack: $0.limit / 4)
      return (EntryID(number: $0.firstNumber + $0.records.count - 1), dropped)
    }
    _ = consume dropped
    return entry
  }

  /// Adds what was found out about a request after its entry was made.
  func complete(_ entry: EntryID, _ request: URLRequest, body: Data?) {
    let keepsLargeBodies = keepsLargeBodies
    guard var recorded = state.withLock({ $0[entry]?.request }) else { return }
    let bare = recorded
    recorded.take(request, body: body, keepsLargeBodies: keepsLargeBodies)
    state.withLock { state in
      // Its outcome may have come meanwhile.
      guard let current = state[entry]?.request else { return }
      (recorded.duration, recorded.outcome) = (current.duration, current.outcome)
      state[entry]?.request = recorded
    }
    // Let go outside the lock: its stream may be the user's own.
    _ = consume bare
  }

  func end(_ entry: EntryID, _ outcome: RecordedRequest.Outcome) {
    let now = DispatchTime.now()
    state.withLock {
      let position = entry.number - $0.firstNumber
      guard $0.records.indices.contains(position), $0.records[position].request.outcome == .inProgress else { return }
      $0.records[position].request.outcome = outcome
      let (began, timeline) = ($0.records[position].began, $0.records[position].timeline)
      $0.records[position].request.duration = began.duration(to: timeline?.now ?? now)
    }
  }
}

extension RequestJournal.State {
  /// Nil for an entry that was dropped.
  fileprivate subscript(_ entry: RequestJournal.EntryID) -> RequestJournal.Record? {
    get {
      let position = entry.number - firstNumber
      return records.indices.contains(position) ? records[position] : nil
    }
    set { if let newValue, self[entry] != nil { records[entry.number - firstNumber] = newValue } }
  }

  /// Drops in batches, so that a full journal does not move all its records for each new one.
  ///
  /// - Returns: What was dropped, to be let go outside the lock: a record's error is the user's, and may do anything when it
  ///   goes.
  fileprivate mutating func dropBeyondLimit(slack: Int) -> [RequestJournal.Record] {
    guard records.count > limit + slack else { return [] }
    let count = records.count - limit
    let dropped = Array(records.prefix(count))
    records.removeFirst(count)
    firstNumber += count
    return dropped
  }
}
