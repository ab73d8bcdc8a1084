import Foundation

/// One task on its way from `startLoading` to its last client call, through as many requests as it takes.
///
/// The task can be cancelled, suspended and resumed at any step. After the end, nobody is told anything more.
final class Load: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only, where URLSession calls its loader too.
  let handOver: HandOver
  /// The client, or `nil` after it has received everything. It holds the loader, which holds this load.
  var client: LoadClient?
  let queue: any DeliveryQueue

  /// The request that is being answered.
  var hop: Hop
  var phase = Phase.ready
  private(set) var isPaused = false
  var entry: RequestJournal.EntryID?
  /// The observation of the request, or `nil` if nobody observes it.
  var observation: StubObservation?
  private var ticket: LoadsInFlight.Ticket?
  private var timeout: IdleTimeout?
  /// The flag for reading an upload's file into the journal.
  var bodyReading: CancellationFlag?
  /// The time when the task would have begun if it had never been suspended.
  private var began: Time
  private var pausedSince: Time?
  /// The time of earlier hops, by their plans.
  var timeOfEarlierHops = Time.zero
  private var closures: RequesterTask?
  /// The status of the redirect that the system was told of. The system creates a new load for it.
  var statusLeadingOn: Int?
  /// Where the response leads if it is a recorded redirect, or `nil` to follow its `Location`.
  var redirectTarget: URL?
  /// Why the request has no certain registry yet, or `nil`.
  var unattributed: UnattributedReason?

  enum Phase {
    /// The registry can be asked for the request of the hop.
    case ready
    /// Something away from the queue is under way: the user's closures, or the reading of a file.
    case waiting
    case delivering(Delivery)
    /// The system's own loader has the task, or a relay.
    case passedThrough(NativeLoad)
    case over(RecordedRequest.Outcome)

    /// A Boolean value that indicates whether StubKit has yet to decide what happens to the request.
    var isOpen: Bool {
      switch self {
      case .ready, .waiting: true
      case .delivering, .passedThrough, .over: false
      }
    }
  }

  init(of loader: URLProtocol, task: URLSessionTask, handOver: HandOver) {
    hop = Hop(loader.request)
    self.handOver = handOver
    unattributed = handOver.unattributed
    let own = Platform.queue(of: task)
    queue = handOver.timeline.map { TimelineQueue(queue: own, timeline: $0) } ?? own
    began = queue.now
    client = LoadClient(loader: loader, task: task, queue: queue)
  }

  var registry: StubRegistry { handOver.registry }

  /// Begins, or continues after `pause()`. Has no effect while it is running.
  func start() {
    let wasPaused = isPaused
    isPaused = false
    if let pausedSince { began = began + (queue.now - pausedSince) }
    pausedSince = nil
    queue.ownerArrived()
    switch phase {
    case .ready: ask()
    case .waiting, .over: break
    case .delivering(let delivery): delivery.play()
    case .passedThrough(let native): native.resume(wasPaused: wasPaused)
    }
    watch()
  }

  func pause() {
    isPaused = true
    pausedSince = pausedSince ?? queue.now
    stopTimeout()
    switch phase {
    case .ready, .waiting, .over: break
    case .delivering(let delivery): delivery.pause()
    case .passedThrough(let native): native.pause()
    }
  }

  /// The task was cancelled, or is done.
  func stop() {
    // `false` if an older piece of news led here, and the call for the cancellation is still on its way.
    if case .passedThrough(let native) = phase, !native.stop() { return }
    client?.watchDelegate()
    if let statusLeadingOn, let task = client?.task, task.state != .canceling, task.error == nil {
      return end(.answered(status: statusLeadingOn))
    }
    end(.cancelled)
  }

  /// Returns `false` if there is nothing to wait for, because the load's scope is over.
  func wait() -> Bool {
    phase = .waiting
    guard trackInFlight() else { return false }
    watch()
    return true
  }

  /// Fails at once and returns `false` if the load's scope ended before the load began.
  @discardableResult
  func trackInFlight() -> Bool {
    guard ticket == nil else { return true }
    ticket = registry.loads.add(of: handOver.generation) { [self] error in queue.perform { self.fail(with: error) } }
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
    let task = closures ?? handOver.taskForClosures()
    closures = task
    return task
  }

  /// Plays the delivery, or, if the load is paused, as soon as it continues.
  func play(_ delivery: Delivery) {
    stopTimeout()
    phase = .delivering(delivery)
    if !isPaused { delivery.play() }
  }

  /// Fails at once, whatever it was about to deliver. While the task is suspended, the failure waits for its
  /// resumption.
  func fail(with error: any Error) {
    guard let client else { return }
    bodyReading?.cancel()
    // An open stream runs where observers are told, and nobody waits for it.
    let (sentLength, isOpen) = (sentLength, phase.isOpen)
    if case .delivering(let delivery) = phase { delivery.stop() }
    play(
      Delivery(
        plan: DeliveryPlan(ending: .failure), response: nil, body: .empty, failure: error,
        client: client, queue: queue,
        onMilestone: { [self] in
          if isOpen, case .end(let error) = $0 { tellObservers(ofEnd: error) } else { .proceed }
        }
      ) { [self] error in
        end(.failed(error ?? URLError(.unknown)), sentLength: sentLength)
      })
  }

  /// The number of bytes of a response's body that were delivered.
  private var sentLength: Int { if case .delivering(let delivery) = phase { delivery.deliveredLength } else { 0 } }

  /// - Parameter sentLength: The number of bytes of the response's body that were sent, or `nil` for those of the
  ///   delivery.
  func end(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    if case .over = phase { return }
    let sentLength = sentLength ?? self.sentLength
    if case .delivering(let delivery) = phase { delivery.stop() }
    phase = .over(outcome)
    client = nil
    settle(outcome, sentLength: sentLength)
    queue.ownerLeft()
  }

  /// Ends everything: settles the journal entry, and releases the registry, the timeout and the closures.
  func settle(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    settleEntry(outcome, sentLength: sentLength)
    tellObserversLater(outcome)
    handOver.ended()
    if let ticket { registry.loads.remove(ticket) }
    ticket = nil
    stopTimeout()
    bodyReading?.cancel()
    // If the system leads the task on, the next load runs its closures there.
    if statusLeadingOn == nil || closures.map(handOver.owns) == false { closures?.cancel() }
    closures = nil
  }

  /// - Parameter sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  func settleEntry(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil) {
    if let entry { registry.journal.end(entry, outcome, sentLength: sentLength) }
    entry = nil
  }

  /// How long the client waits from now on.
  var limits: DeliveryPlan.Limits {
    DeliveryPlan.Limits(
      idle: client?.idleTimeout, silence: timeout?.elapsed ?? .zero, whole: remainingTime)
  }

  /// The rest of the time that the task can take as a whole, or `nil` for ever.
  private var remainingTime: Time? {
    // If waits take no time on the clock, the time that passes meanwhile belongs to others.
    client?.resourceTimeout.map { $0 - (queue.timesOutWaits ? queue.now - began : timeOfEarlierHops) }
  }

  /// Lets the load fail if it receives nothing for as long as its request or its session waits.
  private func watch() {
    guard case .waiting = phase, !isPaused, queue.timesOutWaits, timeout == nil, let client else { return }
    let (idle, rest) = (client.idleTimeout, remainingTime)
    guard let limit = idle.map({ idle in rest.map { min(idle, $0) } ?? idle }) ?? rest else { return }
    let timeout = IdleTimeout(after: limit, on: queue) { [weak self] in
      guard let self, let client = self.client else { return }
      fail(with: client.timeOutFailure)
    }
    self.timeout = timeout
    timeout.begin()
  }

  private func stopTimeout() {
    timeout?.stop()
    timeout = nil
  }
}
