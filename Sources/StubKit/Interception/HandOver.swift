import Foundation

/// The facts about a request that `canInit` hands over to the load that follows. `canInit` runs where the request was
/// made, and the load can't find out these facts itself.
final class HandOver: Sendable {
  private let held: HeldRegistry
  var registry: StubRegistry { held.registry }
  /// The generation of the registry's scopes in which the request was made.
  let generation: ScopeGeneration
  /// The timeline, or `nil` for the system's own time.
  let timeline: (any Timeline)?
  /// A Boolean value that indicates whether anybody observes the request.
  let isObserved: Bool
  private let requesterTask: RequesterTask?
  private let transit: Protected<Bool>?
  /// The wait of the closure that has made the request, if it is a closure on the same clock.
  private let wait: ClosureWait?

  /// Receives the request if no stub matches it, or `nil` if misses are not reported.
  let misses: MissCollection?

  /// How StubKit knows that the request belongs to its registry.
  let confidence: AttributionConfidence
  /// What is known of the task that made the request, for recordings.
  let origin: RecordingOrigin
  /// Why the request has no certain registry. The load settles this before it asks one. Usually `nil`.
  let unattributed: UnattributedReason?
  /// The scope of the request's callbacks, or `nil` if they run in none.
  let callbackScope: CallbackScope?
  /// The error that fails the request whatever stubs there are, or `nil`.
  let problem: (any Error)?

  /// Creates the hand-over of the request that is being made on this thread, or returns `nil` if nobody takes it. See
  /// ``Attribution``.
  convenience init?(
    for request: URLRequest, _ mark: SessionMark?, by requester: @autoclosure () -> Requester = .current
  ) {
    switch Attribution(mark, by: requester()) {
    case .nobody: return nil
    case .registry(let held, let acceptance, let confidence, let callbackScope):
      let unattributed = confidence == .onlyScope && request.isLoopback ? UnattributedReason.loopback : nil
      self.init(held, acceptance, confidence, unattributed, callbackScope)
    case .over(let callbackScope, let isBySession):
      self.init(HeldRegistry(.nobodys), callbackScope, problem: StubScopeEndedError(isBySession: isBySession))
    case .unclear(let callbackScope):
      self.init(HeldRegistry(.nobodys), callbackScope, .several)
    }
  }

  /// Creates the hand-over of a request whose registry takes it.
  private init(
    _ held: consuming HeldRegistry, _ acceptance: StubRegistry.Acceptance, _ confidence: AttributionConfidence,
    _ unattributed: UnattributedReason?,
    _ callbackScope: CallbackScope?
  ) {
    let registry = held.registry
    self.held = held
    self.confidence = confidence
    self.unattributed = unattributed
    origin = acceptance.hasRecordings ? .current : .unknown
    problem = nil
    generation = registry.loads.generation
    self.callbackScope = callbackScope
    timeline = acceptance.timeline
    isObserved = acceptance.isObserved
    misses = acceptance.misses
    requesterTask = acceptance.mayRunClosures ? RequesterTask(on: timeline?.executor) : nil
    transit = timeline.map { _ in Protected(true) }
    timeline?.begin()
    timeline?.noteUser()
    wait = timeline?.beginWait()
  }

  /// Creates the hand-over of a request that isn't passed to a registry as it is.
  private init(
    _ held: consuming HeldRegistry, _ callbackScope: CallbackScope, _ unattributed: UnattributedReason? = nil,
    problem: (any Error)? = nil
  ) {
    generation = held.registry.loads.generation
    self.held = held
    self.unattributed = unattributed
    self.problem = problem
    (confidence, isObserved, origin) = (.certain, false, .unknown)
    self.callbackScope = callbackScope
    (timeline, misses, requesterTask, transit, wait) = (nil, nil, nil, nil, nil)
  }

  /// Creates the hand-over for a load that finds none.
  init(registry: StubRegistry) {
    held = HeldRegistry(registry)
    (confidence, unattributed, problem, callbackScope, origin) = (.certain, nil, nil, nil, .unknown)
    generation = registry.loads.generation
    timeline = registry.timeline
    let acceptance = registry.acceptance
    isObserved = acceptance?.isObserved ?? false
    misses = acceptance?.misses
    requesterTask = nil
    (transit, wait) = (nil, nil)
  }

  deinit {
    arrived()
    requesterTask?.cancel()
  }

  /// Records that the request has reached its load, or never will.
  func arrived() {
    let wasInTransit = transit?.withLock { isInTransit in
      defer { isInTransit = false }
      return isInTransit
    }
    if wasInTransit == true { timeline?.end() }
  }

  /// Records that the clock has no more to do with the request.
  func ended() { wait?.end() }

  func owns(_ task: RequesterTask) -> Bool { task === requesterTask }

  /// Returns a task for the user's closures, in which they see the requester's task-local values. If the registry
  /// contained no closure when the request was made, they run without them, but in the same registry.
  func taskForClosures() -> RequesterTask {
    requesterTask ?? StubRegistry.$local.withValue(registry) { RequesterTask(on: timeline?.executor) }
  }
}

/// A Swift task that is created where the request is made, and waits to run the user's closures.
///
/// They see the requester's task-local values there, an `#expect` in them belongs to the right test, and they can
/// wait and use URLSession themselves.
final class RequesterTask: Sendable {
  private let channel: WorkChannel
  private let task: Task<Void, Never>

  /// - Parameter executor: The executor of the task, or `nil` for that of the platform.
  init(on executor: (any Executor)?) {
    let channel = WorkChannel()
    self.channel = channel
    task = Platform.task(on: executor) {
      while let work = await channel.next() { await work(channel) }
    }
  }

  /// Runs one piece of work after the other, because each request of a chain can have its own. Has no effect after
  /// `cancel()`.
  ///
  /// - Parameters:
  ///   - work: Runs the user's closures.
  ///   - proceed: Follows them. It runs none, and can't be cancelled.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable () async -> Outcome, then proceed: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    channel.deliver { channel in
      let outcome = await work()
      channel.finish()
      proceed(outcome)
    }
  }

  /// Ends the wait, and cancels closures that run already. This happens elsewhere than on URLSession's own queue,
  /// because the user's cancellation handlers run right there, and those of URLSession's async calls trap on that
  /// queue.
  func cancel() {
    if channel.close() { DispatchQueue.global().async { [task] in task.cancel() } }
  }
}

/// Passes pieces of work to one task, one at a time.
private final class WorkChannel: Sendable {
  /// A piece of work. It tells the channel when the user's closures in it are over.
  typealias Work = @Sendable (WorkChannel) async -> Void

  private enum State {
    case empty
    case awaited(CheckedContinuation<Work?, Never>)
    case delivered(Work)
    case running
    case closed
  }
  private let state = Protected(State.empty)

  func deliver(_ work: @escaping Work) {
    let waiting: CheckedContinuation<Work?, Never>? = state.withLock {
      switch $0 {
      case .empty, .delivered, .running:
        $0 = .delivered(work)
        return nil
      case .awaited(let continuation):
        $0 = .running
        return continuation
      case .closed:
        return nil
      }
    }
    waiting?.resume(returning: work)
  }

  /// The closures of the work that was taken last are over. Cancelling them would only wake a thread.
  func finish() {
    state.withLock { if case .running = $0 { $0 = .empty } }
  }

  /// Returns `true` if some closure can be running.
  func close() -> Bool {
    // The waiting work belongs to the user, and can do anything when it is released.
    let last = state.withLock { state in
      defer { state = .closed }
      return state
    }
    switch last {
    case .awaited(let continuation): continuation.resume(returning: nil)
    case .running, .delivered: return true
    case .empty, .closed: break
    }
    return false
  }

  /// Returns `nil` after it is closed.
  func next() async -> Work? {
    await withCheckedContinuation { continuation in
      let last = state.withLock { state in
        let last = state
        switch state {
        case .delivered: state = .running
        case .closed: break
        case .empty, .running, .awaited: state = .awaited(continuation)
        }
        return last
      }
      switch last {
      case .delivered(let work): continuation.resume(returning: work)
      case .closed: continuation.resume(returning: nil)
      case .empty, .running, .awaited: break
      }
    }
  }
}

extension StubRegistry {
  /// A registry in place of one that is gone or unknown.
  fileprivate static let nobodys = StubRegistry()
}
