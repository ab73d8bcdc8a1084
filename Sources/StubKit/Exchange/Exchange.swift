import Foundation

/// One request, from the search for its stub to its end, and the requests that its response leads to.
///
/// Its client is a task of URLSession or a connection of a server. The client can leave, pause and continue at any
/// step. After the end, it is told nothing more.
package final class Exchange: @unchecked Sendable {
  // Safe because everything in it is touched on `queue` only, where its client calls it, too.
  let context: RequestContext
  let queue: any DeliveryQueue
  /// The client, or `nil` after it has received everything. It keeps the exchange alive.
  private(set) var client: (any ExchangeClient)?
  /// The request that is being answered.
  private(set) var hop: Hop
  var state = ExchangeState.ready
  /// Those who listen to the request that is being answered.
  var listeners: [any ExchangeListener] = []
  /// Why it isn't certain yet which registry the request belongs to, or `nil`.
  var unattributed: UnattributedReason?

  /// The time since which the client has been paused, or `nil` while it isn't.
  private var pausedSince: Time?
  /// The time when the exchange would have begun if it had never been paused.
  private var began: Time
  /// The time of earlier hops, by their plans.
  private var timeOfEarlierHops = Time.zero
  private var ticket: LoadsInFlight.Ticket?
  private var closures: RequesterTask?

  /// - Parameter queue: The queue of the client, on the system's time.
  init(_ request: URLRequest, _ context: RequestContext, client: any ExchangeClient, on queue: any DeliveryQueue) {
    hop = Hop(request)
    self.context = context
    self.client = client
    self.queue = queue
    began = queue.now
    if case .unattributed(let reason)? = context.obstacle { unattributed = reason }
  }

  var registry: StubRegistry { context.registry }
  var isPaused: Bool { pausedSince != nil }

  // MARK: What the client does

  /// Begins, or continues after `pause()`. Has no effect while it is running.
  func start() {
    let pausedSince = pausedSince.take()
    if let pausedSince { began = began + (queue.now - pausedSince) }
    queue.ownerArrived()
    switch state {
    case .ready: ask()
    case .waiting: watch()
    case .delivering(let delivery), .leadingOn(let delivery, _): delivery.play()
    case .passedThrough(let load): load.start()
    case .over: break
    }
  }

  func pause() {
    pausedSince = pausedSince ?? queue.now
    switch state {
    case .ready, .over: break
    case .waiting: state.setTimeout(nil)
    case .delivering(let delivery), .leadingOn(let delivery, _): delivery.pause()
    case .passedThrough(let load): load.pause()
    }
  }

  /// The client has left before the end, or after the system has taken it over.
  func stop() {
    switch state {
    // `false` if an older piece of news led here, and the call for the cancellation is still on its way.
    case .passedThrough(let load): if load.stop() { end(.cancelled) }
    case .leadingOn(_, let status):
      client?.willStop()
      end(client?.isLedOn == true ? .answered(status: status) : .cancelled)
    case .ready, .waiting, .delivering, .over:
      client?.willStop()
      end(.cancelled)
    }
  }

  // MARK: Steps

  /// Waits for something away from the queue. Returns `false` if the exchange has failed instead, because its scope is
  /// over.
  ///
  /// - Parameter reading: A flag that is cancelled when the wait is over.
  func wait(reading flag: CancellationFlag? = nil) -> Bool {
    state.wait(reading: flag)
    guard trackInFlight() else { return false }
    watch()
    return true
  }

  /// Fails at once and returns `false` if the scope ended before the exchange began.
  @discardableResult
  func trackInFlight() -> Bool {
    guard let generation = context.generation, ticket == nil else { return true }
    ticket = registry.loads.add(of: generation) { [self] error in queue.perform { self.fail(with: error) } }
    if ticket == nil { fail(with: StubScopeEndedError()) }
    return ticket != nil
  }

  /// Runs the user's closures, and continues on the queue.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable () async -> Outcome, then proceed: @escaping @Sendable (Outcome) -> Void
  ) {
    taskForClosures().run(work) { [queue] outcome in queue.performHere { proceed(outcome) } }
  }

  /// Returns the task that runs the user's closures, for one request of the chain after the other.
  func taskForClosures() -> RequesterTask {
    let task = closures ?? context.taskForClosures()
    closures = task
    return task
  }

  /// Plays the delivery, or, if the client is paused, as soon as it continues.
  func play(_ delivery: Delivery) {
    state.stopWork()
    state = .delivering(delivery)
    if !isPaused { delivery.play() }
  }

  /// Fails at once, whatever it was about to deliver. While the client is paused, the failure waits for it.
  func fail(with error: any Error) {
    guard let client else { return }
    // The listeners of a delivery that breaks off learn of it later. An open stream can run where they would be told.
    let isUndecided = state.isUndecided
    let sentLength = state.stopWork()
    play(
      Delivery(
        plan: DeliveryPlan(ending: .failure), response: nil, body: .empty, failure: error,
        client: client, queue: queue,
        onMilestone: { [self] in
          if isUndecided, case .end(let error) = $0 { tellListeners(ofEnd: error) } else { .proceed }
        }
      ) { [self] error in
        end(.failed(error ?? URLError(.unknown)), sentLength: sentLength)
      })
  }

  /// The system creates a new exchange for the request that a response leads to. If it doesn't, the response is the
  /// answer, and `release(_:)` delivers it.
  func leadOn(_ held: Delivery, status: Int) { state = .leadingOn(held, status: status) }

  /// Delivers what was held.
  func release(_ held: Delivery) {
    state = .delivering(held)
    held.release()
  }

  /// Asks the registry, now or when the client continues.
  func askAgain() {
    state = .ready
    if !isPaused { ask() }
  }

  /// Continues with the request that a response leads to.
  func follow(_ next: Hop, from held: Delivery, status: Int) {
    timeOfEarlierHops += held.timeReached
    state.stopWork()
    endListeners(.answered(status: status))
    client?.startOver(with: next)
    hop = next
    askAgain()
  }

  /// Leaves the client to the network.
  func pass(to load: any NetworkLoad) {
    client = nil
    state.stopWork()
    settle(.passedThrough)
    // Later calls for this request belong to the system's loader.
    if hop.isFirst { queue.ownerLeft() }
    state = .passedThrough(load)
    if !isPaused { load.start() }
  }

  // MARK: The end

  /// - Parameter sentLength: The number of bytes of the response's body that were sent, or `nil` for those of the
  ///   delivery.
  func end(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    guard !state.isOver else { return }
    let delivered = state.stopWork()
    client = nil
    settle(outcome, sentLength: sentLength ?? delivered)
    state = .over(outcome)
    queue.ownerLeft()
  }

  /// Tells the listeners, and releases the scope and the closures.
  private func settle(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    endListeners(outcome, sentLength: sentLength)
    context.ended()
    if let ticket { registry.loads.remove(ticket) }
    ticket = nil
    // The closures of a load that the system creates next run in the same task.
    let isLedOn = if case .leadingOn = state { closures.map(context.owns) ?? true } else { false }
    if !isLedOn { closures?.cancel() }
    closures = nil
  }

  // MARK: Listeners

  func endListeners(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    let ended = listeners
    listeners = []
    for listener in ended { listener.ended(outcome, sentLength: sentLength) }
  }

  /// The end waits until the listeners that run the user's code have learned of it.
  func tellListeners(ofEnd error: (any Error)?) -> Delivery.Reply {
    guard case .delivering(let held) = state else { return .proceed }
    return tellListeners(ofEnd: error, redirectedTo: nil, of: held) { held.release() } ? .wait : .proceed
  }

  /// Returns `false`, and doesn't run `proceed`, if no listener has to run anything.
  ///
  /// - Parameter proceed: Runs on the queue afterwards, unless the exchange has ended meanwhile.
  func tellListeners(
    ofEnd error: (any Error)?, redirectedTo request: URLRequest?, of held: Delivery,
    then proceed: @escaping @Sendable () -> Void
  ) -> Bool {
    let calls = listeners.compactMap { $0.willEnd(error, redirectedTo: request) }
    guard !calls.isEmpty else { return false }
    run {
      for call in calls { call() }
    } then: { [self] in
      if state.isHolding(held) { proceed() }
    }
    return true
  }

  // MARK: Time

  /// How long the client waits from now on.
  var limits: DeliveryPlan.Limits {
    let silence = state.timeoutStart.map { queue.now - $0 } ?? .zero
    return DeliveryPlan.Limits(idle: client?.idleTimeout, silence: silence, whole: remainingTime)
  }

  /// The rest of the time that the client waits as a whole, or `nil` for ever.
  private var remainingTime: Time? {
    // If waits take no time on the clock, the time that passes meanwhile belongs to others.
    client?.resourceTimeout.map { $0 - (queue.timesOutWaits ? queue.now - began : timeOfEarlierHops) }
  }

  /// Lets a wait fail if it takes longer than the client waits.
  private func watch() {
    guard case .waiting = state, state.timeoutStart == nil, !isPaused, queue.timesOutWaits, let client else { return }
    let (idle, rest) = (client.idleTimeout, remainingTime)
    guard let limit = idle.map({ idle in rest.map { min(idle, $0) } ?? idle }) ?? rest else { return }
    let start = queue.now
    let timer = queue.schedule(at: start + limit) { [weak self] in
      // A cancelled timer can still run.
      guard let self, state.timeoutStart == start, let client = self.client else { return }
      fail(with: client.timeOutFailure)
    }
    state.setTimeout((start, timer))
  }
}
