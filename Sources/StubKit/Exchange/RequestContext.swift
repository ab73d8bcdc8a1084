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
  private let made: JournalEntry?
  private let stray: StrayRequest?
  /// Whether an exchange has begun.
  // Safe because the exchanges of a task begin one after the other: the system begins the next one because the one
  // before has told it of a redirect. `deinit` comes last.
  nonisolated(unsafe) private var hasExchange = false
  /// The redirect that the system has been told of, until the exchange begins that follows it.
  // Safe because an exchange writes it once, before it tells the system, and doesn't touch it afterwards, also if it is
  // stopped later than the next one begins. That one takes it first, and writes its own.
  nonisolated(unsafe) private var lead: Lead?
  /// Whether the last exchange follows a redirect of the system.
  // Safe because an exchange begins with writing it, and only that exchange reads it.
  nonisolated(unsafe) private(set) var followsRedirect = false

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
    /// The request goes to the network. StubKit only keeps the scope of its callbacks, and asks about what its
    /// redirects lead to.
    case network(Passage)
    /// Nobody claims the request, and the exchange finds out whether it may leave before it asks the registry.
    case unclaimed(OpenScopes.Inferred)
  }

  /// - Parameters:
  ///   - startsClosures: Runs a closure where the user's closures see the task-local values of whoever serves the
  ///     request, for a request that a server has received. If it is `nil`, the caller is the code that makes the
  ///     request.
  ///   - begun: The request whose entry begins now, because its client makes it, and what the end of its scope waits
  ///     for.
  init(
    _ reference: RegistryReference, _ snapshot: StubRegistry.Snapshot = .init(),
    _ confidence: AttributionConfidence = .certain, callbackScope: CallbackScope? = nil, route: Route = .registry,
    startsClosures: RequesterTask.Start? = nil, begun: (request: URLRequest, callbacks: RequestLife.Callbacks)? = nil
  ) {
    let registry = reference.registry
    let isMadeHere = startsClosures == nil
    self.reference = reference
    self.snapshot = snapshot
    self.confidence = confidence
    (made, stray) = begun.map { registry.begin($0.request, confidence, snapshot, $0.callbacks, route) } ?? (nil, nil)
    callbacks = RequestCallbacks(in: callbackScope, of: made)
    if !isMadeHere { callbacks.complete() }
    self.route = route
    self.startsClosures = startsClosures
    let timeline = snapshot.timeline
    requesterTask =
      isMadeHere && snapshot.mayRunClosures
      ? RequesterTask(on: timeline.executor, of: registry.inFlight) : nil
    let counted = isMadeHere && timeline.isWatched ? timeline.begin() : nil
    arrival = counted.map { counted in OneTime { timeline.end(counted) } }
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
    guard let lead = lead.take() else { return nil }
    followsRedirect = true
    guard lead.isIntercepted, let earlier = lead.entry else { return nil }
    let entry = registry.journal.begin(
      request, confidence, snapshot, after: earlier, endingWith: lead.outcome, followsRedirect: true)
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
      entry: entry, outcome: .answered(status: status), isIntercepted: isInJournal && Platform.canIntercept(request))
    self.lead = lead
    return lead
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

  /// Lets the end of the request's scope learn when the request's callbacks have returned, if it isn't in the journal,
  /// and also the scope of the callback that makes it.
  func awaitCallbacks(of request: URLRequest) {
    let own = callbacks.scope?.registry ?? registry
    let outer = CallbackScope.current
    if made == nil { own.inFlight.add(callbacks, of: request) }
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

extension StubRegistry {
  /// Begins the entry of a request that its client makes now, or notes it as a stray of the scopes that it can belong
  /// to.
  fileprivate func begin(
    _ request: URLRequest, _ confidence: AttributionConfidence, _ snapshot: Snapshot,
    _ callbacks: RequestLife.Callbacks, _ route: RequestContext.Route
  ) -> (JournalEntry?, StrayRequest?) {
    switch route {
    case .registry, .unclaimed(.only):
      return (journal.begin(request, confidence, snapshot, callbacks: callbacks), nil)
    case .unclaimed:
      let stray = StrayRequest(request)
      for scope in OpenScopes.shared.registries where scope.registry.isEnabled { scope.registry.journal.note(stray) }
      return (nil, stray)
    case .late, .blocked, .network:
      return (nil, nil)
    }
  }
}

extension RegistryReference {
  static let global = RegistryReference(.global)
  /// A registry in place of one that is gone or unknown.
  static let placeholder = RegistryReference(StubRegistry())
}
