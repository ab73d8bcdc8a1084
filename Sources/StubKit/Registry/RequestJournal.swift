import Foundation

/// The requests that a registry has received, oldest first.
///
/// ```swift
/// let journal = StubRegistry.current.journal
/// let posts = journal.requests(matching: isMethodPOST())
/// ```
///
/// Clearing or limiting the journal never changes the ``Stub/callCount`` of a stub.
public final class RequestJournal: Sendable {
  private let state = Protected(State())
  /// The conditions of verifications.
  let verified = Protected<[RequestMatcher]>([])
  /// The requests that have no entry yet, because their stub is still being looked for.
  let underWay = Protected<[ObjectIdentifier: IncomingRequest]>([:])

  private struct State {
    var limit = 10_000
    var keepsLargeBodies = false
    var entries: [JournalEntry] = []
    /// The number of entries that were ever made.
    var count = 0
    /// The number of entries that the limit has dropped since the journal was last cleared.
    var droppedCount = 0

    /// Drops entries in batches, so that a full journal doesn't move all its entries for each new one.
    ///
    /// - Returns: The dropped entries, to be released outside the lock. The error of an entry belongs to the user, and
    ///   can do anything when it is released.
    mutating func dropBeyondLimit(slack: Int) -> [JournalEntry] {
      let surplus = entries.count - limit
      guard surplus > slack else { return [] }
      droppedCount += surplus
      defer { entries.removeFirst(surplus) }
      return Array(entries.prefix(surplus))
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
  /// `false`: it keeps their ``RecordedRequest/largeBodyLength`` instead. Applies to requests that are made from now
  /// on.
  ///
  /// ```swift
  /// StubRegistry.current.journal.keepsLargeBodies = true
  /// ```
  public var keepsLargeBodies: Bool {
    get { state.withLock { $0.keepsLargeBodies } }
    set { state.withLock { $0.keepsLargeBodies = newValue } }
  }

  /// The requests, oldest first.
  public var entries: [RecordedRequest] { history.entries }

  /// Returns the requests that a stub was chosen for, oldest first.
  func requests(of stub: UInt64) -> [RecordedRequest] {
    state.withLock { $0.entries.suffix($0.limit).filter { $0.stub?.id == stub } }.map(\.request)
  }

  /// The requests, and the number of earlier ones that the limit has dropped since the journal was last cleared.
  var history: (entries: [RecordedRequest], droppedCount: Int) {
    let (entries, droppedCount) = state.withLock {
      ($0.entries.suffix($0.limit), $0.droppedCount + max(0, $0.entries.count - $0.limit))
    }
    return (entries.map(\.request), droppedCount)
  }

  /// Returns the requests that certainly meet a condition, oldest first.
  ///
  /// A request isn't returned if the result hangs on a body that the journal doesn't have: a large one, or a stream
  /// that no stub needed. Without the body, a closure isn't asked. So to show that no request met a condition on the
  /// body, use `verify(condition, called: .never)`, which fails for such a request.
  public func requests(matching condition: RequestMatcher) -> [RecordedRequest] {
    entries.filter { entry in
      var facts = RequestFacts(entry)
      return condition.verdict(&facts) == true
    }
  }

  /// The unmatched requests, oldest first, whatever the policy did with them. A request whose body can't be read is
  /// none, because it never reaches the stubs.
  public var unmatchedRequests: [RecordedRequest] { entries.filter { $0.stub == nil && $0.isSent } }

  /// Returns the facts of a request. If it is one in the journal, its body may be missing.
  func facts(of request: URLRequest) -> RequestFacts {
    let isBare = request.httpBody == nil && !["GET", "HEAD"].contains(request.httpMethod ?? "GET")
    let entry = isBare ? entries.last { $0.missingBody != nil && $0.request == request } : nil
    return entry.map { RequestFacts($0) } ?? RequestFacts(request)
  }

  /// Notes that a verification asks about requests. A test with more of them asks the same again.
  func note(_ condition: RequestMatcher) { verified.withLock { if $0.count < 200 { $0.append(condition) } } }

  /// Removes all requests. A request that is still in progress doesn't return.
  public func clear() {
    let dropped = state.withLock { state in
      defer { (state.entries, state.droppedCount) = ([], 0) }
      return state.entries
    }
    _ = consume dropped
  }

  /// - Parameters:
  ///   - timeline: The timeline that measures durations.
  ///   - underWay: What the entry takes the place of.
  func begin(
    _ incoming: IncomingRequest, _ decision: Decision = Decision(text: "unmatched"),
    on timeline: any Timeline = RealTimeline.shared, replacing underWay: RequestUnderWay? = nil
  ) -> JournalEntry {
    let (request, stub, calls) = (incoming.asSent, decision.stub?.reference, decision.stub?.calls)
    Trace.log(decision.text, incoming.original, by: stub)
    let (number, keepsLargeBodies) = state.withLock {
      $0.count += 1
      return ($0.count, $0.keepsLargeBodies)
    }
    var recorded = RecordedRequest(
      request: request, stub: stub, match: decision.match, isInferred: incoming.confidence.isInferred,
      startedAt: Date(), duration: nil, outcome: .inProgress, isSent: decision.isSent)
    recorded.take(request, keepsLargeBodies: keepsLargeBodies, isUnread: incoming.isUnread)
    let entry = JournalEntry(
      recorded, number: number, incoming.confidence, timeline, calls, countsLater: decision.countsLater,
      keepsLargeBodies: keepsLargeBodies)
    let dropped = state.withLock {
      $0.entries.append(entry)
      return $0.dropBeyondLimit(slack: $0.limit / 4)
    }
    _ = consume dropped
    underWay?.update(nil)
    let count = decision.countsLater ? nil : calls?.count(.begun)
    // A client that never stops, such as one that asks for page after page, would hang its test without a word.
    if count == 10_000, let stub = decision.stub {
      RequestWarnings.add(
        .endless,
        "The stub \(stub.reference) has answered 10,000 requests, now \(request.summary(in: .shared)). \(stub.wayToStop)"
      )
    }
    return entry
  }
}

/// What a registry decides about a request.
struct Decision: Sendable {
  /// The decision in words, for `STUBKIT_LOG`.
  let text: StaticString
  /// The stub that was chosen, whose calls count the request too, or `nil` if there is none.
  var stub: Stub?
  var match: RequestMatch?
  /// Whether the stub's calls count the request only when the test can answer it.
  var countsLater = false
  /// Whether the request could be sent.
  var isSent = true
}

/// A request whose stub is still being looked for: its body is read, or the closures of conditions are asked. Whoever
/// looks for the stub holds it.
final class RequestUnderWay: Sendable {
  private let all: Protected<[ObjectIdentifier: IncomingRequest]>

  init(_ incoming: IncomingRequest, in journal: RequestJournal) {
    all = journal.underWay
    update(incoming)
  }

  deinit { update(nil) }

  /// Replaces the request by what was read of it, or by `nil` when it has an entry. Releases the old one outside the
  /// lock.
  func update(_ incoming: IncomingRequest?) {
    var incoming = incoming
    all.withLock { swap(&$0[ObjectIdentifier(self)], &incoming) }
  }
}

/// A request in the journal. The exchange tells it what becomes of the request.
final class JournalEntry: Sendable {
  /// The request, the calls of its stub, until the end, because they may hold the entry, and the call by which the test
  /// answers it.
  private let state: Protected<(request: RecordedRequest, calls: StubCalls?, call: StubCall?)>
  /// A Boolean value that indicates whether the request counts as a call of its stub only when the test can answer it.
  private let countsLater: Bool
  /// The number of the entry in its journal, from 1.
  let number: Int
  /// The stub that was chosen, or `nil` if there is none.
  let stub: StubReference?
  fileprivate let confidence: AttributionConfidence
  private let keepsLargeBodies: Bool
  private let began: Duration
  /// The timeline that measures durations.
  let timeline: any Timeline

  fileprivate init(
    _ request: RecordedRequest, number: Int, _ confidence: AttributionConfidence, _ timeline: any Timeline,
    _ calls: StubCalls?, countsLater: Bool, keepsLargeBodies: Bool
  ) {
    state = Protected((request, calls, nil))
    self.countsLater = countsLater
    (self.number, stub, self.confidence) = (number, request.stub, confidence)
    (self.timeline, self.keepsLargeBodies) = (timeline, keepsLargeBodies)
    began = timeline.now
  }

  /// The request as it is now.
  var request: RecordedRequest { state.withLock(\.request) }

  /// The call by which the test answers the request, from the moment when it can.
  var call: StubCall? { state.withLock { $0.call } }

  /// A Boolean value that indicates whether the request is in progress, and the test has not begun to answer it.
  var isUnanswered: Bool { request.outcome == .inProgress && call?.isWaiting ?? true }

  /// The time since the request was made.
  private var age: Duration { timeline.now - began }

  /// Adds what was found out about the request after the entry was made.
  func complete(_ request: URLRequest) {
    let replaced = state.withLock { state in
      defer { state.request.take(request, keepsLargeBodies: keepsLargeBodies) }
      return state.request.request
    }
    // Released outside the lock, because its stream can belong to the user.
    _ = consume replaced
  }

  /// Says why the body is missing.
  func lacksBody(_ reason: MissingBody) { state.withLock { $0.request.missingBody = reason } }

  /// Adds the body in a file, if it can be read: at most a megabyte, because this runs on the queue of the request.
  func sends(bodyIn file: URL) {
    guard let file = try? RegularFile(file) else { return lacksBody(.unreadable) }
    guard keepsLargeBodies || file.length <= RecordedRequest.keptLength else { return lacksBody(.large(file.length)) }
    guard let body = try? file.read(0..<file.length) else { return lacksBody(.unreadable) }
    var request = request.request
    request.httpBody = body
    complete(request)
  }

  /// The head of a response is due.
  func receives(_ response: RecordedRequest.Response) {
    let time = age
    state.withLock {
      guard $0.request.outcome == .inProgress else { return }
      $0.request.response = response
      if !keepsLargeBodies { $0.request.response?.dropLargeBody() }
      $0.request.timeToResponse = time
    }
  }

  /// Returns the request as it is at its end.
  ///
  /// - Parameters:
  ///   - error: The error that ends it, if the outcome isn't known yet.
  ///   - status: The status of the answer, unless there is a response.
  func request(endingWith error: (any Error)?, status: Int) -> RecordedRequest {
    let duration = age
    var request = request
    guard request.outcome == .inProgress else { return request }
    request.duration = duration
    request.outcome =
      error.map { .failed($0).after(request.response) } ?? .answered(status: request.response?.status ?? status)
    return request
  }

  /// The request is over. One that ends away from its answer, for example by its cancellation, can end twice.
  ///
  /// - Parameters:
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - callbacks: The client's callbacks, which have yet to return, or `nil` if none follows.
  func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil, callbacks: RequestCallbacks? = nil) {
    let duration = age
    // The call that there is now. One that begins later ends itself, and isn't counted.
    let (isEnd, calls, call) = state.withLock { state in
      guard state.request.outcome == .inProgress else { return (false, nil as StubCalls?, nil as StubCall?) }
      state.request.outcome = outcome.after(state.request.response)
      state.request.response?.end(afterBytes: sentLength)
      state.request.duration = duration
      return (true, state.calls.take(), state.call)
    }
    guard isEnd else { return }
    call?.end(request.outcome)
    if let calls {
      // It ended before the test could answer it.
      if countsLater, call == nil { _ = calls.count(.begun) }
      let complete = { @Sendable in _ = calls.count(.completed) }
      if let callbacks { callbacks.whenOver(complete) } else { complete() }
    }
  }

  /// Notes that the client hangs up.
  func noteHangUp() {
    let time = age
    state.withLock { $0.request.timeToHangUp = $0.request.timeToHangUp ?? time }
  }

  /// Lets the test answer the request with a call.
  func begin(_ call: StubCall) {
    let calls = state.withLock { state -> StubCalls? in
      state.call = call
      guard let calls = state.calls else { return nil }
      calls.latest.withLock { $0 = call }
      // Under the lock, so that no request counts as completed before it has begun. Those who wait are woken later.
      if countsLater { calls.counts.withLock { $0[StubCalls.Milestone.begun.rawValue] += 1 } }
      return calls
    }
    guard let calls else { return call.end(request.outcome) }
    calls.counts.update { _ in }
    calls.held.update { _ in }
  }
}

/// The calls of a stub, created at the first one. Among very many stubs, most never have one.
package final class StubCalls: Sendable {
  /// How far a request has come.
  package enum Milestone: Int, Sendable {
    case begun
    /// The request is over, and the client's callbacks have returned.
    case completed
  }

  /// How many requests have reached each milestone, including those that the journal has dropped.
  let counts = Awaitable([0, 0])
  /// The closure to call for each request that is over, or `nil`.
  let onFinish = Protected<Closure<@Sendable (RecordedRequest) -> Void>?>(nil)
  /// The requests whose calls the test has not taken, oldest first.
  let held = Awaitable<[JournalEntry]>([])
  /// The newest call, taken or not.
  let latest = Protected<StubCall?>(nil)

  /// Counts a request that has reached a milestone, and returns their number.
  func count(_ milestone: Milestone) -> Int {
    counts.update { counts in
      counts[milestone.rawValue] += 1
      return counts[milestone.rawValue]
    }
  }
}

extension RequestJournal {
  /// A line about answered requests that may come from another test, for every failure text of the scope. Usually
  /// empty.
  var inferredHits: [String] {
    let hits = state.withLock(\.entries).filter { $0.confidence == .onlyScope && $0.stub != nil }
    guard let first = hits.first?.request.request else { return [] }
    let which =
      hits.count == 1 ? "1 answered request was inferred:" : "\(hits.count) answered requests were inferred, the first:"
    return [
      "\(which) \(Excerpt.middle(first.summary, 80)), made on a plain queue, on a thread or in a detached task."
        + " It may come from another test."
    ]
  }

  /// What has arrived, newest last, for the report of a wait that takes long: a line for each request, and what kept it
  /// from its nearest stub.
  var arrivals: [String] {
    let (entries, droppedCount) = history
    guard !entries.isEmpty else { return arrivingLines.isEmpty ? ["No requests arrived."] : arrivingLines }
    let lines = entries.suffix(8).flatMap { entry -> [String] in
      let nearest = (entry.outcome.error as? UnmatchedRequestError)?.nearest.first
      let stub = entry.outcome == .inProgress ? entry.stub.map { ", by the stub \($0)" } : nil
      return ["  \(entry.line)\(stub ?? "")"] + (nearest?.mismatches.prefix(3).map { "     ✗ \($0)" } ?? [])
    }
    let omitted = max(0, entries.count - 8) + droppedCount
    return ["\(entries.count.requests) arrived:"] + (omitted > 0 ? ["  … \(omitted) earlier ones"] : []) + lines
      + arrivingLines
  }

  /// What is under way, a line for each request. Empty if nothing is.
  var arrivingLines: [String] {
    let lines = underWay.withLock { Array($0.values) }.map {
      "  \($0.original.summary): StubKit \($0.isUnread ? "waits for its body" : "asks the conditions of stubs")"
    }.sorted()
    return lines.isEmpty ? [] : ["\(lines.count.requests) still under way:"] + lines.cut(to: 4) { "  and \($0) more" }
  }

  /// Returns how many requests that are under way can meet a condition. This runs no closure.
  func underWay(for condition: RequestMatcher) -> Int {
    underWay.withLock { Array($0.values) }.count { incoming in
      var facts = RequestFacts(incoming)
      return condition.canBe(true, &facts, readsBody: !facts.bodyIsUnread)
    }
  }
}

extension RecordedRequest {
  /// The request and its outcome, in one line.
  var line: String {
    let outcome =
      if outcome.error is UnmatchedRequestError { "unmatched" } else {
        String(outcome.description.prefix { !$0.isNewline })
      }
    return "\(request.summary): \(outcome)"
  }
}
