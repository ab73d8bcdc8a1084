import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What `canInit` knows about a request and the load that follows cannot find out: it runs where the request was made.
final class HandOver: Sendable {
  // Holds: retained by each init, and released once, by deinit or on its behalf.
  private let held: Unmanaged<StubRegistry>
  var registry: StubRegistry { held.takeUnretainedValue() }
  /// When the request was made, as the registry counts its scopes.
  let era: LoadsInFlight.Era
  /// Nil for the system's own time.
  let timeline: (any Timeline)?
  /// Whether anybody wants to hear of the request.
  let isObserved: Bool
  private let scopes: ScopeDepth
  private let requesterTask: RequesterTask?
  /// Whether the timeline still counts the request as on its way to its load.
  private let isOnItsWay: Protected<Bool>?

  /// Hears of it if no stub matches; nil if nobody is to report that.
  let question: MissCollection.Question?

  /// Whether nothing but the request's session says that it belongs to the registry.
  let isInferred: Bool
  /// Why the request fails, whatever stubs there are.
  let problem: (any Error)?

  /// For the request that is being made on this thread; nil when its registry takes none.
  ///
  /// A registry that was installed in the session goes before the task's own, that before the scope in which the session was
  /// made, and that before the global one.
  init?(for mark: SessionMark?) {
    let registry: StubRegistry
    var (isInferred, isOver) = (false, false)
    switch (mark, StubRegistry.local) {
    case (.installed(let installed), _):
      registry = installed ?? .over
      isOver = installed == nil
    case (_, let local?):
      registry = local
    case (.madeIn(let scope), nil):
      isInferred = true
      isOver = scope?.scopes.isEmpty ?? true
      registry = scope ?? .over
    case (nil, nil):
      registry = .global
    }
    guard let intake = registry.intake else { return nil }
    self.isInferred = isInferred
    problem = isOver ? StubScopeEndedError(isBySession: true) : nil
    held = .passRetained(registry)
    era = registry.loads.era
    scopes = registry.scopes
    timeline = intake.timeline
    isObserved = intake.isObserved
    question = intake.misses?.ask()
    requesterTask = intake.mayRunClosures ? RequesterTask(on: timeline?.executor) : nil
    isOnItsWay = timeline.map { _ in Protected(true) }
    timeline?.begin()
  }

  init(registry: StubRegistry) {
    held = .passRetained(registry)
    isInferred = false
    problem = nil
    era = registry.loads.era
    scopes = registry.scopes
    timeline = registry.timeline
    let intake = registry.intake
    isObserved = intake?.isObserved ?? false
    question = intake?.misses?.ask()
    requesterTask = nil
    isOnItsWay = nil
  }

  /// Ends on URLSession's own queue as a rule. What a registry's stubs hold is the user's and may use URLSession when it
  /// goes, which traps there: so a registry that may end here is let go elsewhere.
  deinit {
    arrived()
    requesterTask?.cancel()
    // Without another reference to the registry, which would then be the one to end here.
    if !scopes.whileHeld({ held.release() }) {
      DispatchQueue.global().async { [held] in held.release() }
    }
  }

  /// The request has come to its load, or never will.
  func arrived() {
    let wasOnItsWay = isOnItsWay?.withLock { isOnItsWay in
      defer { isOnItsWay = false }
      return isOnItsWay
    }
    if wasOnItsWay == true { timeline?.end() }
  }

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
  /// In place of one that is gone.
  fileprivate static let over = StubRegistry()
}
