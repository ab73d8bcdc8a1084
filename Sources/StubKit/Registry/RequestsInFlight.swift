import Foundation

/// The requests of a registry that are under way, and the scopes that they belong to.
///
/// A request is among them from the moment when its client makes it until its client's callbacks have returned, and
/// until the test has taken its call, if it has one. Its ``JournalEntry`` says how far it is, and what it waits for.
/// The table answers what is asked of all of them:
///
/// - What looks back, such as a verification, waits until the requests are known, so that what has been asked is seen.
/// - The end of a scope ends what waits, and then waits until the callbacks have returned.
/// - A wait of more than five seconds is told.
/// - `nextCall()` takes the oldest call that nobody has taken.
///
/// A search depends on URLSession's work queues, on a body, and on the closures of conditions, which run on threads of
/// StubKit's own. None of them needs the thread that looks back, but for these:
///
/// - None of the user's code runs on a work queue of URLSession, so nothing there looks back.
/// - A closure that StubKit runs, or the stream of a body, can be part of the search. Code in it doesn't wait for
///   requests of its registry, until it has returned.
/// - A delegate can be asked for the stream of a body on the queue of the code that looks back, or on the dispatch
///   queue beneath it. Such a body isn't waited for there.
///
/// A look has a second of its own. If a request takes longer than that, what looks back says that the request isn't
/// known.
///
/// A change of one request costs the same, however many others there are. The table therefore keeps numbers of
/// requests, which the lives of the requests change, and asks no request twice.
final class RequestsInFlight: Sendable {
  struct Table {
    var entries = EntrySet()
    /// The number of running scopes, nested or side by side.
    fileprivate var depth = 0
    /// The number of times that the first scope has begun, and that the last one has ended. An odd one is in a scope.
    private(set) var generation: UInt64 = 0
    /// Whether somebody looks for long waits.
    var isWatched = false
    /// Whether the end of the registry's test has waited. Nobody waits for the same again.
    fileprivate var isAfterEnd = false

    /// How many requests each reader waits for.
    private var undecidedCount = 0
    private var unknownCount = 0
    /// The number of those that the end of a test waits for.
    fileprivate(set) var comingCount = 0
    /// How many of the current generation have callbacks that have not returned.
    private var callbackCount = 0
    /// How many of each earlier generation that has any.
    private var earlierCallbackCounts: [UInt64: Int] = [:]
    fileprivate var looks: [Look] = []
    /// The number of looks that had to wait.
    private(set) var lookCount = 0
    /// The greatest number of a request.
    fileprivate private(set) var newest = 0
    /// The requests whose body a delegate is asked for.
    fileprivate private(set) var asked: [ObjectIdentifier: JournalEntry] = [:]
    /// The calls that nobody has taken, by the identifiers of their stubs.
    private var calls: [UInt64: CallQueue] = [:]
    /// The number of times that the test has forgotten its requests.
    private(set) var era: UInt64 = 0

    /// The requests that some code which looks back still waits for.
    fileprivate struct Look {
      let number: Int
      let reader: RequestLife.Readers
      /// The newest request of the look. Those that follow don't matter to it.
      let newest: Int
      var rest: Int
    }

    // MARK: Requests

    /// Adds a request. It leaves by itself.
    ///
    /// - Parameter generation: That of the request, or `nil` for the current one.
    mutating func add(_ entry: JournalEntry, in generation: UInt64? = nil) {
      // One that names no scope isn't of the scope that happens to be open.
      let outside = self.generation - self.generation % 2
      entry.state.generation = generation ?? (entry.snapshot.isOfScope ? self.generation : outside)
      entry.state.era = era
      entries.insert(entry)
      newest = max(newest, entry.number)
      count(entry, for: entry.state.request.life.readers, by: 1)
    }

    /// Counts a request for those who wait for it now, or don't any more. A look never waits for more requests.
    mutating func count(_ entry: JournalEntry, for readers: RequestLife.Readers, by change: Int) {
      if readers.contains(.ofStubs) { undecidedCount += change }
      if readers.contains(.ofRequests) { unknownCount += change }
      if readers.contains(.ofEnd) { comingCount += change }
      if readers.contains(.ofScope) { countCallbacks(of: entry.state.generation, by: change) }
      guard change < 0, !looks.isEmpty else { return }
      for index in looks.indices where readers.contains(looks[index].reader) && entry.number <= looks[index].newest {
        looks[index].rest -= 1
      }
    }

    private mutating func countCallbacks(of generation: UInt64, by change: Int) {
      guard generation != self.generation else { return callbackCount += change }
      let count = earlierCallbackCounts[generation, default: 0] + change
      earlierCallbackCounts[generation] = count == 0 ? nil : count
    }

    /// The number of a generation's requests whose callbacks have not returned.
    func callbackCount(of generation: UInt64) -> Int {
      generation == self.generation ? callbackCount : earlierCallbackCounts[generation] ?? 0
    }

    /// Whether the end of a generation has come. What is requested outside of scopes has none.
    func isOver(_ generation: UInt64) -> Bool { generation % 2 == 1 && generation != self.generation }

    /// Begins the next generation. Returns the number of the one before.
    @discardableResult
    fileprivate mutating func endGeneration() -> UInt64 {
      if callbackCount > 0 { earlierCallbackCounts[generation] = exchange(&callbackCount, with: 0) }
      generation += 1
      return generation - 1
    }

    /// A Boolean value that indicates whether the stub of each request is known.
    var isDecided: Bool { undecidedCount == 0 }

    /// The requests that wait for the test, which has not taken their calls, oldest first.
    var untaken: [JournalEntry] {
      entries.values.filter(\.state.request.life.isUntaken).sorted { $0.number < $1.number }
    }

    // MARK: Looks

    /// The number of requests that a look has to wait for.
    fileprivate func rest(for reader: RequestLife.Readers) -> Int {
      isAfterEnd ? 0 : reader == .ofStubs ? undecidedCount : unknownCount
    }

    fileprivate mutating func beginLook(for reader: RequestLife.Readers) -> Int {
      lookCount += 1
      looks.append(Look(number: lookCount, reader: reader, newest: newest, rest: rest(for: reader)))
      return lookCount
    }

    fileprivate mutating func endLook(_ number: Int) { looks.removeAll { $0.number == number } }

    fileprivate func look(_ number: Int) -> Look? { looks.first { $0.number == number } }

    /// A delegate is asked for the body of a request, or isn't any more.
    mutating func noteAsked(_ entry: JournalEntry) {
      let life = entry.state.request.life
      asked[ObjectIdentifier(entry)] = life.body == .asked && !life.isOver ? entry : nil
    }

    // MARK: Calls

    /// Lets `nextCall()` take the call of a request, unless the test has forgotten the request. Returns the newest call
    /// of the stub until now, to be released outside the lock.
    mutating func queueCall(of entry: JournalEntry) -> StubCall? {
      guard let stub = entry.state.request.stub else { return nil }
      let request = entry.state.request
      // Its client has left before it had one.
      let call =
        entry.state.call
        ?? StubCall(request.request, request.match ?? RequestMatch(callNumber: 1, captures: Captures()))
      entry.state.call = call
      guard entry.state.era == era else {
        entry.takesCall(isForgotten: true, in: &self)
        return nil
      }
      calls[stub.id, default: CallQueue()].insert(entry)
      return entry.state.counts?.record(call, of: entry)
    }

    func hasCall(of stub: UInt64) -> Bool { calls[stub] != nil }

    /// Returns the requests of a stub that the test can't take yet, and that it can take later if they get a call.
    func awaitingCall(of stub: UInt64) -> [JournalEntry] {
      entries.values.filter { entry in
        entry.state.request.stub?.id == stub && entry.state.era == era && entry.state.request.life.canBeginCall
      }
    }

    /// Lets stubs count their calls from here on. A request that is under way counts for nothing. Returns what is to be
    /// released outside the lock.
    mutating func forgetAll() -> [UInt64: CallQueue] {
      era += 1
      let forgotten = exchange(&calls, with: [:])
      for entry in forgotten.values.flatMap(\.waiting) { entry.takesCall(isForgotten: true, in: &self) }
      return forgotten
    }

    /// Takes the oldest call of a stub. Returns its request, to be released outside the lock.
    mutating func takeCall(of stub: UInt64) -> JournalEntry? {
      guard let entry = calls[stub]?.takeFirst() else { return nil }
      if calls[stub]?.isEmpty == true { calls[stub] = nil }
      entry.takesCall(in: &self)
      return entry
    }

    /// Takes out what is left, to be released outside the lock.
    mutating func takeAll() -> (EntrySet, [UInt64: CallQueue]) {
      (exchange(&entries, with: EntrySet()), exchange(&calls, with: [:]))
    }
  }

  let table = Awaitable(Table())
  /// A Boolean value that indicates whether the registry lives for ever, in a scope or not.
  private let isForEver: Bool

  init(isForEver: Bool = false) { self.isForEver = isForEver }

  /// Lets the end of a generation, by default the current one, wait for the callbacks of a request that isn't in the
  /// journal.
  func add(_ callbacks: RequestCallbacks, of request: URLRequest, in generation: ScopeGeneration? = nil) {
    var recorded = RecordedRequest(request: request, isUnscoped: false, startedAt: Date(), outcome: .cancelled)
    recorded.life = .elsewhere
    let entry = JournalEntry(recorded, number: 0, among: self)
    table.withLock { $0.add(entry, in: generation?.number) }
    callbacks.whenOver(entry.returnsCallbacks)
  }

  // MARK: Scopes

  /// Enters or leaves a scope. Returns the number of running ones.
  func changeDepth(by change: Int) -> Int {
    table.update { table in
      table.depth += change
      if change > 0, table.depth == 1 { table.endGeneration() }
      return table.depth
    }
  }

  /// A Boolean value that indicates whether a scope is running.
  var isInScope: Bool { table.withLock { $0.depth > 0 } }

  /// A Boolean value that indicates whether no scope is running.
  var isOutsideOfScopes: Bool { !isForEver && table.withLock { $0.depth == 0 } }

  /// Runs a closure while an open scope certainly keeps the registry. Returns `false` if that isn't certain.
  func whileKept(_ body: () -> Void) -> Bool {
    if isForEver {
      body()
      return true
    }
    return table.withLock {
      guard $0.depth > 0 else { return false }
      body()
      return true
    }
  }

  var generation: ScopeGeneration { current.generation }

  /// The current generation, and whether the registry has had a scope, and has none any more.
  var current: (generation: ScopeGeneration, isOver: Bool) {
    let (number, depth) = table.withLock { ($0.generation, $0.depth) }
    return (ScopeGeneration(requests: self, number: number), !isForEver && depth == 0 && number > 0)
  }

  /// Ends the requests of the scope that wait. Returns the number of its generation.
  func endAll(with error: any Error) -> UInt64 {
    let (servers, ended) = table.update { table in
      let ended = table.endGeneration()
      // Oldest first: what is told once is told of the first.
      let oldestFirst = table.entries.values.filter { $0.state.generation == ended }.sorted { $0.number < $1.number }
      return (oldestFirst.compactMap { $0.state.server.take() }, ended)
    }
    for server in servers { server.scopeEnds(with: error) }
    return ended
  }

  // MARK: Callbacks

  /// The requests of a generation whose callbacks have yet to return.
  func withCallbacks(of generation: UInt64) -> [URLRequest] {
    table.withLock { table in
      table.entries.values.map(\.state).filter { $0.generation == generation && $0.request.life.callbacks == .pending }
        .map(\.request.request)
    }
  }

  // MARK: Looking back

  /// How long code that looks back waits, in real time, and the end of a test.
  static let patience = Duration.seconds(1)

  /// A Boolean value that indicates whether the stub of each request is known.
  var isDecided: Bool { table.withLock(\.isDecided) }

  /// Waits until each request that has been made is known, as far as its reader asks. Costs nothing if there is none.
  ///
  /// - Returns: Whether that is so, but for bodies that this thread keeps from coming. `false` if the time is up.
  @discardableResult
  func settle(for reader: RequestLife.Readers = .ofRequests) -> Bool {
    guard let number = beginLook(for: reader) else { return true }
    defer { endLook(number) }
    return table.block(atMost: Self.patience) { table in
      guard let look = table.look(number), look.rest > 0 else { return true }
      // What this thread keeps from going on isn't waited for. Usually a glance at the numbers is enough.
      guard look.rest <= table.asked.count else { return false }
      return look.rest
        == table.asked.values.count {
          $0.number <= look.newest && $0.state.request.life.readers.contains(reader)
            && $0.state.delegateQueue?.isCurrent == true
        }
    }
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func settle(for reader: RequestLife.Readers = .ofRequests) async {
    guard let number = beginLook(for: reader) else { return }
    let wait = OwnTasks.make {
      Task { [table] in _ = await table.wait(atMost: Self.patience, until: { ($0.look(number)?.rest ?? 0) == 0 }) }
    }
    await wait.value
    endLook(number)
  }

  /// Returns the number of a look, or `nil` if it has nothing to wait for.
  private func beginLook(for reader: RequestLife.Readers) -> Int? {
    guard table.withLock({ $0.rest(for: reader) > 0 }), !ClosureRun.isUnderWay(for: self) else { return nil }
    return table.withLock { $0.beginLook(for: reader) }
  }

  private func endLook(_ number: Int) { table.withLock { $0.endLook(number) } }

  // MARK: The end of a test

  /// Waits until nothing comes by itself any more, for a second at most. Returns the requests that were made before,
  /// and of which it isn't known yet whether a stub matches them.
  func awaitEnd() -> [JournalEntry] {
    let newest = beginEnd()
    block(atMost: Self.patience) { $0.comingCount == 0 }
    return endEnd(newest)
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func awaitEnd() async -> [JournalEntry] {
    let newest = beginEnd()
    let wait = OwnTasks.make {
      Task { [table] in _ = await table.wait(atMost: Self.patience, until: { $0.comingCount == 0 }) }
    }
    await wait.value
    return endEnd(newest)
  }

  /// Blocks the thread until a condition is met. The callbacks can have the main queue, so its run loop runs meanwhile.
  func block(atMost bound: Duration, until condition: (inout Table) -> Bool) {
    guard Thread.isMainThread else {
      _ = table.block(atMost: bound, until: condition)
      return
    }
    let end = Duration.now() + bound
    while !table.withLock(condition), Duration.now() < end {
      // What is due. Waiting in the run loop would take longer than most callbacks need to return.
      _ = RunLoop.main.run(mode: .default, before: .now)
      if table.block(atMost: .milliseconds(1), until: condition) { return }
    }
  }

  private func beginEnd() -> Int {
    // A cancellation on its way is seen.
    let (newest, untaken) = table.withLock { ($0.newest, $0.untaken) }
    for entry in untaken { entry.asksClient() }
    return newest
  }

  private func endEnd(_ newest: Int) -> [JournalEntry] {
    table.withLock { table in
      table.isAfterEnd = true
      guard table.comingCount > 0 else { return [] }
      return table.entries.values
        .filter { 0 < $0.number && $0.number <= newest && $0.state.request.life.isSearched }
        .sorted { $0.number < $1.number }
    }
  }
}

extension StubRegistry {
  /// Waits at the end of a test until nothing comes by itself any more, for a second at most: the search for a stub, an
  /// answer that is due, the code that makes one, the callbacks of what is over, and what these lead to. Blocks the
  /// thread.
  ///
  /// - Returns: What the end could not wait for, as issues of the test.
  package func settleRequests() -> [TestReport.Mistake] { unsettled(inFlight.awaitEnd()) }

  /// Waits as the synchronous form does, without blocking the thread.
  package func settleRequests() async -> [TestReport.Mistake] { await unsettled(inFlight.awaitEnd()) }

  private func unsettled(_ entries: [JournalEntry]) -> [TestReport.Mistake] {
    entries.map { entry in
      let cure = entry.awaited.map { "waits for \($0.reason). \($0.cure) Or wait" } ?? "goes on. Wait"
      return (
        "It isn't known whether a stub matches \(entry.request.request.summary(in: .shared)): a second after the end of the test, the "
          + "search \(cure) for the request in the test.", nil
      )
    }
  }
}
