extension VirtualTimeline {
  /// The number of rounds without any event before time moves to the next deadline. In each, the threads of Swift tasks
  /// and then the main actor have their turn. There are two, because work can move from one to the other once per round.
  private static let quietRounds = 2
  /// The real-time limit of a round for the threads of Swift tasks: the longer one if code there is known to use the
  /// clock.
  private static let (longTurn, shortTurn) = (Time.seconds(30), Time(.milliseconds(1)))

  /// Threads of code that isn't counted.
  enum Threads: Hashable {
    case mainActor
    case pool(CooperativePool)
  }

  /// The threads that are having their turn, each with the number of that turn.
  struct ThreadTurns {
    fileprivate var last: UInt64 = 0
    fileprivate var open: [Threads: UInt64] = [:]
    /// A Boolean value that indicates whether tasks go on and on in one of the pools.
    fileprivate var areBusy = false
  }

  /// Gives code that isn't counted its turn to begin something that is, and returns whether nothing has begun.
  ///
  /// If only the clock's own tasks have used the clock, and no other task has been made, there is one round, and only if it
  /// takes no time. Beside tasks that are always ready, the second round is brief: it runs what the main actor has resumed.
  func isQuiet() async -> Bool {
    let before = state.withLock(\.changes)
    let isAwaited = state.withLock { $0.tasks.noteNewTasks() || $0.isUsedElsewhere }
    let otherPools = CooperativePool.of(Task.currentPriority) == .high ? [CooperativePool.high] : []
    state.withLock { $0.threadTurns.areBusy = false }
    for _ in 1...(isAwaited ? Self.quietRounds : 1) {
      let isBrief = state.withLock(\.threadTurns.areBusy)
      for pool in isAwaited ? [.background, .low, .medium] + otherPools : [CooperativePool.medium] {
        begin(.pool(pool), briefly: isBrief)
        let bound = isAwaited ? Self.longTurn : Self.shortTurn
        if await !hasPassed(.pool(pool), atMost: bound), isAwaited { reportBusyPool() }
      }
      if isBrief { break }
      // It doesn't wait again for a main actor that is always busy, or blocked by code that waits there for time to move.
      if begin(.mainActor) { _ = await hasPassed(.mainActor, atMost: patience) }
      if !isUnchanged(since: before) || Task.isCancelled { break }
    }
    return isUnchanged(since: before) || Task.isCancelled
  }

  /// Returns whether nothing has happened since then, and nothing was under way already.
  private func isUnchanged(since changes: UInt64) -> Bool {
    state.withLock { $0.changes == changes && $0.isAtRest }
  }

  /// Begins the turn of some threads. Returns `false` if the last one goes on.
  @discardableResult
  private func begin(_ threads: Threads, briefly isBrief: Bool = false) -> Bool {
    let number: UInt64? = state.withLock { state in
      if threads == .mainActor, state.threadTurns.open[threads] != nil { return nil }
      state.threadTurns.last += 1
      state.threadTurns.open[threads] = state.threadTurns.last
      return state.threadTurns.last
    }
    guard let number else { return false }
    let end = { @Sendable [self] in
      state.update { state in
        if state.threadTurns.open[threads] == number { state.threadTurns.open[threads] = nil }
      }
    }
    switch threads {
    case .mainActor: OwnTasks.make { Task.detached { @MainActor in end() } }
    case .pool(let pool):
      pool.drain(briefly: isBrief) { [self] isBusy in
        if isBusy { state.withLock { $0.threadTurns.areBusy = true } }
        end()
      }
    }
    return true
  }

  private func hasPassed(_ threads: Threads, atMost bound: Time) async -> Bool {
    await state.wait(atMost: bound) { $0.threadTurns.open[threads] == nil }
  }

  private func reportBusyPool() {
    guard !Task.isCancelled else { return }
    report(
      "ManualClock moved on although Swift tasks had no turn for \(Self.longTurn): all of their threads are busy or blocked. "
        + "Code that waits in a Swift task must await.")
  }
}

/// Reads the numbers that the runtime gives to Swift tasks as they are made, one after another.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TaskNumber: TaskExecutor {
  private let number = Protected<UInt64?>(nil)

  /// The number of a task that is made for that purpose, or `nil` if the runtime doesn't describe its jobs by number.
  static var next: UInt64? {
    let reader = TaskNumber()
    Task.detached(executorPreference: reader) {}
    return reader.number.withLock { $0 }
  }

  /// Runs the job at once: the task does nothing.
  func enqueue(_ job: consuming ExecutorJob) {
    number.withLock { [text = job.description] in $0 = UInt64(text.filter(\.isNumber)) }
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

  /// Returns whether others may have made a task since the last call.
  mutating func noteNewTasks() -> Bool {
    let before = OwnTasks.count
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let number = TaskNumber.next,
      // Nothing is known while one of StubKit's own is being made.
      before.begun == before.made, OwnTasks.count == before
    else {
      last = nil
      return true
    }
    defer { last = (number, before.made) }
    return last.map { number - $0.number > 1 + (before.made - $0.ownCount) } ?? true
  }
}
