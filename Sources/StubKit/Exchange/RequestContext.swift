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
  /// The entry of the request in the journal of its registry, or `nil` if it begins when the registry is asked.
  // Safe because it is written once, by `beginEntry(for:)`, before other code has the context.
  nonisolated(unsafe) private(set) var entry: JournalEntry?
  // Safe as above.
  nonisolated(unsafe) private var stray: StrayRequest?

  /// Where the request goes.
  enum Route {
    case registry
    /// The request fails, because it was made after the end of its scope, or of every scope: that of the named test, if
    /// it is known.
    case late(StubScopeEndedError.Reason, String?)
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
    if let entry { registry.journal.withdraw(entry) }
    requesterTask?.cancel()
  }

  /// Begins the entry of the request, which its client is making now. Call this before other code has the context.
  func beginEntry(for request: URLRequest) {
    switch route {
    case .registry, .unclaimed(.only):
      entry = registry.journal.begin(request, confidence, snapshot)
    case .unclaimed:
      let stray = StrayRequest(request)
      for scope in OpenScopes.shared.registries where scope.registry.isEnabled { scope.registry.journal.note(stray) }
      self.stray = stray
    case .late, .network: break
    }
  }

  /// Removes the entry of a request that its client has not made after all, unless it has arrived.
  func withdrawEntry() {
    if let entry { registry.journal.withdraw(entry) }
    stray?.isDismissed.current = true
  }

  /// Lets the end of the request's scope wait for the request's callbacks, and also the scope of the callback that
  /// makes it.
  func awaitCallbacks(of request: URLRequest) {
    let own = callbacks.scope?.registry ?? registry
    let outer = CallbackScope.current
    if let entry { entry.awaits(callbacks) } else { own.inFlight.add(callbacks, of: request) }
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
    let (isRunning, dropped) = Self.update(state) {
      (!exchange(&$0.isClosed, with: true) && $0.isRunning, exchange(&$0.work, with: []))
    }
    for work in dropped { work.dropped() }
    if isRunning { DispatchQueue.global().async { [state] in state.withLock { $0.task }?.cancel() } }
  }
}

extension StubRegistry {
  /// A registry in place of one that is gone or unknown.
  static let placeholder = StubRegistry()
}
