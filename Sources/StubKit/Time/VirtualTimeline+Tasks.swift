import Dispatch

/// A call of a stub's closure. Its timeline doesn't move until the closure returns, except while the closure waits for
/// the timeline.
struct ClosureCall: Sendable {
  /// The call that the code of the caller is part of, or `nil`.
  @TaskLocal static var current: ClosureCall?

  let timeline: VirtualTimeline
  fileprivate let number: UInt64
}

/// A wait of a closure for its own timeline: a sleep, a request, or the end of a move.
final class ClosureWait: Sendable {
  private let over: OneTime<Void>

  fileprivate init(of call: ClosureCall) {
    over = OneTime { call.timeline.state.update { $0.endWait(of: call.number) } }
  }

  deinit { end() }

  func end() { over(()) }
}

extension VirtualTimeline {
  func answer<Response>(
    by stub: some CustomStringConvertible & Sendable, _ closure: () async throws -> Response
  ) async rethrows -> Response {
    let call = ClosureCall(timeline: self, number: state.update { $0.beginCall(of: stub) })
    defer { state.update { $0.endCall(call.number) } }
    return try await ClosureCall.$current.withValue(call) { try await closure() }
  }

  func beginWait() -> ClosureWait? {
    guard let call = ClosureCall.current, call.timeline === self else { return nil }
    state.update { $0.beginWait(of: call.number) }
    return ClosureWait(of: call)
  }
}

extension VirtualTimeline.State {
  /// The stubs whose closures are at work, in the order of their calls.
  var working: [String] {
    calls.filter { $0.value.waitCount == 0 }.sorted { $0.key < $1.key }.map { "\($1.stub)" }
  }

  fileprivate mutating func beginCall(of stub: any CustomStringConvertible & Sendable) -> UInt64 {
    let number = begin()
    calls[number] = (stub, 0, number)
    return number
  }

  fileprivate mutating func endCall(_ number: UInt64) {
    if let call = calls.removeValue(forKey: number), call.waitCount == 0 { end(call.work) }
  }

  fileprivate mutating func beginWait(of number: UInt64) {
    guard let call = calls[number] else { return }
    calls[number]?.waitCount += 1
    if call.waitCount == 0 { end(call.work) }
  }

  fileprivate mutating func endWait(of number: UInt64) {
    guard let call = calls[number] else { return }
    calls[number]?.waitCount -= 1
    guard call.waitCount == 1 else { return }
    let work = begin()
    calls[number]?.work = work
  }
}

/// Runs Swift tasks on the threads where they would run without it, so that it is known when they have come to rest. A
/// job counts as begun while it waits for a thread and while it runs. Suspended code doesn't count.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension VirtualTimeline: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // The runtime has a queue for each priority, too, and as many threads for it.
    let queue = DispatchQueue.global(qos: CooperativePool.of(TaskPriority(job.priority) ?? .medium).quality)
    let job = UnownedJob(job)
    let begun = begin()
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      end(begun)
    }
  }
}

extension VirtualTimeline {
  /// Runs the user's closures, and counts their jobs.
  var executor: (any Executor)? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return JobExecutor { [self] job in
      let begun = begin()
      WorkerPool.closures.run { [self] in
        job()
        end(begun)
      }
    }
  }

  /// Starts a task that moves time. It isn't counted.
  @discardableResult
  static func startMover(_ move: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return Task.detached { await move() }
    }
    return OwnTasks.make {
      Task.detached(executorPreference: JobExecutor.movers, priority: Task.currentPriority) { await move() }
    }
  }

  /// Notes that the code of the caller uses the timeline. Code that runs elsewhere than on the timeline has a round
  /// before each deadline from now on.
  func noteUser() {
    guard !isRunningCaller else { return }
    let pool = ObjectIdentifier(CooperativePool.of(Task.currentPriority))
    state.withLock { state in
      state.isUsedElsewhere = true
      state.usedPools.insert(pool)
    }
  }

  private var isRunningCaller: Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    if ClosureCall.current?.timeline === self { return true }
    return withUnsafeCurrentTask { $0?.unownedTaskExecutor } == asUnownedTaskExecutor()
  }
}

/// Runs the jobs of Swift tasks on threads of their own.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class JobExecutor: TaskExecutor {
  typealias Job = @Sendable () -> Void

  /// Runs the user's closures. The cooperative pool has only one thread for each core, and tests that wait for an
  /// answer with a semaphore would soon block all of them.
  static let closures = JobExecutor { WorkerPool.closures.run($0) }

  /// Runs `advance(by:)` and the other movers on a thread of its own, because the caller's test may occupy the whole
  /// cooperative pool. On Linux, `.userInteractive` would share the threads of the user's closures.
  static let movers = {
    let queue = DispatchQueue(label: "StubKit.movers", qos: .default)
    return JobExecutor { queue.async(execute: $0) }
  }()

  private let start: @Sendable (@escaping Job) -> Void

  init(start: @escaping @Sendable (@escaping Job) -> Void) { self.start = start }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
