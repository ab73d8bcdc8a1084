import Dispatch
import Foundation
import StubKitFormats

/// The requests that a registry has received, oldest first.
///
/// ```swift
/// let journal = StubRegistry.current.journal
/// let posts = journal.requests(matching: isMethodPOST())
/// ```
///
/// Clearing or limiting the journal never changes the ``Stub/callCount`` of a stub.
public final class RequestJournal: Sendable {
  private let state = Awaitable(State())

  fileprivate struct State {
    var limit = 10_000
    var keepsLargeBodies = false
    var records: [Record] = []
    /// The number of the first record in the journal. Records are numbered from the first one ever made.
    var firstNumber = 0
    /// The timeline that measures durations, or `nil` for the system's own time.
    var timeline: (any Timeline)?
    /// The number of records that the limit has dropped since the journal was last cleared.
    var droppedCount = 0
    /// The first request that a stub answered though it named no scope, and the number of all such requests.
    var inferred: (first: URLRequest, count: Int)?
    /// The numbers of records that were dropped while they were in progress. Their ends still count.
    var openNumbers: Set<Int> = []
  }

  fileprivate struct Record {
    var request: RecordedRequest
    let began: Time
    let timeline: (any Timeline)?
  }

  /// The place of a request in the journal, which its outcome uses to find it.
  ///
  /// It listens to what becomes of the request.
  struct EntryID: ExchangeListener {
    let number: Int
    fileprivate let calls: StubCalls?
    fileprivate let journal: RequestJournal

    /// The stub that was chosen, or `nil` if there is none, or if the journal has dropped the request.
    var stub: StubReference? { journal.state.withLock { $0[self]?.request.stub } }

    func sends(bodyIn file: URL, unless flag: CancellationFlag) { journal.complete(self, bodyIn: file, unless: flag) }
    func receives(_ response: RecordedRequest.Response) { journal.respond(self, with: response) }
    func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int?) {
      journal.end(self, outcome, sentLength: sentLength)
    }
  }

  init() {}

  /// The largest number of requests in the journal. Beyond it, the oldest ones are dropped. Defaults to 10,000.
  /// With 0 or a number below, the journal keeps no requests.
  public var limit: Int {
    get { state.withLock { $0.limit } }
    set {
      let dropped = state.withLock {
        $0.limit = max(0, newValue)
        return $0.dropBeyondLimit(slack: 0)
      }
      _ = consume dropped
    }
  }

  /// A Boolean value that indicates whether the journal keeps bodies of more than a megabyte as a whole. Defaults to
  /// `false`: it keeps their ``RecordedRequest/largeBodyLength`` instead. Applies to requests that are made from now on.
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

  /// Returns the requests that a stub was chosen for, oldest first.
  func requests(of stub: UInt64) -> [RecordedRequest] {
    // Filters under the lock, because a copy of all records would cost more than a look at each.
    state.withLock { state in
      state.records.suffix(state.limit).lazy.filter { $0.request.stub?.id == stub }.map(\.request)
    }
  }

  /// The requests, and the number of earlier ones that the limit has dropped since the journal was last cleared.
  var history: (entries: [RecordedRequest], droppedCount: Int) {
    let (records, droppedCount) = state.withLock { state in
      (state.records.suffix(state.limit), state.droppedCount + max(0, state.records.count - state.limit))
    }
    return (records.map(\.request), droppedCount)
  }

  /// Returns the requests that meet a condition, oldest first.
  public func requests(matching condition: RequestMatcher) -> [RecordedRequest] {
    entries.filter { condition.matches($0.request) }
  }

  /// The unmatched requests, oldest first, whatever the policy did with them.
  public var unmatched: [RecordedRequest] { entries.filter { $0.stub == nil } }

  /// Removes all requests. A request that is still in progress doesn't return.
  public func clear() {
    let dropped = state.withLock { state in
      defer { state.droppedCount = 0 }
      return state.drop(state.records.count)
    }
    _ = consume dropped
  }

  /// - Parameters:
  ///   - calls: The calls of the stub, which count this request too.
  ///   - isInferred: See ``RecordedRequest/isInferred``.
  func begin(
    _ request: URLRequest, body: Data?, stub: StubReference?, _ match: RequestMatch? = nil, calls: StubCalls? = nil,
    isInferred: Bool = false
  ) -> EntryID {
    var recorded = RecordedRequest(
      request: request, body: nil, stub: stub, match: match, isInferred: isInferred, startedAt: Date(), duration: nil,
      outcome: .inProgress)
    if let body { recorded.take(request, body: body, keepsLargeBodies: keepsLargeBodies) }
    let began = Time.now()
    let (entry, count, dropped) = state.update {
      let timeline = $0.timeline
      $0.records.append(Record(request: recorded, began: timeline?.now ?? began, timeline: timeline))
      let entry = EntryID(number: $0.firstNumber + $0.records.count - 1, calls: calls, journal: self)
      let dropped = $0.dropBeyondLimit(slack: $0.limit / 4)
      calls?.begunCount += 1
      return (entry, calls?.begunCount, dropped)
    }
    _ = consume dropped
    // A client that never stops, such as one that asks for page after page, would hang its test without a word.
    if count == 10_000, let stub {
      RequestWarnings.add(
        .endless,
        "The stub \(stub) has answered 10,000 requests, now \(request.summary(in: .shared)). If the client never stops, let a "
          + "later response end it: responses: [.json([1]), .json([])].")
    }
    return entry
  }

  /// Adds what was found out about a request after its entry was made.
  func complete(_ entry: EntryID, _ request: URLRequest, body: Data?) {
    complete(entry) { $0.take(request, body: body, keepsLargeBodies: $1) }
  }

  /// Adds the body of a request that is in a file, if it can be read. This reads the file, so don't call it on a
  /// queue of URLSession.
  ///
  /// - Parameter flag: A flag that is cancelled if the body isn't needed any more.
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
      // The outcome can have arrived meanwhile.
      guard let current = state[entry]?.request else { return }
      (recorded.duration, recorded.outcome) = (current.duration, current.outcome)
      state[entry]?.request = recorded
    }
    // Released outside the lock, because its stream can belong to the user.
    _ = consume bare
  }

  /// Returns a request as it is at its end, or `nil` if it was dropped.
  ///
  /// - Parameter outcome: The outcome, if the journal doesn't know it yet.
  func record(_ entry: EntryID, endingWith outcome: RecordedRequest.Outcome) -> RecordedRequest? {
    let now = Time.now()
    guard let record = state.withLock({ $0[entry] }) else { return nil }
    var request = record.request
    guard request.outcome == .inProgress else { return request }
    request.duration = ((record.timeline?.now ?? now) - record.began).duration
    request.outcome =
      outcome.status != nil
      ? request.response.map { .answered(status: $0.status) } ?? outcome : outcome.after(request.response)
    return request
  }

  /// Records that the head of the response is due.
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

  /// - Parameter sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  func end(_ entry: EntryID, _ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    let now = Time.now()
    var outcome = outcome
    state.update {
      let position = entry.number - $0.firstNumber
      if $0.records.indices.contains(position) {
        guard $0.records[position].request.outcome == .inProgress else { return }
        let (began, timeline) = ($0.records[position].began, $0.records[position].timeline)
        outcome = outcome.after($0.records[position].request.response)
        $0.records[position].request.outcome = outcome
        $0.records[position].request.response?.end(afterBytes: sentLength)
        $0.records[position].request.duration = ((timeline?.now ?? now) - began).duration
      } else if $0.openNumbers.remove(entry.number) == nil {
        return
      }
      entry.calls?.endedCount += 1
    }
    entry.calls?.controlled.end(entry: entry.number, outcome)
  }
}

extension RequestJournal {
  /// Waits in real time until a number of a stub's requests have reached a milestone.
  ///
  /// - Returns: `false` if the time was up before.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func wait(for count: Int, _ milestone: StubCalls.Milestone, of calls: StubCalls, timeout: Duration) async throws
    -> Bool
  {
    try Task.checkCancellation()
    let isMet = await state.wait(atMost: Time(timeout), until: { _ in calls.count(of: milestone) >= count })
    if !isMet { try Task.checkCancellation() }
    return isMet
  }

  /// Returns how many of a stub's requests have reached a milestone, including those that the journal has dropped.
  func count(of milestone: StubCalls.Milestone, of calls: StubCalls) -> Int {
    state.withLock { _ in calls.count(of: milestone) }
  }
}

extension RequestJournal.State {
  /// Returns `nil` for an entry that was dropped.
  fileprivate subscript(_ entry: RequestJournal.EntryID) -> RequestJournal.Record? {
    get {
      let position = entry.number - firstNumber
      return records.indices.contains(position) ? records[position] : nil
    }
    set { if let newValue, self[entry] != nil { records[entry.number - firstNumber] = newValue } }
  }

  /// Drops records in batches, so that a full journal doesn't move all its records for each new one.
  ///
  /// - Returns: The dropped records, to be released outside the lock. The error of a record belongs to the user, and
  ///   can do anything when it is released.
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

extension RequestJournal {
  /// Notes that a stub answers a request that belongs to its scope only because no other one is open.
  func noteInferred(_ request: URLRequest) {
    state.withLock { state in
      let inferred = state.inferred ?? (request, 0)
      state.inferred = (inferred.first, inferred.count + 1)
    }
  }

  /// A line about answered requests that may come from another test, for every failure text of the scope. Usually empty.
  var inferredHits: [String] {
    guard let (first, count) = state.withLock({ $0.inferred }) else { return [] }
    let which = count == 1 ? "1 answered request was inferred:" : "\(count) answered requests were inferred, the first:"
    return [
      "\(which) \(Excerpt.middle(first.summary, 80)), made on a plain queue, on a thread or in a detached task."
        + " It may come from another test."
    ]
  }

  /// What has arrived, newest last, for the report of a wait that takes long: a line for each request, and what kept it
  /// from its nearest stub.
  var arrivals: [String] {
    let (entries, droppedCount) = history
    guard !entries.isEmpty else { return ["No requests arrived."] }
    let lines = entries.suffix(8).flatMap { entry -> [String] in
      let nearest = (entry.outcome.error as? UnmatchedRequestError)?.nearest.first
      let stub = entry.outcome == .inProgress ? entry.stub.map { ", by the stub \($0)" } : nil
      return ["  \(entry.line)\(stub ?? "")"] + (nearest?.mismatches.prefix(3).map { "     ✗ \($0)" } ?? [])
    }
    let omitted = max(0, entries.count - 8) + droppedCount
    return ["\(entries.count.requests) did arrive:"] + (omitted > 0 ? ["  … \(omitted) earlier ones"] : []) + lines
  }
}

extension RecordedRequest {
  /// The request and its outcome, in one line.
  var line: String {
    let outcome =
      if outcome.error is UnmatchedRequestError { "unmatched" } else {
        outcome.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      }
    return "\(request.summary): \(outcome)"
  }
}
