import Foundation

/// What is found out about a request where it is made: its registry, scope, clock and task. URLSession starts the
/// exchange on a queue of its own, which shows none of this.
final class RequestContext: Sendable {
  private let reference: RegistryReference
  var registry: StubRegistry { reference.registry }
  /// How the registry takes the request.
  let snapshot: StubRegistry.Snapshot
  /// How StubKit knows that the request belongs to its registry.
  let confidence: AttributionConfidence
  let callbacks: RequestCallbacks
  let route: Route
  let requesterTask: RequesterTask?
  private let startsClosures: RequesterTask.Start?
  /// Ends the way from `resume()` to the exchange, for which a manual clock waits.
  private let arrival: OneTime<Void>?
  /// Ends the wait of the closure that has made the request, if that is a closure on the same manual clock.
  private let closureWait: OneTime<Void>?
  /// Whether the Swift task that makes the request is cancelled.
  let isCancelled: Bool
  /// The entry of the request that its client makes, in the journal of its registry, or `nil` if it begins when the
  /// registry is asked.
  // Safe because it is written once, by `beginEntry(for:)`, before other code has the context.
  nonisolated(unsafe) private var made: JournalEntry?
  // Safe as above.
  nonisolated(unsafe) private var stray: StrayRequest?
  /// Whether an exchange has begun.
  // Safe because the exchanges of a task begin one after the other: the system begins the next one because the one
  // before has told it of a redirect. `deinit` comes last.
  nonisolated(unsafe) private var hasExchange = false
  /// The redirect that the system has been told of, until the exchange begins that follows it.
  // Safe because an exchange writes it once, before it tells the system, and doesn't touch it afterwards, also if it is
  // stopped later than the next one begins. That one takes it first, and writes its own.
  nonisolated(unsafe) private var lead: Lead?

  /// A redirect that the system follows. It begins the next exchange of the task and stops the one that has led there,
  /// in any order, and both run on queues of their own.
  struct Lead {
    fileprivate let entry: JournalEntry?
    /// How the request that has led there ends.
    let outcome: RecordedRequest.Outcome
    /// Whether the next request reaches an exchange, as far as that is known before a delegate is asked.
    let isIntercepted: Bool
  }

  /// Where the request goes.
  enum Route {
    case registry
    /// The request fails, because it was made after the end of its scope, or of every scope: that of the named test, if
    /// it is known.
    case late(StubScopeEndedError.Reason, String?)
    /// The request fails, because it would go to the network, which isn't allowed. It comes from the named test, if
    /// that is known.
    case blocked(String?)
    /// The request goes to the network. StubKit only keeps the scope of its callbacks.
    case network
    /// Nobody claims the request, and the exchange finds out whether it may leave before it asks the registry.
    case unclaimed(OpenScopes.Inferred)
  }

  /// - Parameter startsClosures: Runs a closure where the user's closures see the task-local values of whoever serves
  ///   the request, for a request that a server has received. If it is `nil`, the caller is the code that makes the
  ///   request.
  init(
    _ registry: StubRegistry, _ snapshot: StubRegistry.Snapshot = .init(),
    _ confidence: AttributionConfidence = .certain,
    callbackScope: CallbackScope? = nil, route: Route = .registry, startsClosures: RequesterTask.Start? = nil
  ) {
    let isMadeHere = startsClosures == nil
    reference = RegistryReference(registry)
    self.snapshot = snapshot
    self.confidence = confidence
    callbacks = RequestCallbacks(in: callbackScope)
    if !isMadeHere { callbacks.complete() }
    self.route = route
    self.startsClosures = startsClosures
    let timeline = snapshot.timeline
    requesterTask =
      isMadeHere && snapshot.mayRunClosures
      ? RequesterTask(on: timeline.executor, of: registry.inFlight) : nil
    let begun = isMadeHere && timeline.isWatched ? timeline.begin() : nil
    arrival = begun.map { begun in OneTime { timeline.end(begun) } }
    closureWait = isMadeHere ? timeline.beginWait() : nil
    isCancelled = isMadeHere && Task.isCancelled
  }

  deinit {
    reachedExchange()
    endClosureWait()
    // The task is gone, so no other exchange follows. A redirect that was refused has led nowhere, too.
    lead?.entry?.leadsNowhere()
    if !hasExchange, let made {
      // Another context has taken the place of this one, or the task was never started.
      registry.journal.withdraw(made)
      made.ends(.cancelled)
    }
    requesterTask?.cancel()
  }

  /// A Boolean value that indicates whether the request is in a journal from the moment when its client makes it.
  var isInJournal: Bool { made != nil }

  /// Returns the entry that an exchange owns from now on, or `nil` if it begins when the registry is asked.
  ///
  /// One that follows a redirect has an entry of its own. At the moment of its birth, the one before ends, unless its
  /// exchange was stopped already.
  func beginExchange(for request: URLRequest) -> JournalEntry? {
    guard exchange(&hasExchange, with: true) else { return made }
    guard let lead = lead.take(), lead.isIntercepted, let earlier = lead.entry else { return nil }
    let entry = registry.journal.begin(
      request, confidence, snapshot, after: earlier, endingWith: lead.outcome)
    callbacks.follow(entry)
    return entry
  }

  /// Notes the redirect that the system is about to learn of.
  ///
  /// - Parameters:
  ///   - entry: The request that it answers.
  ///   - request: The next one.
  func lead(from entry: JournalEntry?, answeredWith status: Int, to request: URLRequest) -> Lead {
    let lead = Lead(
      entry: entry, outcome: .answered(status: status), isIntercepted: isInJournal && request.canBeIntercepted)
    self.lead = lead
    return lead
  }

  /// Begins the entry of the request, which its client is making now. Call this before other code has the context.
  ///
  /// - Parameter callbacks: Whether the end of the request's scope waits for its callbacks from now on.
  func beginEntry(for request: URLRequest, callbacks: RequestLife.Callbacks = .none) {
    switch route {
    case .registry, .unclaimed(.only):
      made = registry.journal.begin(request, confidence, snapshot, callbacks: callbacks)
    case .unclaimed:
      let stray = StrayRequest(request)
      for scope in OpenScopes.shared.registries where scope.registry.isEnabled { scope.registry.journal.note(stray) }
      self.stray = stray
    case .late, .blocked, .network: break
    }
  }

  /// Removes the entry of a request that its client has not made after all, unless it has arrived.
  ///
  /// - Parameter entry: That of the exchange that finds out, or `nil` for the first one of the task.
  func withdrawEntry(_ entry: JournalEntry? = nil) {
    if let entry = entry ?? made { registry.journal.withdraw(entry) }
    stray?.isDismissed.current = true
  }

  /// Lets the end of the request's scope wait for its callbacks from now on, if that has not begun with the entry.
  func beginCallbacks() { made?.beginsCallbacks() }

  /// Lets the end of the request's scope learn when the request's callbacks have returned, and also the scope of the
  /// callback that makes it.
  func awaitCallbacks(of request: URLRequest) {
    let own = callbacks.scope?.registry ?? registry
    let outer = CallbackScope.current
    if let made {
      callbacks.follow(made)
    } else {
      own.inFlight.add(callbacks, of: request)
    }
    guard let registry = outer?.registry, registry !== own else { return }
    // The generation of that callback, which can be over already.
    registry.inFlight.add(callbacks, of: request, in: outer?.generation)
  }

  /// Returns a queue with the time of the registry.
  func queue(_ queue: any DeliveryQueue) -> TimelineQueue { TimelineQueue(queue: queue, timeline: snapshot.timeline) }

  /// A Boolean value that indicates whether a manual clock waits for the request to reach its exchange.
  var isAwaitedByClock: Bool { arrival != nil }

  /// Records that the request has reached its exchange, or never will.
  func reachedExchange() { arrival?(()) }

  /// The closure that has made the request doesn't wait for it any more.
  func endClosureWait() { closureWait?(()) }

  /// Returns a task for the user's closures, in which they see the requester's task-local values. If no stub
  /// for the request had a closure when it was made, they run without them, but in the same registry.
  func taskForClosures() -> RequesterTask {
    if let requesterTask { return requesterTask }
    let timeline = snapshot.timeline
    let requests = registry.inFlight
    guard let startsClosures else {
      return StubRegistry.$local.withValue(registry) { RequesterTask(on: timeline.executor, of: requests) }
    }
    return RequesterTask(on: timeline.executor, of: requests) { start in startsClosures(timeline.counted(start)) }
  }
}

/// A Swift task that is created where the request is made, and waits to run the user's closures.
///
/// They see the requester's task-local values there, an `#expect` in them belongs to the right test, and they can
/// wait and use URLSession themselves.
final class RequesterTask: Sendable {

  /// Runs a closure once, on any thread.
  typealias Start = @Sendable (@escaping Work) -> Void

  private struct State {
    var task: Task<Void, Never>?
    /// The task's wait for work.
    var wait: CheckedContinuation<AsyncWork?, Never>?
    var work: [(run: AsyncWork, dropped: Work)] = []
    /// A Boolean value that indicates whether the user's closures run, or are about to.
    var isRunning = false
    var isClosed = false

    /// Returns the wait if it is over, and what it has waited for: `nil` is the end.
    mutating func takeWait() -> (CheckedContinuation<AsyncWork?, Never>, for: AsyncWork?)? {
      guard isClosed || !work.isEmpty, let wait = wait.take() else { return nil }
      isRunning = !isClosed
      return (wait, isRunning ? work.removeFirst().run : nil)
    }
  }

  private let state = Protected(State())

  /// - Parameters:
  ///   - executor: The executor of the task, or `nil` for that of the platform.
  ///   - requests: The requests of the registry, for which the closures don't wait.
  ///   - start: Creates the task where it inherits the right task-local values. By default, that is here.
  init(on executor: (any Executor)?, of requests: RequestsInFlight, startedBy start: Start = { $0() }) {
    start { [state] in
      let task = Platform.task(on: executor) {
        while let work = await withCheckedContinuation({ wait in Self.update(state) { $0.wait = wait } }) {
          await ClosureRun.$current.withValue(ClosureRun(for: requests)) { await work() }
        }
      }
      let isClosed = state.withLock { state in
        state.task = task
        return state.isClosed
      }
      if isClosed { task.cancel() }
    }
  }

  private static func update<Result>(
    _ state: Protected<State>, _ change: (inout State) -> Result
  ) -> Result {
    let (result, wait) = state.withLock { (change(&$0), $0.takeWait()) }
    if let (wait, work) = wait { wait.resume(returning: work) }
    return result
  }

  /// Runs one piece of work after the other, because each request of a chain can have its own. Has no effect after
  /// `cancel()`.
  ///
  /// - Parameters:
  ///   - closures: Runs the user's closures.
  ///   - completion: Follows them. It runs none, and can't be cancelled.
  ///   - dropped: Is called in place of both if `cancel()` comes first.
  func run<Outcome: Sendable>(
    _ closures: @escaping @Sendable () async -> Outcome,
    then completion: @escaping @Sendable (Outcome) -> Void = { _ in },
    orDropped dropped: @escaping Work = {}
  ) {
    let work: AsyncWork = { [state] in
      let outcome = await closures()
      // What they have started may look back as soon as their client has the answer.
      ClosureRun.current?.end()
      // Cancelling the task from here on would only wake a thread.
      state.withLock { $0.isRunning = false }
      completion(outcome)
    }
    let isTaken = Self.update(state) { state in
      if !state.isClosed { state.work.append((work, dropped)) }
      return !state.isClosed
    }
    if !isTaken { dropped() }
  }

  /// Ends the wait, and cancels closures that run already. This happens elsewhere than on URLSession's own queue,
  /// because the user's cancellation handlers run right there, and those of URLSession's async calls trap on that
  /// queue.
  func cancel() {
    let isRunning = LastReleases.happenElsewhere {
      let (isRunning, dropped) = Self.update(state) {
        (!exchange(&$0.isClosed, with: true) && $0.isRunning, exchange(&$0.work, with: []))
      }
      for work in dropped { work.dropped() }
      return isRunning
    }
    if isRunning { DispatchQueue.global().async { [state] in state.withLock { $0.task }?.cancel() } }
  }
}

extension StubRegistry {
  /// A registry in place of one that is gone or unknown.
  static let placeholder = StubRegistry()
}

/// The client of an exchange: a task of URLSession, or a connection of a server.
///
/// Call it only on the exchange's queue.
protocol ExchangeClient: DeliveryClient, AnyObject, Sendable {
  // MARK: The request

  /// The client's own request, which the errors of the system name.
  var request: URLRequest { get }

  /// Returns the request as a server would receive it.
  func incoming(_ hop: Hop) -> IncomingRequest

  /// Tells on any thread whether the client has cancelled the request, even if the exchange doesn't know yet.
  var hasLeft: Closure<@Sendable () -> Bool> { get }

  /// Prepares for a request before anything happens to it.
  func prepare()

  /// A Boolean value that indicates whether the request is that of an async call, as far as that is known after
  /// `prepare()`. Defaults to `false`.
  var isAwaitedByTask: Bool { get }

  /// Returns the number of bytes of the request's body to send.
  ///
  /// - Parameters:
  ///   - readByteCount: The number of bytes that were read of the body, or 0 if none were.
  ///   - isTimed: Whether sending takes time. If not, it only matters to those who learn of it.
  func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int

  /// Returns what looks for a response that answers a request in place of a server, away from the queue, or `nil` if
  /// the request accepts none of a cache.
  func cacheLookup(for request: URLRequest) -> (@Sendable () -> CachedURLResponse?)?

  // MARK: Time

  /// The longest time for which the client waits without receiving anything, or `nil` for ever.
  var idleTimeout: Duration? { get }

  /// The longest time for which the client waits as a whole, or `nil` for ever.
  var resourceTimeout: Duration? { get }

  // MARK: The response

  /// Prepares for a response, and returns its head as URLSession shows it. Returns `nil` if the client isn't
  /// URLSession, or if the response is a failure.
  ///
  /// - Parameter fields: The header fields as they are sent.
  func expect(_ response: StubResponse, _ fields: StubHeaders, _ schedule: ResponseSchedule, for hop: Hop)
    -> ExpectedHead?

  /// A Boolean value that indicates whether anybody learns when a piece of a body arrives, or how long it is. Defaults
  /// to `true`.
  var noticesPieces: Bool { get }

  /// The head of the expected response is due, whether the client receives it or follows it.
  func headIsDue(_ expected: ExpectedHead?)

  /// The response is complete, and the answer.
  func accept(_ head: HTTPURLResponse, of hop: Hop)

  // MARK: Follow-ups

  /// A Boolean value that indicates whether the client receives a response that demands a credential before it is asked
  /// for one.
  var showsDemands: Bool { get }

  /// Finds out what follows a response. `completion` runs on the queue, or never if the client leaves.
  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void)

  /// Prepares for another request, whose response replaces the current one.
  func startOver(with hop: Hop)

  // MARK: The end

  /// Sends the request to the network.
  ///
  /// - Parameter stub: The stub that passes the request through, or `nil` for a policy.
  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?)

  /// The client has left. Returns whether that is because the system has followed a redirect.
  func willStop() -> Bool
}

extension ExchangeClient {
  func prepare() {}
  var isAwaitedByTask: Bool { false }
  func didSend(_ byteCount: Int) {}

  var idleTimeout: Duration? { nil }
  var resourceTimeout: Duration? { nil }

  var noticesPieces: Bool { true }
  func cacheLookup(for request: URLRequest) -> (@Sendable () -> CachedURLResponse?)? { nil }
  func accept(_ head: HTTPURLResponse, of hop: Hop) {}

  var showsDemands: Bool { true }
  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void
  ) {
    completion(.answer)
  }
  func startOver(with hop: Hop) {}
  func willStop() -> Bool { false }
}

/// The head of a response that is being delivered, and what it says about the task.
struct ExpectedHead {
  let head: HTTPURLResponse
  let isEncoded: Bool
  /// The values of the fields `Set-Cookie` that are to be stored.
  let setCookies: [String]
  /// A Boolean value that indicates whether the whole response comes with the head.
  let comesAtOnce: Bool
  /// A Boolean value that indicates whether the response comes from the session's cache, so that no bytes arrive.
  var isCached = false
}

/// A request that the network has, for a client that can still pause it and leave. Call it only on the client's queue.
protocol NetworkLoad: AnyObject {
  /// Starts, or continues after `pause()`.
  func start()
  func pause()

  /// The client leaves. Returns `false` if the load must not be stopped yet.
  func leave() -> Bool
}
