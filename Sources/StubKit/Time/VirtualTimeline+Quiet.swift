extension VirtualTimeline {
  /// How often ready tasks and the main actor have their turns before time moves to the next deadline, so that code can
  /// hop between them. Afterwards, the threads of other priorities may have resumed something, so there is a second time.
  private static let cycleCounts = [64, 8]
  /// The real-time limit for tasks that nothing is known of.
  private static let shortTurn = Duration.milliseconds(1)

  /// Threads of code that isn't counted.
  enum Threads: Hashable {
    case mainActor
    case pool(CooperativePool)
  }

  /// The threads that are having their turn, each with the number of that turn.
  struct ThreadTurns {
    fileprivate var last: UInt64 = 0
    fileprivate var open: [Threads: UInt64] = [:]
    fileprivate var outcome = CooperativePool.Outcome.rest
    /// The number of threads that were left behind in the last turn.
    fileprivate var leftBehind = 0
    /// The numbers that are said already.
    fileprivate var knownLeftBehind: [CooperativePool: Int] = [:]
    /// Whether it was said that threads are late again and again.
    fileprivate var isKnownLate = false
    /// The pools in which tasks use the timeline.
    var used: Set<CooperativePool> = []
  }

  enum Quiet {
    case yes
    /// Something has happened on the timeline.
    case no
    /// Nothing has happened yet, but some threads came late to their turns. What they did can have consequences.
    case late
  }

  /// Gives code that isn't counted its turn to begin something that is, and returns whether nothing has begun.
  ///
  /// If only the clock's own tasks have used the clock, and no other task has been made, there is one short turn.
  func isQuiet() async -> Quiet {
    let before = state.withLock(\.changes)
    let isAwaited = state.withLock { state in
      let hasNewTasks = state.tasks.noteNewTasks()
      // They can still be there later.
      if hasNewTasks == true { state.isUsedElsewhere = true }
      return state.isUsedElsewhere || hasNewTasks != false
    }
    var isLate = false
    for cycleCount in isAwaited ? Self.cycleCounts : [0] {
      for pool in isAwaited ? CooperativePool.all : [CooperativePool.medium] {
        if pool == .medium { await passMainActor() }
        let outcome = await drain(
          pool, cycleCount: pool == .medium ? cycleCount : 0, since: before, isAwaited: isAwaited)
        if Task.isCancelled { return .yes }
        if !isUnchanged(since: before) { return .no }
        switch outcome {
        case .rest: break
        case .late: isLate = true
        case .busy(let isNew):
          if isNew { reportBusyPool() }
          if pool == .medium { return isLate ? .late : .yes }
        }
      }
    }
    return isLate ? .late : .yes
  }

  /// Returns whether nothing has happened since then, and nothing was under way already.
  private func isUnchanged(since changes: UInt64) -> Bool {
    state.withLock { $0.changes == changes && $0.isAtRest }
  }

  private func passMainActor() async {
    // It doesn't wait again for a main actor that is blocked by code that waits there for time to move.
    guard let number = begin(.mainActor) else { return }
    OwnTasks.make { Task.detached { @MainActor in self.end(.mainActor, number) } }
    if await !hasPassed(.mainActor, atMost: patience) { reportLeftBehind("the main actor") }
  }

  /// Lets the tasks of a pool come to rest.
  private func drain(
    _ pool: CooperativePool, cycleCount: Int, since changes: UInt64, isAwaited: Bool
  ) async -> CooperativePool.Outcome {
    guard let number = begin(.pool(pool)) else { return .rest }
    let (used, usesMainActor) = state.withLock { state in
      (state.threadTurns.used, state.threadTurns.open[.mainActor] == nil)
    }
    pool.drain(
      CooperativePool.Request(
        cycleCount: cycleCount, usedPools: used, usesMainActor: usesMainActor, patience: patience,
        isMoot: { [self] in !isUnchanged(since: changes) }
      ) { [self] outcome, leftBehind in
        state.withLock { ($0.threadTurns.outcome, $0.threadTurns.leftBehind) = (outcome, leftBehind) }
        end(.pool(pool), number)
      })
    // A pool in which only some threads are missing ends its round itself.
    guard await hasPassed(.pool(pool), atMost: isAwaited ? patience * 2 : Self.shortTurn) else {
      if isAwaited { reportLeftBehind("all threads of Swift tasks") }
      return .rest
    }
    let (outcome, count, isMore) = state.withLock { state in
      let count = state.threadTurns.leftBehind
      let known = state.threadTurns.knownLeftBehind.updateValue(count, forKey: pool) ?? 0
      return (state.threadTurns.outcome, count, count > known)
    }
    if isMore, isAwaited { reportLeftBehind("\(count) thread\(count == 1 ? "" : "s") of Swift tasks") }
    return outcome
  }

  /// Begins the turn of some threads. Returns `nil` if the last one goes on.
  private func begin(_ threads: Threads) -> UInt64? {
    state.withLock { state in
      if state.threadTurns.open[threads] != nil { return nil }
      state.threadTurns.last += 1
      state.threadTurns.open[threads] = state.threadTurns.last
      return state.threadTurns.last
    }
  }

  private func end(_ threads: Threads, _ number: UInt64) {
    state.update { state in
      if state.threadTurns.open[threads] == number { state.threadTurns.open[threads] = nil }
    }
  }

  private func hasPassed(_ threads: Threads, atMost bound: Duration) async -> Bool {
    await state.wait(atMost: bound) { $0.threadTurns.open[threads] == nil }
  }

  private func reportLeftBehind(_ threads: String) {
    guard !Task.isCancelled else { return }
    report(
      "ManualClock moved on although \(threads) had not come to rest for \(patience): code there computes, or blocks its "
        + "thread. It isn't waited for again until it ends.\nCode that waits in a Swift task must await.")
  }

  func reportLate() {
    let isKnown = state.withLock { state in
      defer { state.threadTurns.isKnownLate = true }
      return state.threadTurns.isKnownLate
    }
    if isKnown { return }
    report(
      "ManualClock moved on although threads of Swift tasks were late again and again: code there computes, or blocks its "
        + "thread, and goes on elsewhere. What needs several turns of them can be late.")
  }

  private func reportBusyPool() {
    report(
      "ManualClock moved on although Swift tasks are always ready: some have gone on for a second. Until they "
        + "rest, tasks have one turn before each deadline, and code that needs several can be late.")
  }
}

/// Reads the numbers that the runtime gives to Swift tasks as they are made, one after another.
///
/// They are only in the description of a job, whose format no document promises.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TaskNumber: TaskExecutor {
  private let number = Protected<UInt64?>(nil)

  /// The number of a task that is made for that purpose, or `nil` if the runtime describes its jobs in another way.
  static var next: UInt64? {
    let reader = TaskNumber()
    Task.detached(executorPreference: reader) {}
    return reader.number.withLock { $0 }
  }

  /// The number in `ExecutorJob(id: 42)`.
  static func number(in description: some StringProtocol) -> UInt64? {
    let prefix = "ExecutorJob(id: "
    guard description.hasPrefix(prefix), description.hasSuffix(")") else { return nil }
    return UInt64(description.dropFirst(prefix.count).dropLast())
  }

  /// Runs the job at once: the task does nothing.
  func enqueue(_ job: consuming ExecutorJob) {
    number.withLock { [text = job.description] in $0 = Self.number(in: text) }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The Swift tasks that StubKit makes for itself. They use no timeline.
enum OwnTasks {
  struct Count: Equatable {
    var begun: UInt64 = 0
    /// The number of those that are made. The others are being made.
    var made: UInt64 = 0
  }

  private static let current = Protected(Count())

  static var count: Count { current.withLock { $0 } }

  /// Runs a closure that makes one.
  @discardableResult
  static func make<Made>(_ body: () -> Made) -> Made {
    current.withLock { $0.begun += 1 }
    defer { current.withLock { $0.made += 1 } }
    return body()
  }
}

/// The number of the last Swift task of the process, and of StubKit's own by then.
struct TaskCensus {
  private var last: (number: UInt64, ownCount: UInt64)?

  /// Returns whether others have made a task since the last call. `nil` means that it isn't known: the numbers can't be
  /// read, don't grow, or don't count StubKit's own tasks, or one of these is just being made.
  mutating func noteNewTasks() -> Bool? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return noteNewTasks { TaskNumber.next }
  }

  mutating func noteNewTasks(number next: () -> UInt64?) -> Bool? {
    let before = OwnTasks.count
    guard let number = next(), before.begun == before.made, OwnTasks.count == before else {
      last = nil
      return nil
    }
    defer { last = (number, before.made) }
    let ownCount = 1 + before.made - (last?.ownCount ?? 0)
    guard let last, number >= last.number + ownCount else { return nil }
    return number > last.number + ownCount
  }
}
