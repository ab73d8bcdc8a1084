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
    /// How many records fell to the limit since the journal was last cleared.
    var droppedCount = 0
    /// The records of those that were dropped while they were in progress: their ends still count.
    var openNumbers: Set<Int> = []
    var waits = CallWaits()
  }

  fileprivate struct Record {
    var request: RecordedRequest
    let began: Time
    let timeline: (any Timeline)?
  }

  /// A request's place in the journal, by which its outcome finds it.
  struct EntryID: Sendable {
    fileprivate let number: Int
    fileprivate let calls: StubCalls?
  }

  init() {}

  /// How many requests are kept; 10,000 to begin with. Beyond that the oldest are dropped.
  public var limit: Int {
    get { state.withLock { $0.limit } }
    set {
      require(newValue >= 0, "A journal's limit is a number of requests; write 0 to keep none.")
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

  /// The requests that a stub was chosen for, oldest first.
  func requests(of stub: UInt64) -> [RecordedRequest] {
    // In the lock: a copy of all records would cost more than a look at each.
    state.withLock { state in
      state.records.suffix(state.limit).lazy.filter { $0.request.stub?.id == stub }.map(\.request)
    }
  }

  /// The requests, and how many there were before them that the limit has dropped since the journal was last cleared.
  var history: (entries: [RecordedRequest], droppedCount: Int) {
    let (records, droppedCount) = state.withLock { state in
      (state.records.suffix(state.limit), state.droppedCount + max(0, state.records.count - state.limit))
    }
    return (records.map(\.request), droppedCount)
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
      defer { state.droppedCount = 0 }
      return state.drop(state.records.count)
    }
    _ = consume dropped
  }

  /// - Parameters:
  ///   - calls: The calls of the stub, for whom it counts too.
  ///   - isInferred: See ``RecordedRequest/isInferred``.
  func begin(
    _ request: URLRequest, body: Data?, stub: StubReference?, calls: StubCalls? = nil, isInferred: Bool = false
  ) -> EntryID {
    var recorded = RecordedRequest(
      request: request, body: nil, stub: stub, isInferred: isInferred, startedAt: Date(), duration: nil,
      outcome: .inProgress)
    if let body { recorded.take(request, body: body, keepsLargeBodies: keepsLargeBodies) }
    let began = Time.now()
    let (entry, dropped, met) = state.withLock {
      let timeline = $0.timeline
      $0.records.append(Record(request: recorded, began: timeline?.now ?? began, timeline: timeline))
      let entry = EntryID(number: $0.firstNumber + $0.records.count - 1, calls: calls)
      let dropped = $0.dropBeyondLimit(slack: $0.limit / 4)
      calls?.begunCount += 1
      return (entry, dropped, $0.waits.takeMet(by: calls))
    }
    _ = consume dropped
    for end in met { end(.success(true)) }
    return entry
  }

  /// Adds what was found out about a request after its entry was made.
  func complete(_ entry: EntryID, _ request: URLRequest, body: Data?) {
    complete(entry) { $0.take(request, body: body, keepsLargeBodies: $1) }
  }

  /// Adds the body of a request that is in a file, if it can be read. Not for a queue of URLSession's: it reads the file.
  ///
  /// - Parameter flag: Cancelled when the body is not wanted any more.
  func complete(_ entry: EntryID, bodyIn file: URL, unless flag: CancellationFlag) {
    guard let file = try? RegularFile(file) else { return }
    complete(entry) { try? $0.takeBody(in: file, keepsLargeBodies: $1, unless: flag) }
  }

  private func complete(_ entry: EntryID, _ take: (inout RecordedRequest, _ keepsLargeBodies: Bool) -> Void) {
    let keepsLargeBodies = keepsLargeBodies
    guard var recorded = state.withLock({ $0[entry]?.request }) else { return }
    let bare = recorded
    take(&recorded, keepsLargeBodies)
    state.withLock { state in
      // Its outcome may have come meanwhile.
      guard let current = state[entry]?.request else { return }
      (recorded.duration, recorded.outcome) = (current.duration, current.outcome)
      state[entry]?.request = recorded
    }
    // Let go outside the lock: its stream may be the user's own.
    _ = consume bare
  }

  /// A request as it is in the end; nil for one that was dropped.
  ///
  /// - Parameter outcome: What comes of it, where that is not known here yet.
  func record(_ entry: EntryID, endingWith outcome: RecordedRequest.Outcome) -> RecordedRequest? {
    let now = Time.now()
    guard let record = state.withLock({ $0[entry] }) else { return nil }
    var request = record.request
    guard request.outcome == .inProgress else { return request }
    request.duration = ((record.timeline?.now ?? now) - record.began).duration
    request.outcome = request.response.map { outcome.status == nil ? outcome : .answered(status: $0.status) } ?? outcome
    return request
  }

  /// The head of the response is due.
  func respond(_ entry: EntryID, with response: RecordedRequest.Response) {
    let now = Time.now()
    state.withLock {
      let position = entry.number - $0.firstNumber
      guard $0.records.indices.contains(position), $0.records[position].request.outcome == .inProgress else { return }
      let (began, timeline) = ($0.records[position].began, $0.records[position].timeline)
      $0.records[position].request.response = $0.keepsLargeBodies ? response : response.withoutLargeBody
      $0.records[position].request.timeToResponse = ((timeline?.now ?? now) - began).duration
    }
  }

  /// - Parameter sentLength: How many bytes of the response's body went out; nil for all.
  func end(_ entry: EntryID, _ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    let now = Time.now()
    let met: [CallWaits.End] = state.withLock {
      let position = entry.number - $0.firstNumber
      if $0.records.indices.contains(position) {
        guard $0.records[position].request.outcome == .inProgress else { return [] }
        let (began, timeline) = ($0.records[position].began, $0.records[position].timeline)
        $0.records[position].request.outcome = outcome
        $0.records[position].request.response?.end(afterBytes: sentLength)
        $0.records[position].request.duration = ((timeline?.now ?? now) - began).duration
      } else if $0.openNumbers.remove(entry.number) == nil {
        return []
      }
      entry.calls?.endedCount += 1
      return $0.waits.takeMet(by: entry.calls)
    }
    for end in met { end(.success(true)) }
  }
}

extension RequestJournal {
  /// Waits, in real time, until so many of a stub's requests have come that far.
  ///
  /// - Returns: False when the time was up before.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func wait(for count: Int, _ milestone: StubCalls.Milestone, of calls: StubCalls, timeout: Duration) async throws
    -> Bool
  {
    try Task.checkCancellation()
    let number = CallWaits.newNumber()
    let timer = Protected<(any DeliveryTimer)?>(nil)
    defer { timer.withLock { $0 }?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = CallWaits.End { continuation.resume(with: $0) }
        let isMet = state.withLock {
          if calls.count(of: milestone) >= count { return true }
          $0.waits.add(number, until: count, milestone, of: calls, end)
          return false
        }
        if isMet { return end(.success(true)) }
        let made = TimerTable.shared.schedule(at: .now() + Time(timeout)) { self.endWait(number, .success(false)) }
        timer.withLock { $0 = made }
        // A cancellation that came before the wait was there has not found it.
        if Task.isCancelled { endWait(number, .failure(CancellationError())) }
      }
    } onCancel: {
      endWait(number, .failure(CancellationError()))
    }
  }

  private func endWait(_ number: UInt64, _ result: Result<Bool, any Error>) {
    state.withLock { $0.waits.remove(number) }?(result)
  }

  /// How many of a stub's requests have come that far, those that the journal has dropped included.
  func count(of milestone: StubCalls.Milestone, of calls: StubCalls) -> Int {
    state.withLock { _ in calls.count(of: milestone) }
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
    guard records.count - limit > slack else { return [] }
    droppedCount += records.count - limit
    return drop(records.count - limit)
  }

  fileprivate mutating func drop(_ count: Int) -> [RequestJournal.Record] {
    let dropped = Array(records.prefix(count))
    for (position, record) in dropped.enumerated() where record.request.outcome == .inProgress {
      openNumbers.insert(firstNumber + position)
    }
    records.removeFirst(count)
    firstNumber += count
    return dropped
  }
}
