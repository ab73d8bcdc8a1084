import Foundation

/// A request in the journal, from the moment when its client makes it: what is recorded of it, and its life.
///
/// Its exchange owns it from then on, and tells it what happens:
///
/// ```text
/// resume()        begin(_:)             GET /users, undecided
/// the search      arrives(_:finding:)   by the stub at UserTests.swift:14
/// the head        receives(_:)          200
/// the end         ends(_:)              answered with 200
/// ```
///
/// Others tell it only of its birth and its withdrawal, of its client's callbacks, that the test takes its call, and
/// that its client is found to have left. A ``RequestContext`` that goes away ends what has no exchange.
final class JournalEntry: Sendable {
  // Safe because it is touched only under the lock of the table.
  @exclusivity(unchecked) nonisolated(unsafe) var state: State
  /// The number of the entry in its journal, from 1, or 0 for a request that isn't in it.
  let number: Int
  let confidence: AttributionConfidence
  private let keepsLargeBodies: Bool
  private let began: Duration
  /// How the registry has taken the request. Its timeline measures durations.
  let snapshot: StubRegistry.Snapshot
  private let inFlight: RequestsInFlight

  init(
    _ request: RecordedRequest, number: Int, _ confidence: AttributionConfidence = .certain,
    _ snapshot: StubRegistry.Snapshot = .init(), keepsLargeBodies: Bool = false,
    among inFlight: RequestsInFlight, at time: Duration? = nil
  ) {
    state = State(request: request, listeners: snapshot.listeners.waiting)
    self.number = number
    self.confidence = confidence
    self.snapshot = snapshot
    self.keepsLargeBodies = keepsLargeBodies
    self.inFlight = inFlight
    began = time ?? snapshot.timeline.now
    if snapshot.timeline is VirtualTimeline { state.request.manualTime = began }
  }

  /// Reads something, or changes something that nobody waits for.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    inFlight.table.withLock { _ in body(&state) }
  }

  /// Lets something happen to the request, and does what that leads to.
  ///
  /// - Parameter event: Changes the state, under the lock of the table, and returns what its life returns.
  /// - Returns: The number of requests of its stub, if it counts as one from now on.
  @discardableResult
  private func update(_ event: (inout State) -> RequestLife.Actions) -> Int? {
    var aftermath = Aftermath()
    inFlight.table.update { table in
      let actions = event(&state)
      table.apply(actions, to: self, &aftermath)
    }
    return aftermath.finish()
  }

  /// The request as it is now.
  var request: RecordedRequest { withState(\.request) }

  /// The stub that was chosen, or `nil` if there is none.
  var stub: StubReference? { withState(\.request.stub) }

  /// The request, and what the summary of the run says of it besides.
  var inSummary: (request: RecordedRequest, note: RunSummary.Note?) { withState { ($0.request, $0.summary) } }

  /// The response suffers from faults.
  func suffers(_ faults: [NetworkFault]?) {
    guard RunSummary.isOn, let faults else { return }
    withState { $0.summary = RunSummary.Note(pattern: $0.summary?.pattern, faults: faults.map(\.name)) }
  }

  /// The call by which the test answers the request, from the moment when it can.
  var call: StubCall? { withState(\.call) }

  /// The entry of the request that this code answers: the code of a closure.
  @TaskLocal static var answered: JournalEntry?

  /// The request leaves the machine, although a closure answers it.
  func goesToNetwork() { withState { $0.request.wasSentToNetwork = true } }

  /// A Boolean value that indicates whether the request is over.
  var isOver: Bool { withState(\.life.isOver) }

  /// A Boolean value that indicates whether the request waits for the test, which has not taken its call or begun to
  /// answer it.
  var isUntaken: Bool { withState(\.life.isUntaken) && call?.isWaiting ?? true }

  /// A Boolean value that indicates whether the request waits for the test, which can't take it before the body of the
  /// request has ended.
  var isAwaitingBody: Bool { withState { $0.life.canBeginCall && $0.life.isUnread } }

  /// A Boolean value that indicates whether the test has forgotten the request.
  var isForgotten: Bool { inFlight.table.withLock { state.era != $0.era } }

  /// The time since the request was made.
  private var age: Duration { snapshot.timeline.now - began }

  // MARK: Waits

  /// The request begins to wait for something, or for nothing more.
  ///
  /// - Parameter answer: What its client waits for from now on, or `nil` for the same as before.
  func waits(for awaited: Awaited?, _ answer: RequestLife.Wait? = nil) {
    var isFirst = false
    var aftermath = Aftermath()
    inFlight.table.update { table in
      guard !state.life.isOver else { return }
      state.wait = awaited.map { ($0, 0) }
      isFirst = awaited != nil && !table.isWatched
      if isFirst { table.isWatched = true }
      if let answer { table.apply(state.life.awaits(answer), to: self, &aftermath) }
    }
    aftermath.finish()
    if isFirst { inFlight.watch() }
  }

  /// What the request waits for, or `nil` for nothing without a time of its own.
  var awaited: Awaited? { withState { $0.wait?.for } }

  /// Its client waits for something else from now on.
  func awaits(_ answer: RequestLife.Wait) { update { $0.life.awaits(answer) } }

  // MARK: The scope

  /// Lets the end of the request's scope end what serves it. Returns `false` if that end has come.
  ///
  /// - Parameter answer: What its client waits for from now on, or `nil` for the same as before.
  func attach(_ server: any ScopeBound, awaiting answer: RequestLife.Wait? = nil) -> Bool {
    var isInTime = false
    var aftermath = Aftermath()
    inFlight.table.update { table in
      isInTime = !table.isOver(state.generation)
      if isInTime, !state.life.isOver { state.server = server }
      if let answer { table.apply(state.life.awaits(answer), to: self, &aftermath) }
    }
    aftermath.finish()
    return isInTime
  }

  /// Lets the end of the request's scope wait for the callbacks of its client.
  func beginsCallbacks() { update { $0.life.beginsCallbacks() } }

  /// The callbacks of its client have returned.
  func returnsCallbacks() { update { $0.life.returnsCallbacks() } }

  // MARK: The arrival and the search

  /// What the search for the request's stub has found, as the journal tells it.
  struct Finding {
    /// In words, for `STUBKIT_LOG`.
    let choice: StaticString
    /// What it is for the life of the request, or `nil` while the search goes on.
    let kind: RequestLife.Finding?
    var use: StubUse?
    var match: RequestMatch?
    /// Whether the request could be sent.
    var isSent = true
    /// Tells on any thread whether the client has cancelled the request. Needed if it waits for the test.
    var hasLeft: Closure<@Sendable () -> Bool>?

    static let nothingYet = Finding(choice: "", kind: nil)
  }

  /// The request has reached the registry. Returns `false` if it had before, or never will.
  ///
  /// - Parameters:
  ///   - incoming: The request.
  ///   - finding: What the search has found.
  ///   - delegateQueue: The queue on which the client's delegate is asked for the body from now on, if it is.
  func arrives(
    _ incoming: IncomingRequest, finding: Finding = .nothingYet, askingOn delegateQueue: OperationQueue? = nil
  ) -> Bool {
    let sent = incoming.asSent
    let body = incoming.bodyInLife
    let listener = listener(for: finding)
    var replaced: URLRequest?
    let count = update { state in
      guard state.life.search == .made else {
        finding.use?.giveBack()
        return .init()
      }
      state.request.isReceived = incoming.isReceived
      replaced = state.request.take(sent, keepsLargeBodies: keepsLargeBodies, isUnread: body != .known)
      var actions = state.life.arrives(body)
      if finding.kind != nil { actions.add(state.take(finding, listener)) }
      if let delegateQueue {
        state.delegateQueue = delegateQueue
        actions.add(state.life.asksForBody())
      }
      return actions
    }
    guard replaced != nil else {
      finding.use?.stub.returnToIndex()
      return false
    }
    // It is released here, outside the lock.
    if finding.kind != nil { tell(finding, count) }
    return true
  }

  /// The search, which has gone on after the arrival, has found something.
  func finds(_ finding: Finding) {
    let listener = listener(for: finding)
    var isOver = false
    let count = update { state in
      isOver = state.life.isOver
      return state.take(finding, listener)
    }
    if !isOver { return tell(finding, count) }
    finding.use?.stub.returnToIndex()
  }

  private func listener(for finding: Finding) -> RequestListener? {
    finding.use.flatMap { snapshot.listeners.ofStubs[$0.stub.id] }
  }

  /// - Parameter count: The number of requests of its stub, if it counts as one from now on.
  private func tell(_ finding: Finding, _ count: Int?) {
    if Trace.isOn { Trace.log(finding.choice, request.request, by: finding.use?.reference) }
    // A client that never stops, such as one that asks for page after page, would hang its test without a word.
    // A test that passes `times:` means so many. A mistaken stub answers none, and its test says how to fix it.
    if count == 1_000, let stub = finding.use?.stub, stub.limit == .max {
      let summary = request.request.summary(in: .shared)
      let (act, cure) = stub.mistake.map { ("failed", $0) } ?? ("answered", stub.wayToStop)
      RequestWarnings.add(.endless, "The stub \(stub.reference) has \(act) 1,000 requests, now \(summary). \(cure)")
    }
  }

  /// The report that no stub matches the request is made.
  func reports() { update { $0.life.reports() } }

  /// The search ends without a result.
  func drops() { update { $0.life.drops() } }

  /// The body of the request was read.
  ///
  /// - Parameter request: The request with it.
  func endsBody(_ request: URLRequest) {
    var replaced: URLRequest?
    update { state in
      replaced = state.request.take(request, keepsLargeBodies: keepsLargeBodies)
      return state.life.endsBody()
    }
    // It is released here, outside the lock.
    _ = consume replaced
  }

  /// Nobody reads the body of the request, or its beginning is all that is read.
  func endsBody() { update { $0.life.endsBody() } }

  /// The body of the request breaks off.
  func breaksBody() { update { $0.life.breaksBody() } }

  /// The body of the request is that of a file. It is added if it can be read: at most a megabyte, because this runs on
  /// the queue of the request.
  func sends(bodyIn file: URL) {
    guard let file = try? RegularFile(file) else { return lacksBody(.unreadable) }
    guard keepsLargeBodies || file.length <= RecordedRequest.keptLength else { return lacksBody(.large(file.length)) }
    guard let body = try? file.read(0..<file.length) else { return lacksBody(.unreadable) }
    var request = request.request
    request.httpBody = body
    endsBody(request)
  }

  private func lacksBody(_ reason: MissingBody) {
    update { state in
      state.request.lackOfBody = reason
      return state.life.endsBody()
    }
  }

  /// The request leaves the journal, because its client has not made it after all, or because the registry isn't asked.
  /// Returns `false` if it has arrived.
  func withdraws(in table: inout RequestsInFlight.Table, _ aftermath: inout Aftermath) -> Bool {
    let isWithdrawn = state.life.search == .made
    table.apply(state.life.withdraws(), to: self, &aftermath)
    return isWithdrawn
  }

  // MARK: The answer

  /// Lets the test answer the request with a call. If a closure has returned a controlled response for a client that
  /// has left meanwhile, the test can take the call all the same.
  ///
  /// - Parameter hasLeft: Tells on any thread whether the client has cancelled the request.
  func begins(_ call: StubCall, unless hasLeft: Closure<@Sendable () -> Bool>? = nil) {
    var isBegun = false
    var aftermath = Aftermath()
    var earlierCall: StubCall?
    inFlight.table.update { table in
      guard state.life.call == .none, state.life.search == .decided(byStub: true) else { return }
      state.call = call
      if state.life.isOver {
        earlierCall = table.queueCall(of: self)
      } else {
        isBegun = true
        state.hasLeft = hasLeft
        table.apply(state.life.beginsCall(), to: self, &aftermath)
      }
    }
    aftermath.finish()
    // It is released here, outside the lock.
    _ = consume earlierCall
    if !isBegun { call.end(request.outcome) }
  }

  /// The test takes the call of the request, or can't take it any more, under the lock of the table.
  ///
  /// - Parameter isForgotten: Whether the test has forgotten it.
  func takesCall(isForgotten: Bool = false, in table: inout RequestsInFlight.Table) {
    var aftermath = Aftermath()
    table.apply(isForgotten ? state.life.forgetsCall() : state.life.takesCall(), to: self, &aftermath)
    aftermath.finish()
  }

  /// Asks whether the client has cancelled a request that waits for the test, although its exchange doesn't know yet.
  func asksClient() {
    guard let hasLeft = withState({ $0.life.isUntaken ? $0.hasLeft : nil }), hasLeft.call() else { return }
    update { $0.life.leaves() }
  }

  /// The head of a response is due.
  func receives(_ response: RecordedRequest.Response) {
    let time = age
    withState { $0.receive(response, after: time, keepsLargeBodies) }
  }

  /// Notes that the client hangs up.
  func noteHangUp() {
    let time = age
    withState { $0.request.timeToHangUp = $0.request.timeToHangUp ?? time }
  }

  // MARK: Listeners

  /// A Boolean value that indicates whether somebody can learn of the end and hasn't. Nobody learns of a request that
  /// isn't in the journal.
  var isListenedTo: Bool { withState { $0.listeners.canHear && $0.life.search != .absent } }

  /// Lets those who hear of answers learn of one. Call this where the user's closures run, before the client receives
  /// anything.
  func notify(of answer: DeferredRelease<RequestAnswer>) {
    inFlight.table.withLock { $0.count(self, for: .ofEnds, by: 1) }
    snapshot.listeners.notify(of: answer.value)
    let late = inFlight.table.update { table in
      state.listeners.answered(by: answer)
      defer { table.listenersReturned(for: self) }
      // The others have learned of its end meanwhile.
      return state.life.isOver && !state.life.isSearched ? table.takeListeners(of: self) : nil
    }
    if let late { call(late, request) }
  }

  /// Determines the end of the request before its client learns of it, and lets the listeners learn of it. A
  /// cancellation that comes after this changes nothing. Call this where the user's closures run.
  ///
  /// - Parameters:
  ///   - error: The error that ends it, or `nil`.
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - next: The request that its response redirects to. The client may still decide that the response is the answer.
  func notifyOfEnd(_ error: (any Error)?, sentLength: Int?, redirectedTo next: URLRequest?) {
    let duration = age
    let (listeners, told) = inFlight.table.withLock { table in
      var request = state.request
      if request.outcome == .inProgress {
        let status = request.response?.status ?? state.listeners.answer?.value.response?.value.status ?? 200
        let end = state.toldEnd ?? (error.map { .failed($0) } ?? .answered(status: status), sentLength, duration)
        request.end(end.outcome, end.sentLength, end.duration)
        if next == nil { state.toldEnd = end }
      }
      return (table.takeListeners(of: self), request)
    }
    call(listeners, told, redirectedTo: next)
  }

  /// Lets listeners learn of the end that the request has, elsewhere than on the thread that has ended it.
  func notify(_ listeners: RequestListeners.Waiting) {
    let work = snapshot.timeline.counted { [self] in
      let run = ClosureRun(for: inFlight)
      ClosureRun.$current.withValue(run) { call(listeners, request) }
      run.end()
    }
    WorkerPool.closures.run(work)
  }

  /// Calls listeners that were taken. The end of a scope and of a test wait for them.
  private func call(
    _ listeners: RequestListeners.Waiting, _ request: RecordedRequest, redirectedTo next: URLRequest? = nil
  ) {
    guard !listeners.isEmpty else { return }
    listeners.notify(of: request, redirectedTo: next)
    inFlight.table.update { $0.listenersReturned(for: self) }
  }

  // MARK: The end

  /// The request is over. One that ends away from its answer, for example by its cancellation, can end twice.
  ///
  /// - Parameters:
  ///   - response: The response, if it was received as a whole just now.
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - isLed: Whether the system begins the next request of its task.
  func ends(
    _ outcome: RecordedRequest.Outcome, receiving response: RecordedRequest.Response? = nil, sentLength: Int? = nil,
    isLed: Bool = false
  ) {
    let duration = age
    update { state in
      if let response { state.receive(response, after: duration, keepsLargeBodies) }
      return state.end(outcome, sentLength, after: duration, isLed: isLed)
    }
  }

  /// A Boolean value that indicates whether the request is on its way to its registry.
  var isOnItsWay: Bool { withState { $0.life.search == .made } }

  /// The system begins no other request of its task after all.
  func leadsNowhere() { update { $0.life.leadsNowhere() } }

  /// The next request of its task takes its place, under the lock of the table.
  ///
  /// - Parameter outcome: How the earlier one ends, unless it is over.
  func follows(
    _ earlier: JournalEntry, endingWith outcome: RecordedRequest.Outcome?, in table: inout RequestsInFlight.Table,
    _ aftermath: inout Aftermath
  ) {
    let duration = earlier.age
    state.server = earlier.state.server.take()
    if earlier.state.life.callbacks == .pending { _ = state.life.beginsCallbacks() }
    table.add(self, in: earlier.state.generation)
    var actions = outcome.map { earlier.state.end($0, after: duration) } ?? .init()
    actions.add(earlier.state.life.handsOver())
    table.apply(actions, to: earlier, &aftermath)
  }
}

extension IncomingRequest {
  fileprivate var bodyInLife: RequestLife.Body {
    switch body {
    case .none, .data: .known
    case .unread(_, let file): file == nil ? .coming : .inFile
    }
  }
}
