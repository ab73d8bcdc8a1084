import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What `canInit` knows about a request and the load that follows cannot find out: it runs where the request was made.
final class HandOver: Sendable {
  private let held: HeldRegistry
  var registry: StubRegistry { held.registry }
  /// When the request was made, as the registry counts its scopes.
  let era: LoadsInFlight.Era
  /// Nil for the system's own time.
  let timeline: (any Timeline)?
  /// Whether anybody wants to hear of the request.
  let isObserved: Bool
  private let requesterTask: RequesterTask?
  private let way: Protected<Bool>?

  /// Hears of it if no stub matches; nil if nobody is to report that.
  let question: MissCollection.Question?

  /// How it is known that the request belongs to its registry.
  let evidence: Evidence
  /// What has to be settled before the registry is asked; usually nil.
  let doubt: Doubt?
  /// The scope in which the request's callbacks run; nil if they run in none.
  let callbackScope: CallbackScope?
  /// Why the request fails, whatever stubs there are.
  let problem: (any Error)?

  /// For the request that is being made on this thread; nil when nobody takes it. See ``Attribution``.
  convenience init?(
    for request: URLRequest, _ mark: SessionMark?, by requester: @autoclosure () -> Requester = .current
  ) {
    switch Attribution(mark, by: requester()) {
    case .nobody: return nil
    case .registry(let held, let intake, let evidence):
      let doubt = evidence == .onlyScope && request.isLoopback ? Doubt.loopback : nil
      self.init(held, intake, evidence, doubt)
    case .over(let isBySession):
      self.init(HeldRegistry(.nobodys), problem: StubScopeEndedError(isBySession: isBySession))
    case .unclear:
      self.init(HeldRegistry(.nobodys), .several(UnclearOrigin()))
    }
  }

  /// For a request whose registry takes it.
  private init(_ held: consuming HeldRegistry, _ intake: StubRegistry.Intake, _ evidence: Evidence, _ doubt: Doubt?) {
    let registry = held.registry
    self.held = held
    self.evidence = evidence
    self.doubt = doubt
    problem = nil
    era = registry.loads.era
    let isAdded = evidence == .certain && registry !== StubRegistry.global && Platform.keepsCallbacksInScope
    callbackScope = isAdded ? CallbackScope(registry, era: era) : nil
    timeline = intake.timeline
    isObserved = intake.isObserved
    question = intake.misses?.ask()
    requesterTask = intake.mayRunClosures ? RequesterTask(on: timeline?.executor) : nil
    way = timeline.map { _ in Protected(true) }
    timeline?.begin()
  }

  /// For a request that no registry is asked for as it stands.
  private init(_ held: consuming HeldRegistry, _ doubt: Doubt? = nil, problem: (any Error)? = nil) {
    era = held.registry.loads.era
    self.held = held
    self.doubt = doubt
    self.problem = problem
    (evidence, isObserved) = (.certain, false)
    (callbackScope, timeline, question, requesterTask, way) = (nil, nil, nil, nil, nil)
  }

  /// For a load that finds nothing that was left for it.
  init(registry: StubRegistry) {
    held = HeldRegistry(registry)
    (evidence, doubt, problem, callbackScope) = (.certain, nil, nil, nil)
    era = registry.loads.era
    timeline = registry.timeline
    let intake = registry.intake
    isObserved = intake?.isObserved ?? false
    question = intake?.misses?.ask()
    requesterTask = nil
    way = nil
  }

  deinit {
    arrived()
    requesterTask?.cancel()
  }

  /// The request has come to its load, or never will.
  func arrived() {
    let wasOnItsWay = way?.withLock { isOnItsWay in
      defer { isOnItsWay = false }
      return isOnItsWay
    }
    if wasOnItsWay == true { timeline?.end() }
  }

  /// Whether the timeline still counts the request as on its way to its load.
  var isOnItsWay: Bool { way?.withLock(\.self) ?? false }

  func owns(_ task: RequesterTask) -> Bool { task === requesterTask }

  /// Runs the work where it sees the requester's task-locals; without them, but in the same registry, if the registry
  /// held no closure when the request was made.
  func run(_ work: @escaping @Sendable () async -> Void) -> RequesterTask {
    let task = requesterTask ?? StubRegistry.$local.withValue(registry) { RequesterTask(on: timeline?.executor) }
    task.run(work)
    return task
  }
}

/// A Swift task made where the request was made, waiting for the user's closures to run in it.
///
/// They see the requester's task-locals there, an `#expect` in them belongs to the right test, and they may wait and use
/// URLSession themselves.
final class RequesterTask: Sendable {
  private let post: Post
  private let task: Task<Void, Never>

  /// - Parameter executor: Where it runs; nil for where the platform runs such things.
  init(on executor: (any Executor)?) {
    let post = Post()
    self.post = post
    task = Platform.task(on: executor) {
      while let work = await post.next() { await work() }
    }
  }

  /// Runs one piece of work after the other: each request of a chain may have its own. Ignored after `cancel()`.
  func run(_ work: @escaping @Sendable () async -> Void) { post.deliver(work) }

  /// Ends the wait, and tells a work that runs already: elsewhere than on URLSession's own queue, since the user's
  /// cancellation handlers run right there, and those of URLSession's async calls trap on that queue.
  func cancel() {
    if post.close() { DispatchQueue.global().async { [task] in task.cancel() } }
  }
}

/// Hands pieces of work to one task, one at a time.
private final class Post: Sendable {
  typealias Work = @Sendable () async -> Void

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

  /// True if a work may be running.
  func close() -> Bool {
    // What waits is the user's, and may do anything when it goes.
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

  /// Nil once it is closed.
  func next() async -> Work? {
    await withCheckedContinuation { continuation in
      let work: Work?? = state.withLock {
        switch $0 {
        case .delivered(let work):
          $0 = .running
          return .some(work)
        case .closed:
          return .some(nil)
        case .empty, .running, .awaited:
          $0 = .awaited(continuation)
          return nil
        }
      }
      if let work { continuation.resume(returning: work) }
    }
  }
}

extension StubRegistry {
  /// In place of one that is gone, or that nobody knows.
  fileprivate static let nobodys = StubRegistry()
}
