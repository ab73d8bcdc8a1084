import Foundation

/// The requests that a registry has received, oldest first.
///
/// ```swift
/// let journal = HTTPStubs.journal
/// let posts = journal.requests(matching: isMethod(.post))
/// ```
///
/// Clearing or limiting the journal never changes the ``Stub/callCount`` of a stub.
public final class RequestJournal: Sendable {
  // Safe because it is touched only under the lock of the table, as the entries are.
  @exclusivity(unchecked) nonisolated(unsafe) private var state = State()
  private let startedAt = Date()
  /// The header fields that transcripts leave out, because each request of the test has to have them anyway. Their
  /// names are in lower case.
  package let untranscribed = Protected<Set<NamedValue>>([])
  let inFlight: RequestsInFlight
  /// The requests that can belong to any of several scopes, among them that of the registry, oldest first.
  private let strays = Protected<[StrayRequest]>([])

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

  init(_ inFlight: RequestsInFlight = RequestsInFlight()) { self.inFlight = inFlight }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    inFlight.table.withLock { _ in body(&state) }
  }

  /// The largest number of requests in the journal. Beyond it, the oldest ones are dropped. Defaults to 10,000.
  /// With 0 or a number below, the journal keeps no requests.
  public var limit: Int {
    get { withState { $0.limit } }
    set {
      inFlight.table.discard { _ in
        state.limit = max(0, newValue)
        return state.dropBeyondLimit(slack: 0)
      }
    }
  }

  /// A Boolean value that indicates whether the journal keeps bodies of more than a megabyte as a whole. Defaults to
  /// `false`: it keeps their ``RecordedRequest/largeBodyLength`` instead. Applies to requests that are made from now
  /// on.
  ///
  /// ```swift
  /// HTTPStubs.journal.keepsLargeBodies = true
  /// ```
  public var keepsLargeBodies: Bool {
    get { withState { $0.keepsLargeBodies } }
    set { withState { $0.keepsLargeBodies = newValue } }
  }

  /// The requests, in the order in which they were made.
  ///
  /// A request is here as soon as its task was resumed. The property waits until its stub and its body are known, for
  /// a second at most. In the closures of stubs, which can be part of the search for a stub, it doesn't wait.
  public var entries: [RecordedRequest] {
    inFlight.settle()
    return made.entries.map { $0.request }
  }

  /// The number of requests in the journal. It takes no copy of them, and waits as ``entries`` does.
  ///
  /// ```swift
  /// #expect(HTTPStubs.journal.count == 3)
  /// ```
  public var count: Int {
    inFlight.settle()
    return made.entries.count
  }

  /// The entries of the requests, which take no copy of each, and the number of earlier ones that the limit has dropped
  /// since the journal was last cleared.
  var made: (entries: ArraySlice<JournalEntry>, droppedCount: Int) {
    withState { ($0.entries.suffix($0.limit), $0.droppedCount + max(0, $0.entries.count - $0.limit)) }
  }

  /// Returns the entry with a number, or `nil` if it isn't there any more.
  func entry(_ number: Int) -> JournalEntry? {
    var rest = made.entries
    // They are in the order of their numbers, of which withdrawn requests leave out some.
    while rest.count > 1 {
      let middle = rest.startIndex + rest.count / 2
      rest = rest[middle].number > number ? rest[..<middle] : rest[middle...]
    }
    return rest.first.flatMap { $0.number == number ? $0 : nil }
  }

  /// Waits until the requests that have been made are known, and returns these, without those that follow meanwhile.
  ///
  /// - Parameter reader: Who looks back, or `nil` for one that waits for nothing.
  func entries(for reader: RequestLife.Readers?) -> (entries: ArraySlice<JournalEntry>, droppedCount: Int) {
    let newest = withState(\.count)
    if let reader { inFlight.settle(for: reader) }
    var (entries, droppedCount) = made
    while let last = entries.last, last.number > newest { entries.removeLast() }
    return (entries, droppedCount)
  }

  /// Returns the requests that certainly meet a condition, oldest first.
  ///
  /// A request isn't returned if the result depends on something that the journal doesn't have: a large body, a stream
  /// that no stub needed, the content of a compressed body, or a header that URLSession adds. Without the body, a
  /// closure isn't asked. So to show that no request met such a condition, use `verify(condition, called: .never)`,
  /// which fails for such a request.
  ///
  /// A condition that is a mistake, or that asks a ``StubScenario``, is an issue of the test, and no request meets it.
  public func requests(matching condition: RequestMatcher) -> [RecordedRequest] {
    if let mistake = condition.mistakeInJournal {
      StubRegistry.current.raise(mistake)
      return []
    }
    return entries.filter { entry in
      var facts = RequestFacts(entry, isVerified: true)
      return condition.verdict(&facts) == true
    }
  }

  /// The unmatched requests, oldest first, whatever the policy did with them. A request whose body can't be read is
  /// none, because it never reaches the stubs.
  public var unmatchedRequests: [RecordedRequest] { entries.filter(\.isUnmatched) }

  /// Returns the facts of a request. If it is one in the journal, its body may be missing.
  func facts(of request: URLRequest) -> RequestFacts {
    let isBare = request.httpBody == nil && !["GET", "HEAD"].contains(request.httpMethod ?? "GET")
    let entry = isBare ? entries.last { $0.missingBody != nil && $0.request.isSent(as: request) } : nil
    return entry.map { RequestFacts($0) } ?? RequestFacts(request)
  }

  /// Notes a request that can belong to any of several scopes. A test with more of them has heard of them already.
  func note(_ stray: StrayRequest) { strays.withLock { if $0.count < 1_000 { $0.append(stray) } } }

  /// Returns the requests that can belong to any of several scopes, and that can meet a condition.
  func strays(meeting condition: RequestMatcher) -> [URLRequest] {
    strays.current.filter { !$0.isDismissed.current }.map(\.request).filter { request in
      var facts = RequestFacts(IncomingRequest(request))
      // URLSession sends no GET with a body. That of another method can be with its task.
      return condition.canBe(true, &facts, readsBody: facts.method == "GET")
    }
  }

  /// Removes all requests. A request that is still in progress doesn't return.
  ///
  /// A stub counts its calls itself, so ``Stub/callCount`` and `verify(stub)` still count the removed requests. To
  /// forget both, call ``HTTPStubs/forgetRequests()``.
  public func clear() { clear(forgettingCalls: false) }

  /// - Parameter forgettingCalls: Whether stubs count their calls from here on, without those of requests that are
  ///   under way.
  func clear(forgettingCalls: Bool) {
    inFlight.table.discard { table in
      state.droppedCount = 0
      let forgotten = forgettingCalls ? table.forgetAll() : [:]
      return (exchange(&state.entries, with: []), forgotten)
    }
    strays.discard { exchange(&$0, with: []) }
  }

  /// Begins the entry of a request that its client makes now. This can run under a lock of URLSession.
  ///
  /// It is one step: who looks back sees the request in the journal and in the table, or in neither.
  ///
  /// - Parameters:
  ///   - confidence: How StubKit knows that the request belongs to the registry.
  ///   - snapshot: How the registry takes the request, with the timeline that measures durations.
  ///   - callbacks: Whether the end of the request's scope waits for its callbacks from now on.
  ///   - earlier: The request of the same task that leads here, or `nil` for the first one.
  ///   - outcome: How the earlier one ends at the same moment, unless it is over.
  ///   - followsRedirect: Whether URLSession makes the request to follow a redirect.
  func begin(
    _ request: URLRequest, _ confidence: AttributionConfidence = .certain,
    _ snapshot: StubRegistry.Snapshot = .init(), callbacks: RequestLife.Callbacks = .none,
    after earlier: JournalEntry? = nil, endingWith outcome: RecordedRequest.Outcome? = nil,
    followsRedirect: Bool = false
  ) -> JournalEntry {
    var recorded = RecordedRequest(
      request: request, isUnscoped: confidence.isInferred, startedAt: Date(), outcome: .inProgress)
    recorded.life = RequestLife(callbacks)
    recorded.followsRedirect = followsRedirect
    let began = snapshot.timeline.now
    var aftermath = Aftermath()
    let (entry, dropped) = inFlight.table.update { table in
      state.count += 1
      let entry = JournalEntry(
        recorded, number: state.count, confidence, snapshot, keepsLargeBodies: state.keepsLargeBodies, among: inFlight,
        at: began)
      if let earlier {
        entry.follows(earlier, endingWith: outcome, in: &table, &aftermath)
      } else {
        table.add(entry)
      }
      state.entries.append(entry)
      return (entry, state.dropBeyondLimit(slack: state.limit / 4))
    }
    // Not under that lock.
    aftermath.finish()
    if !dropped.isEmpty { DispatchQueue.global().async { _ = dropped } }
    return entry
  }

  /// Removes the entry of a request that its client has not made after all, or that the registry isn't asked for,
  /// unless it has arrived.
  func withdraw(_ entry: JournalEntry) {
    var aftermath = Aftermath()
    inFlight.table.update { table in
      guard entry.withdraws(in: &table, &aftermath), let index = state.entries.lastIndex(where: { $0 === entry }) else {
        return
      }
      state.entries.remove(at: index)
    }
    aftermath.finish()
  }
}

extension URLRequest {
  /// Returns whether a request with another one's method, URL and headers is this one. `==` compares no headers.
  /// URLSession adds some, which the journal has.
  fileprivate func isSent(as other: URLRequest) -> Bool {
    self == other && (other.allHTTPHeaderFields ?? [:]).allSatisfy { value(forHTTPHeaderField: $0.key) == $0.value }
  }
}

extension RequestJournal {
  /// Lines about answered requests that may come from another test, or may have been meant for this scope, for every
  /// failure text of the scope. Usually empty.
  var inferredHits: [String] { hitsOfOthers + hitsOutsideOfScopes }

  /// A line about the requests since the beginning of the scope that name none, and that a stub outside of every scope
  /// has answered. Usually empty.
  package var hitsOutsideOfScopes: [String] {
    let global = StubRegistry.global.journal
    guard self !== global else { return [] }
    let hits = global.withState(\.entries).filter { $0.confidence == .global }.map(\.request)
      .filter { $0.stub != nil && $0.startedAt >= startedAt }
    guard let first = hits.first, let stub = first.stub else { return [] }
    let what =
      hits.count == 1
      ? "1 request that names no scope was answered outside of every scope, by the stub"
      : "\(hits.count) requests that name no scope were answered outside of every scope, the first by the stub"
    return ["\(what) \(stub): \(first.request.summary.middle(80))"]
  }

  private var hitsOfOthers: [String] {
    let hits = withState(\.entries).filter { $0.confidence == .onlyScope && $0.stub != nil }
    guard let first = hits.first?.request.request else { return [] }
    let which =
      hits.count == 1 ? "1 answered request was inferred:" : "\(hits.count) answered requests were inferred, the first:"
    return [
      "Create the session of the client in the test. \(which) \(first.summary.middle(80)), made on a plain queue, on "
        + "a thread or in a detached task. It may come from another test."
    ]
  }
}
