import Dispatch

/// Time that moves only when it is told to. It is the inside of a ``ManualClock``.
final class VirtualTimeline: Timeline {
  /// The real-time limit of one `advance` for work that has begun. What takes longer is reported, and no longer waited
  /// for.
  let patience: Duration
  /// The real time for which `advanceToEnd()` moves on although each deadline sets another one.
  let endlessTime: Duration
  /// The real time after which a clock is reported that nothing moves although something waits for it, if at all.
  let standstill: Duration?
  /// Reports such a clock, and work that is no longer waited for.
  let report: @Sendable (String) -> Void
  /// The registries that have taken this time.
  private let users = Protected<[(id: ObjectIdentifier, requests: Closure<RequestsMade>)]>([])
  let state = Awaitable(State())

  struct State {
    var elapsed = Duration.zero
    var waiting = Deadlines<Entry>()
    /// The numbers of the work that has begun and not ended, except for what is no longer waited for.
    var unfinished: Set<UInt64> = []
    private var lastWork: UInt64 = 0
    /// The closures that have not returned, by the number of their first work.
    var closures: [UInt64: (stub: StubReference?, waitCount: Int, work: UInt64)] = [:]
    /// A Boolean value that indicates whether code elsewhere than on the timeline uses it.
    var isUsedElsewhere = false
    var tasks = TaskCensus()
    /// A counter of everything that happens on this timeline.
    var changes: UInt64 = 0
    var turn = Turn()
    /// The number of calls of `run(isolation:_:)` whose bodies have not returned.
    var driverCount = 0
    /// The pools of the tasks elsewhere that use the timeline.
    var usedPools: Set<ObjectIdentifier> = []
    /// Whether the main actor has not had the last turn that it was given.
    var awaitsMainActor = false
    /// Whether somebody looks for a standstill, or has found one.
    fileprivate var isWatched = false

    /// A Boolean value that indicates whether everything that has begun has ended, except for what was given up.
    var isAtRest: Bool { unfinished.isEmpty }

    mutating func begin() -> UInt64 {
      lastWork += 1
      unfinished.insert(lastWork)
      changes &+= 1
      return lastWork
    }

    mutating func end(_ work: UInt64) {
      unfinished.remove(work)
      changes &+= 1
    }
  }

  /// What waits for a deadline.
  enum Entry {
    case work(Work, on: any DeliveryQueue)
    /// Is resumed with work that has begun when the deadline has come.
    case sleeper(CheckedContinuation<UInt64?, any Error>)
  }

  init(patience: Duration, endlessTime: Duration, standstill: Duration?, report: @escaping @Sendable (String) -> Void) {
    self.patience = patience
    self.endlessTime = endlessTime
    self.standstill = standstill
    self.report = report
  }

  var elapsed: Duration { state.withLock { $0.elapsed } }
  var pendingCount: Int { state.withLock { $0.waiting.count } }
  var isWatched: Bool { true }

  /// The current time, rounded down, so that what is scheduled from here is due when its time has passed, to the
  /// fraction of a nanosecond.
  var now: Duration { elapsed.roundedDown }

  func begin() -> UInt64 { state.update { $0.begin() } }
  func end(_ work: UInt64) { state.update { $0.end(work) } }

  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping Work
  ) -> DeliveryTimer {
    let (ticket, begun): (Deadlines<Entry>.Ticket?, UInt64?) = state.update { state in
      state.changes &+= 1
      guard deadline > state.elapsed.roundedDown else { return (nil, state.begin()) }
      return (state.waiting.insert(.work(work, on: queue), at: min(deadline, .endOfTime).roundedUp), nil)
    }
    if let begun { perform(work, on: queue, as: begun) } else { watch() }
    return DeliveryTimer {
      if let ticket { _ = self.remove(ticket) }
    }
  }

  /// Performs work that has been counted as begun.
  func perform(_ work: @escaping Work, on queue: any DeliveryQueue, as begun: UInt64) {
    queue.perform { [self] in
      work()
      end(begun)
    }
  }

  private func remove(_ ticket: Deadlines<Entry>.Ticket) -> Entry? {
    state.update { state in
      state.changes &+= 1
      return state.waiting.remove(ticket)
    }
  }

  /// Waits for a deadline. Returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` as soon as the Swift task is cancelled.
  func sleep(until deadline: Duration) async throws {
    try Task.checkCancellation()
    let endWait = beginWait()
    defer { endWait?(()) }
    let ticket = state.withLock { $0.waiting.makeTicket(for: deadline) }
    let begun = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<UInt64?, any Error>) in
        let outcome: Result<UInt64?, any Error>? = state.update { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.elapsed { return .success(nil) }
          state.changes &+= 1
          state.waiting.insert(.sleeper(continuation), ticket)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) } else { watch() }
      }
    } onCancel: {
      if case .sleeper(let continuation)? = remove(ticket) { continuation.resume(throwing: CancellationError()) }
    }
    // `fireNext` counted this sleeper when it resumed it: time stands still until its task gets a thread.
    if let begun {
      endWait?(())
      end(begun)
    }
  }

  /// Waits until as much as that waits for its deadline. Says so once if it takes longer than the clock's patience.
  func waitForPending(_ count: Int) async {
    let endWait = beginWait()
    defer { endWait?(()) }
    let isEnough = { @Sendable (state: inout State) in state.waiting.count >= count }
    if await state.wait(atMost: patience, until: isEnough) || Task.isCancelled { return }
    let sentences =
      "ManualClock.waitForPending(\(count)) has waited for \(patience). So far, \(state.withLock { $0.pending }). "
      + "Check that the code under test uses this clock and makes its requests, or wait for fewer."
    report(([sentences] + madeRequests).joined(separator: "\n"))
    _ = await state.wait(until: isEnough)
  }

  // MARK: Standstill

  /// Returns what arrived at a registry, a line each, and what to say if nothing did, or `nil` if the registry is gone.
  typealias RequestsMade = @Sendable () -> (requests: [String], ifNone: [String])?

  /// Adds a registry that takes this time, for reports.
  func addUser(_ id: ObjectIdentifier, _ requests: @escaping RequestsMade) {
    // Asking takes locks of the registries, so that happens outside this one.
    let gone = Set(users.current.filter { $0.requests.call() == nil }.map(\.id))
    users.withLock { users in
      users.removeAll { $0.id == id || gone.contains($0.id) }
      users.append((id, Closure(requests)))
    }
  }

  private var madeRequests: [String] {
    let made = users.current.compactMap { $0.requests.call() }
    let requests = made.flatMap(\.requests)
    return requests.isEmpty ? made.first?.ifNone ?? [] : requests
  }

  /// Begins to look at the clock: a test that forgets to move it would hang without a word.
  private func watch() {
    guard let standstill else { return }
    let isFirst = state.withLock { !exchange(&$0.isWatched, with: true) }
    if isFirst { look(after: standstill * 0.5) }
  }

  /// Looks at the clock again and again while something waits for it. Two looks in which nothing has changed make a
  /// standstill: after a process was stopped, the first comes at once. One standstill is reported.
  private func look(after pause: Duration, seen: UInt64? = nil) {
    DispatchQueue.global().asyncAfter(deadline: (.now() + pause).dispatchTime) { [weak self] in
      guard let self else { return }
      let (changes, sentences): (UInt64?, String?) = state.withLock { state in
        state.isWatched = !state.waiting.isEmpty
        guard state.isWatched else { return (nil, nil) }
        let stands = state.changes == seen && state.driverCount == 0 && state.isAtRest
        return stands ? (nil, state.standstill) : (state.changes, nil)
      }
      if let sentences { report(([sentences] + madeRequests).joined(separator: "\n")) }
      if let changes { look(after: pause, seen: changes) }
    }
  }

  // MARK: Closures and other users

  func answer<Response>(by stub: StubReference?, _ body: () async throws -> Response) async rethrows -> Response {
    let closure = RunningClosure(timeline: self, number: state.update { $0.beginClosure(of: stub) })
    defer { state.update { $0.endClosure(closure.number) } }
    return try await RunningClosure.$current.withValue(closure) { try await body() }
  }

  func beginWait() -> OneTime<Void>? {
    noteUser()
    guard let closure = RunningClosure.current, closure.timeline === self else { return nil }
    state.update { $0.beginWait(of: closure.number) }
    return OneTime { [self] in state.update { $0.endWait(of: closure.number) } }
  }

  /// Runs the user's closures, and counts their jobs.
  var executor: (any Executor)? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return JobExecutor { [self] job in WorkerPool.closures.run(counted(job)) }
  }

  /// Starts a task that moves time. It isn't counted.
  @discardableResult
  static func startMover(_ move: @escaping AsyncWork) -> Task<Void, Never> {
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
    if RunningClosure.current?.timeline === self { return true }
    return withUnsafeCurrentTask { $0?.unownedTaskExecutor } == asUnownedTaskExecutor()
  }
}

extension VirtualTimeline.State {
  fileprivate var standstill: String {
    "A ManualClock stands at \(elapsed), and nothing moves it: \(pending).\nMove it with advance(by:) after the requests "
      + "are made, which waitForPending() waits for, or put the code into clock.run { … }."
      + (elapsed > .zero ? " What passed before a request was made doesn't count for it." : "")
  }

  /// What waits for the clock, and whom the clock waits for.
  fileprivate var pending: String {
    var parts: [String] = []
    let sleeperCount = waiting.values.count { if case .sleeper = $0 { true } else { false } }
    if sleeperCount > 0 { parts.append("\(sleeperCount) sleeping") }
    if waiting.count > sleeperCount { parts.append("\(waiting.count - sleeperCount) deliveries and timeouts") }
    let sum = parts.isEmpty ? "nothing is pending" : "\(waiting.count) pending (\(parts.joined(separator: ", ")))"
    return working.map { "\(sum), and \($0) not returned" } ?? sum
  }

  /// The closures that are at work, in the order in which they began, as the subject of a sentence, and its auxiliary
  /// verb. `nil` if there are none.
  var working: String? {
    let names = closures.filter { $0.value.waitCount == 0 }.sorted { $0.key < $1.key }.map {
      $1.stub?.description ?? "(unmatched policy)"
    }
    guard names.count > 1 else { return names.first.map { "the closure of the stub \($0) has" } }
    return "the closures of \(names.count) stubs (\(names.prefix(5).joined(separator: ", "))) have"
  }

  fileprivate mutating func beginClosure(of stub: StubReference?) -> UInt64 {
    let number = begin()
    closures[number] = (stub, 0, number)
    return number
  }

  fileprivate mutating func endClosure(_ number: UInt64) {
    if let closure = closures.removeValue(forKey: number), closure.waitCount == 0 { end(closure.work) }
  }

  fileprivate mutating func beginWait(of number: UInt64) {
    guard let closure = closures[number] else { return }
    closures[number]?.waitCount += 1
    if closure.waitCount == 0 { end(closure.work) }
  }

  fileprivate mutating func endWait(of number: UInt64) {
    closures[number]?.waitCount -= 1
    guard closures[number]?.waitCount == 0 else { return }
    let work = begin()
    closures[number]?.work = work
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
    queue.async(execute: counted { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) })
  }
}
