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
/// A request is waited for only once. If it takes longer than that, what looks back says that the request isn't known.
final class RequestsInFlight: Sendable {
  struct Table {
    var entries: [ObjectIdentifier: JournalEntry] = [:]
    /// The number of running scopes, nested or side by side.
    fileprivate var depth = 0
    /// The number of times that the last scope has ended.
    var generation: UInt64 = 0
    /// Whether somebody looks for long waits.
    var isWatched = false

    /// The requests up to a number that a reader waits for.
    func awaited(by reader: Reader, upTo last: Int = .max) -> [JournalEntry] {
      entries.values.filter { $0.number <= last && $0.state.isAwaited(by: reader) }
    }

    func withCallbacks(of generation: UInt64) -> [JournalEntry] {
      entries.values.filter { $0.state.hasCallbacks && $0.state.generation == generation }
    }

    /// The requests of a stub whose calls nobody has taken, oldest first.
    func untaken(of stub: UInt64) -> [JournalEntry] { untaken.filter { $0.state.request.stub?.id == stub } }

    var untaken: [JournalEntry] { entries.values.filter(\.state.isUntaken).sorted { $0.number < $1.number } }

    /// Lets a request leave that isn't under way any more.
    mutating func removeIfOver(_ entry: JournalEntry) {
      if !entry.state.isUnderWay { entries[ObjectIdentifier(entry)] = nil }
    }
  }

  let table = Awaitable(Table())
  /// A Boolean value that indicates whether the registry lives for ever, in a scope or not.
  private let isForEver: Bool

  init(isForEver: Bool = false) { self.isForEver = isForEver }

  /// Adds a request, which leaves by itself.
  func add(_ entry: JournalEntry) {
    table.withLock { table in
      entry.state.generation = table.generation
      table.entries[ObjectIdentifier(entry)] = entry
    }
  }

  /// Lets the end of a generation, by default the current one, wait for the callbacks of a request that isn't in the
  /// journal.
  func add(_ callbacks: RequestCallbacks, of request: URLRequest, in generation: ScopeGeneration? = nil) {
    let recorded = RecordedRequest(request: request, isInferred: false, startedAt: Date(), outcome: .cancelled)
    let entry = JournalEntry(recorded, number: 0, among: self)
    add(entry)
    table.withLock { _ in
      entry.state.isSearched = false
      if let generation { entry.state.generation = generation.number }
    }
    entry.awaits(callbacks)
  }

  // MARK: Scopes

  /// Enters or leaves a scope. Returns the number of running ones.
  func changeDepth(by change: Int) -> Int {
    table.withLock { table in
      table.depth += change
      return table.depth
    }
  }

  /// A Boolean value that indicates whether no scope is running.
  var isOutsideOfScopes: Bool { !isForEver && table.withLock { $0.depth == 0 } }

  /// Runs a closure while an open scope certainly keeps the registry. Returns `false` if that isn't certain.
  func whileKept(_ body: () -> Void) -> Bool {
    table.withLock {
      guard isForEver || $0.depth > 0 else { return false }
      body()
      return true
    }
  }

  var generation: ScopeGeneration { ScopeGeneration(requests: self, number: table.withLock(\.generation)) }

  /// A Boolean value that indicates whether the registry has had a scope, and has none any more.
  var isOver: Bool { isOutsideOfScopes && generation.number > 0 }

  /// Ends the requests of a generation that wait. Returns its number.
  func endAll(with error: any Error) -> UInt64 {
    let (servers, ended) = table.update { table in
      table.generation += 1
      return (table.entries.values.compactMap { $0.state.server.take() }, table.generation - 1)
    }
    for server in servers { server.scopeEnds(with: error) }
    return ended
  }

  // MARK: Callbacks

  /// The requests of a generation whose callbacks have yet to return.
  func withCallbacks(of generation: UInt64) -> [URLRequest] {
    table.withLock { $0.withCallbacks(of: generation).map(\.state.request.request) }
  }

  // MARK: Looking back

  /// Who looks back.
  enum Reader {
    /// Asks for the stubs of requests, such as the calls of one.
    case ofStubs
    /// Asks for the requests, with their bodies.
    case ofRequests
    /// The end of a test, where each request without a stub has to have failed, so that its report is made, also one
    /// that a redirect leads to.
    case ofReports
  }

  /// How long code that looks back waits, in real time.
  private static let patience = Duration.seconds(1)

  /// A Boolean value that indicates whether the stub of each request is known.
  var isDecided: Bool {
    table.withLock { table in !table.entries.values.contains { $0.state.isSearched && !$0.state.isOver } }
  }

  /// Waits until each request that has been made is known, as far as its reader asks. Costs nothing if there is none.
  func settle(for reader: Reader = .ofRequests) {
    guard let last = last(for: reader) else { return }
    let isSettled = table.block(atMost: Self.patience) { table in
      !table.awaited(by: reader, upTo: last).contains { $0.state.delegateQueue?.isCurrent != true }
    }
    if !isSettled { giveUp(upTo: last) }
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func settle(for reader: Reader = .ofRequests) async {
    guard let last = last(for: reader) else { return }
    let wait = OwnTasks.make {
      Task { [table] in
        await table.wait(atMost: Self.patience, until: { $0.awaited(by: reader, upTo: last).isEmpty })
      }
    }
    if await !wait.value { giveUp(upTo: last) }
  }

  /// The greatest number of a request that a reader waits for, or `nil` if it waits for none. The end of a test waits
  /// for later ones, too.
  private func last(for reader: Reader) -> Int? {
    let last = table.withLock { $0.entries.isEmpty ? nil : $0.awaited(by: reader).map(\.number).max() }
    guard let last, !ClosureRun.isUnderWay(for: self) else { return nil }
    return reader == .ofReports ? .max : last
  }

  private func giveUp(upTo last: Int) {
    table.withLock { table in
      for entry in table.entries.values where entry.number <= last { entry.state.isGivenUp = true }
    }
  }
}

/// The time between two ends of a registry's scope. A request belongs to the generation in which it was made.
struct ScopeGeneration {
  let requests: RequestsInFlight
  let number: UInt64

  var isOver: Bool { requests.generation.number != number }

  /// A generation that never ends.
  static let always = RequestsInFlight().generation
}

extension StubRegistry {
  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most. Blocks the thread.
  package func settleRequests() {
    inFlight.settle(for: .ofReports)
    warnOfUndecided()
  }

  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most.
  package func settleRequests() async {
    await inFlight.settle(for: .ofReports)
    warnOfUndecided()
  }

  /// Says whose stub the end of a test could not wait for.
  private func warnOfUndecided() {
    for entry in journal.made.entries.map(\.request) where entry.isUndecided {
      RequestWarnings.add(
        .undecided,
        "A test has ended, and it isn't known whether a stub matches its request: \(entry.line). Wait for the request in the test."
      )
    }
  }
}

/// What a request waits for, without a time that the test has set. Whoever begins the wait says so.
struct Awaited {
  /// What it is.
  let reason: String
  /// What ends the wait, in a sentence.
  let cure: String

  /// The end of the body, or the stream that the client's delegate is asked for.
  static let body = Awaited(reason: "the end of its body", cure: "Let the client end the body.")
  static let condition = closure("a closure in the condition of a stub")
  static let response = closure("the response closure of the stub")
  static let policy = closure("the closure of the policy for unmatched requests")
  static let callback = closure("a callback of the registry")
  static let call = Awaited(reason: "the test", cure: "Answer the call with respond(), finish() or fail().")
  static let redirect = decision("its client to decide about the redirect")
  static let challenge = decision("its client to answer the challenge")
  static let gate = Awaited(reason: "its gate", cure: "Open the gate.")
  static let piece = Awaited(reason: "the next piece of its stream", cure: "Send it, or end the stream.")

  private static func closure(_ reason: String) -> Awaited {
    Awaited(reason: reason, cure: "Let it return. A closure that waits for its own request never does.")
  }

  private static func decision(_ reason: String) -> Awaited {
    Awaited(reason: reason, cure: "Let the delegate call the completion handler.")
  }
}

/// A wait of more than five seconds for something of StubKit's is told once, on standard error: a test that hangs would
/// otherwise say nothing.
extension RequestsInFlight {
  /// The time between two looks, of which a process that is stopped makes none.
  private static let pause = Duration.milliseconds(500)
  private static let mostLooks = 11

  /// Looks for long waits, as long as a request waits.
  func watch() {
    DispatchQueue.global().asyncAfter(deadline: (.now() + Self.pause).dispatchTime) { [self] in
      let (waiting, long) = table.withLock { table in
        let waiting = table.entries.values.filter { $0.state.wait != nil }
        table.isWatched = !waiting.isEmpty
        return (waiting, waiting.filter { $0.state.look(mostLooks: Self.mostLooks) })
      }
      for entry in long { WorkerPool.background.run(entry.tellOfWait) }
      if !waiting.isEmpty { watch() }
    }
  }
}

extension JournalEntry.State {
  /// Looks at what the request waits for. Returns `true` once, when so many looks have found the same wait.
  fileprivate mutating func look(mostLooks: Int) -> Bool {
    wait?.lookCount += 1
    return wait?.lookCount == mostLooks
  }
}

extension JournalEntry {
  @Sendable fileprivate func tellOfWait() {
    guard let awaited, !request.isReceived else { return }
    if let testReport = snapshot.testReport, let sentence = untakenSentence {
      return testReport.tellEarly(.call, after: .zero) { sentence }
    }
    let stub = stub.map { ", which the stub \($0) answers," } ?? ""
    let test = snapshot.testReport?.test.map { ", in \($0)" } ?? ""
    RequestWarnings.add(
      .waiting,
      "\(request.request.summary(in: .shared))\(stub) has waited for five seconds for \(awaited.reason)\(test). \(awaited.cure)"
    )
  }
}
