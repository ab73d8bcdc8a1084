import Foundation

/// One request, from the search for its stub to its end, and the requests that its response leads to.
///
/// Its client is a task of URLSession or a connection of a server. The client can leave, pause and continue at any
/// step. After the end, it is told nothing more.
package final class Exchange: ScopeBound, @unchecked Sendable {
  // Safe because everything in it is touched on `queue` only, where its client calls it, too.
  let context: RequestContext
  let queue: TimelineQueue
  /// The client, or `nil` after it has received everything. It keeps the exchange alive.
  private(set) var client: (any ExchangeClient)?
  /// The request that is being answered.
  var hop: Hop
  private(set) var state = State.ready
  /// The request that is being answered, in the journal, or `nil` for one that isn't in it. The exchange tells it what
  /// happens.
  private(set) var entry: JournalEntry?
  /// A Boolean value that indicates whether it is certain which registry the request belongs to.
  var isAttributed = false
  /// A Boolean value that indicates whether the session's cache has been asked.
  var isPastCache = false
  /// The number of bytes that were read of the last body that has any.
  var readByteCount = 0

  /// A response whose head has come, and is recorded with its end.
  var unseenResponse: RecordedRequest.Response?

  /// The time since which the client has been paused, or `nil` while it isn't.
  private var pausedSince: Duration?
  /// The time when the exchange would have begun if it had never been paused.
  private var began: Duration
  /// Whether the end of the scope ends the exchange.
  private var endsWithScope = false
  private var closures: RequesterTask?
  /// The timeout that ends a wait that takes longer than the client waits. Afterwards, it is part of the delivery's
  /// plan.
  private var timeout: (start: Duration, timer: DeliveryTimer)? { didSet { oldValue?.timer.cancel() } }

  /// What an exchange does, with what only that needs.
  enum State {
    /// The registry can be asked for the answer to the request.
    case ready
    /// Work away from the queue is under way: the user's closures, the reading of a file, or a report.
    case waiting
    /// A response, or a failure, is on its way to the client.
    case delivering(Delivery)
    /// The system has been told of the redirect in a response. It creates a new exchange for the redirect, unless the
    /// delegate refuses it, and the response is delivered. That exchange can begin before this one is stopped.
    case awaitingSystemRedirect(Delivery, RequestContext.Lead)
    /// The network has the request. The client is gone, or a fetch has yet to receive a response for it.
    case passedThrough(any NetworkLoad)
    /// The client is gone.
    case over(RecordedRequest.Outcome)

    /// A Boolean value that indicates whether the answer isn't known yet.
    var isUnanswered: Bool {
      switch self {
      case .ready, .waiting: true
      case .delivering, .awaitingSystemRedirect, .passedThrough, .over: false
      }
    }

    /// The delivery that is under way, or that is held.
    var delivery: Delivery? {
      switch self {
      case .delivering(let delivery), .awaitingSystemRedirect(let delivery, _): delivery
      case .ready, .waiting, .passedThrough, .over: nil
      }
    }
  }

  /// - Parameter queue: The queue of the client, on the registry's time.
  init(_ request: URLRequest, _ context: RequestContext, client: any ExchangeClient, on queue: TimelineQueue) {
    hop = Hop(request)
    self.context = context
    self.client = client
    self.queue = queue
    began = queue.now
    entry = context.beginExchange(for: request)
  }

  var registry: StubRegistry { context.registry }
  var isPaused: Bool { pausedSince != nil }

  // MARK: What the client does

  /// Begins, or continues after `pause()`. Has no effect while it is running.
  func start() {
    if let pausedSince = pausedSince.take() {
      began = began + (queue.now - pausedSince)
      if let answer = awaitedDelivery { entry?.awaits(answer) }
    }
    advance()
  }

  /// The delivery that the client waits for, or `nil` if it waits for something else.
  var awaitedDelivery: RequestLife.Wait? {
    guard case .delivering(let delivery) = state, !delivery.isHeld else { return nil }
    return .delivery(isDue: !isPaused && delivery.comesByItself)
  }

  func pause() {
    pausedSince = pausedSince ?? queue.now
    switch state {
    case .ready, .over: break
    case .waiting: timeout = nil
    case .delivering(let delivery), .awaitingSystemRedirect(let delivery, _):
      delivery.pause()
      entry?.awaits(.delivery(isDue: false))
    case .passedThrough(let load): load.pause()
    }
  }

  /// The client has left before the end, or after the system has taken it over.
  package func stop() {
    // The system's loader on Linux can't be stopped before the task has its error. URLSession calls again then.
    if case .passedThrough(let load) = state, !load.leave() { return }
    if client?.willStop() == true, case .awaitingSystemRedirect(_, let lead) = state {
      return end(lead.outcome, isLed: lead.isIntercepted)
    }
    end(.cancelled)
  }

  /// The client of a server leaves, or ends its side of the connection, before it has its answer.
  package func noteHangUp() { entry?.noteHangUp() }

  // MARK: States

  /// Goes over to a state, and does what there is to do in it: now, or when the client continues.
  func transition(to next: State) {
    state = next
    if pausedSince == nil { advance() }
  }

  private func advance() {
    switch state {
    case .ready: LastReleases.happenElsewhere { ask() }
    case .waiting: watch()
    case .delivering(let delivery), .awaitingSystemRedirect(let delivery, _): delivery.play()
    case .passedThrough(let load): load.start()
    case .over: break
    }
  }

  /// Waits for something away from the queue, or continues a wait. Returns `false` if the exchange has failed instead,
  /// because its scope is over.
  func beginWait() -> Bool {
    state = .waiting
    guard trackInFlight() else { return false }
    if pausedSince == nil { watch() }
    return true
  }

  /// Fails at once and returns `false` if the scope ended before the exchange began.
  ///
  /// - Parameter answer: What the client waits for from now on, or `nil` for the same as before.
  @discardableResult
  func trackInFlight(awaiting answer: RequestLife.Wait? = nil) -> Bool {
    guard let entry, context.isInJournal, !endsWithScope else {
      if let answer { entry?.awaits(answer) }
      return true
    }
    endsWithScope = entry.attach(self, awaiting: answer)
    if !endsWithScope { fail(with: StubScopeEndedError()) }
    return endsWithScope
  }

  /// Stops what is under way. The state stays.
  ///
  /// - Returns: The number of bytes of a response's body that were delivered.
  @discardableResult
  func stopWork() -> Int {
    timeout = nil
    state.delivery?.stop()
    return state.delivery?.deliveredLength ?? 0
  }

  /// Fails at once, whatever it was about to deliver. While the client is paused, the failure waits for it.
  func fail(with error: any Error) {
    guard let client else { return }
    // An open stream occupies the task in which the listeners run, so they are told here only before a delivery.
    let isUnanswered = state.isUnanswered
    let sentLength = stopWork()
    let schedule = ResponseSchedule(plan: DeliveryPlan(ending: .failure), failure: error)
    play(schedule, stream: nil, nil, nil, to: client, notifiesListeners: isUnanswered) { [self] _ in
      end(.failed(error), sentLength: sentLength)
    }
  }

  /// Continues with the request that a response leads to.
  func follow(_ next: Hop, status: Int) {
    stopWork()
    let outcome = RecordedRequest.Outcome.answered(status: status)
    if let entry, !next.isSentToNetwork, Platform.canIntercept(next.request) {
      // Both at the same moment, so that the end of a test finds one of them.
      adopt(
        registry.journal.begin(
          next.request, context.confidence, context.snapshot, after: entry, endingWith: outcome,
          followsRedirect: next.redirectCount > 0))
    } else {
      entry?.ends(outcome)
    }
    client?.startOver(with: next)
    hop = next
    transition(to: .ready)
  }

  /// Removes the entry of a request that the registry isn't asked for.
  func withdrawEntry() { context.withdrawEntry(entry) }

  /// Tells another entry what happens from now on. It has the callbacks of the task.
  func adopt(_ entry: JournalEntry) {
    guard entry !== self.entry else { return }
    self.entry = entry
    context.callbacks.follow(entry)
  }

  /// Leaves the client to the network.
  func pass(to load: any NetworkLoad) {
    stopWork()
    client = nil
    endRequest(.passedThrough)
    transition(to: .passedThrough(load))
  }

  /// Lets a fetch load the request, and delivers what it receives. The end of the scope doesn't end it.
  func load(by fetch: any NetworkLoad) {
    stopWork()
    hop.isSentToNetwork = true
    endEntry(.passedThrough)
    context.endClosureWait()
    transition(to: .passedThrough(fetch))
  }

  /// - Parameters:
  ///   - response: The response, if it was received as a whole just now.
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for those of the delivery.
  ///   - isLed: Whether the system begins the next request of its task.
  func end(
    _ outcome: RecordedRequest.Outcome, receiving response: RecordedRequest.Response? = nil, sentLength: Int? = nil,
    isLed: Bool = false
  ) {
    if case .over = state { return }
    reportOwnError(outcome.error)
    let delivered = stopWork()
    if outcome == .cancelled { leaveUnasked() }
    client = nil
    endRequest(
      outcome, receiving: response ?? unseenResponse.take(), sentLength: sentLength ?? delivered, isLed: isLed)
    state = .over(outcome)
  }

  /// Fails the test with an error of StubKit's own, because the client may keep it to itself. Requests without a stub,
  /// and those after the end of their scope, are reported where they are found.
  private func reportOwnError(_ error: (any Error)?) {
    guard let error = error as? any StubKitError, !(error is UnmatchedRequestError || error is StubScopeEndedError),
      let testReport = context.snapshot.testReport
    else { return }
    let stub = entry?.stub
    let namesStub = error is StubResponseError || error is StreamAlreadyUsedError
    let subject = stub.map { "The stub \($0)" } ?? "The response to an unmatched request"
    testReport.add(namesStub ? "\(error)" : "\(subject) fails its request: \(error)", at: stub?.location)
  }

  /// Tells the journal, and releases the closures.
  private func endRequest(
    _ outcome: RecordedRequest.Outcome, receiving response: RecordedRequest.Response? = nil, sentLength: Int? = nil,
    isLed: Bool = false
  ) {
    endEntry(outcome, receiving: response, sentLength: sentLength, isLed: isLed)
    if !Platform.tellsLastCallback { context.callbacks.complete() }
    context.endClosureWait()
    let closures = closures.take()
    // The closures of a load that the system creates next run in the same task.
    if case .awaitingSystemRedirect = state, let closures, closures === context.requesterTask { return }
    closures?.cancel()
  }

  func scopeEnds(with error: any Error) {
    queue.perform { [self] in
      if client?.isAwaitedByTask == true { NetworkAccess.tellOfEnd(hop.request, of: registry.testReport) }
      fail(with: error)
    }
  }

  /// Creates something away from the queue, because that takes time, and continues with it on the queue, unless it has
  /// been decided meanwhile what happens to the request.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then completion: @escaping @Sendable (Thing) -> Void
  ) {
    guard beginWait() else { return }
    queue.away(make) { [self] thing in if state.isUnanswered { completion(thing) } }
  }

  // MARK: Closures and listeners

  /// Runs the user's closures, and continues on the queue.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable () async -> Outcome, then completion: @escaping @Sendable (Outcome) -> Void,
    orDropped dropped: @escaping Work = {}
  ) {
    let next = { @Sendable [queue] (outcome: Outcome) in queue.performHere { completion(outcome) } }
    taskForClosures().run(work, then: next, orDropped: dropped)
  }

  /// Returns the task that runs the user's closures, for one request of the chain after the other.
  func taskForClosures() -> RequesterTask {
    let task = closures ?? context.taskForClosures()
    closures = task
    return task
  }

  private func endEntry(
    _ outcome: RecordedRequest.Outcome, receiving response: RecordedRequest.Response? = nil, sentLength: Int? = nil,
    isLed: Bool = false
  ) {
    entry?.ends(outcome, receiving: response, sentLength: sentLength, isLed: isLed)
    // The life of the request ends what the scope would have ended.
    endsWithScope = false
  }

  /// A Boolean value that indicates whether somebody has yet to learn of the end of the request.
  var isListenedTo: Bool { !context.snapshot.listeners.isEmpty && entry?.isListenedTo == true }

  /// Lets those who listen learn of the end, which waits for them. Returns `false`, and doesn't run `completion`, if
  /// nobody listens.
  ///
  /// - Parameter completion: Runs on the queue afterwards, unless the exchange has ended meanwhile.
  func notifyListeners(
    ofEnd error: (any Error)?, redirectedTo request: URLRequest? = nil, then completion: @escaping Work
  ) -> Bool {
    guard let held = state.delivery, let entry, isListenedTo else { return false }
    let sentLength = request == nil ? held.deliveredLength : nil
    run { [hasLeft = client?.hasLeft] in
      entry.waits(for: .callback, .code)
      // The end of a request that was cancelled before is its cancellation, which is on its way here.
      if hasLeft?.call() != true { entry.notifyOfEnd(error, sentLength: sentLength, redirectedTo: request) }
      entry.waits(for: nil)
    } then: { [self] in
      if state.delivery === held { completion() }
    }
    return true
  }

  // MARK: Time

  /// How long the client waits from now on.
  var limits: DeliveryPlan.Limits {
    let silence = timeout.map { queue.now - $0.start } ?? .zero
    // If waits take no time on the clock, the time that passes meanwhile belongs to others.
    let spent = queue.timeline.timesOutWaits ? queue.now - began : .zero
    let rest = client?.resourceTimeout.map { $0 - spent }
    return DeliveryPlan.Limits(idle: client?.idleTimeout, silence: silence, whole: rest)
  }

  /// Lets a wait fail if it takes longer than the client waits.
  private func watch() {
    guard timeout == nil, queue.timeline.timesOutWaits, let limit = limits.end(after: .zero) else { return }
    let start = queue.now
    let timer = queue.schedule(at: start + limit) { [weak self] in
      // A cancelled timer can still run.
      guard let self, timeout?.start == start else { return }
      let subject = entry?.stub.map { "the stub \($0)" } ?? "the response"
      let reason = "\(subject) waits longer for a closure, a file or the test"
      fail(with: URLError(timedOutAfter: "\(limit)", because: reason))
    }
    timeout = (start, timer)
  }
}
