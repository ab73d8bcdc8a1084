extension VirtualTimeline {
  /// How often ready tasks and the main actor have their turns before time moves to the next deadline, so that code can
  /// hop between them. Afterwards, the threads of other priorities may have resumed something, so there is a second time.
  private static let cycleCounts = [64, 8]
  /// The real-time limit for tasks that nothing is known of.
  private static let shortTurn = Duration.milliseconds(1)

  /// Gives code that isn't counted its turn to begin something that is, and returns whether nothing has begun.
  ///
  /// If only the clock's own tasks have used the clock, and no other task has been made, there is one short turn.
  ///
  /// - Parameter isImpatient: Returns whether to leave behind what has not come to rest.
  func isQuiet(_ isImpatient: @escaping @Sendable () -> Bool) async -> Bool {
    let (before, isAwaited) = state.withLock { state in
      let hasNewTasks = state.tasks.noteNewTasks()
      // They can still be there later.
      if hasNewTasks == true { state.isUsedElsewhere = true }
      return (state.changes, state.isUsedElsewhere || hasNewTasks != false)
    }
    let medium = CooperativePool.medium
    // Returns whether something has happened since then, or was under way already.
    let isMoot = { @Sendable [self] in state.withLock { $0.changes != before || !$0.isAtRest } }
    for cycleCount in isAwaited ? Self.cycleCounts : [0] {
      for pool in isAwaited ? CooperativePool.all : [medium] {
        if pool === medium { await passMainActor() }
        let (used, usesMainActor) = state.withLock { ($0.usedPools, !$0.awaitsMainActor) }
        let end = isAwaited ? Duration.endOfTime : .now() + Self.shortTurn
        let outcome = await pool.drain(
          CooperativePool.Request(
            cycleCount: pool === medium ? cycleCount : 0, usedPools: used,
            usesMainActor: usesMainActor,
            isMoot: { isMoot() || .now() >= end }, isImpatient: isImpatient), atMost: isAwaited ? nil : Self.shortTurn)
        if Task.isCancelled { return true }
        if isMoot() { return false }
        switch outcome {
        case nil, .rest?: break
        case .leftBehind: reportLeftBehind("threads of Swift tasks")
        case .busy(let isNew):
          if isNew { reportBusyPool() }
          if pool === medium { return true }
        }
      }
    }
    return true
  }

  private func passMainActor() async {
    // It doesn't wait again for a main actor that is blocked by code that waits there for time to move.
    let isFree = state.withLock { state in
      defer { state.awaitsMainActor = true }
      return !state.awaitsMainActor
    }
    guard isFree else { return }
    OwnTasks.make { Task.detached { @MainActor in self.state.update { $0.awaitsMainActor = false } } }
    let hasPassed = await state.wait(atMost: patience) { !$0.awaitsMainActor }
    if !hasPassed { reportLeftBehind("the main actor") }
  }

  private func reportLeftBehind(_ threads: String) {
    guard !Task.isCancelled else { return }
    report(
      "ManualClock moved on although \(threads) had not come to rest for \(patience): code there computes, or blocks its "
        + "thread. It isn't waited for again until it ends.\nCode that waits in a Swift task must await.")
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
    return reader.number.withLock(\.self)
  }

  /// Runs the job at once: the task does nothing.
  func enqueue(_ job: consuming ExecutorJob) {
    // "ExecutorJob(id: 42)"
    let digits = job.description.split { $0 == " " || $0 == ")" }.last
    number.withLock { $0 = digits.flatMap { UInt64($0) } }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The Swift tasks that StubKit makes for itself. They use no timeline.
enum OwnTasks {
  private static let made = Protected<UInt64>(0)

  static var count: UInt64 { made.withLock(\.self) }

  /// Runs a closure that makes one. It is counted at the same moment.
  @discardableResult
  static func make<Made>(_ body: () -> Made) -> Made {
    made.withLock { made in
      made += 1
      return body()
    }
  }
}

/// The number of the last Swift task of the process, and of StubKit's own by then.
struct TaskCensus {
  private var last: (number: UInt64, ownCount: UInt64)?

  /// Returns whether others have made a task since the last call. `nil` means that it isn't known: the numbers can't be
  /// read, don't grow, or don't count StubKit's own tasks, or one of these was made meanwhile.
  mutating func noteNewTasks() -> Bool? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    let before = OwnTasks.count
    guard let number = TaskNumber.next, OwnTasks.count == before else {
      last = nil
      return nil
    }
    defer { last = (number, before) }
    let ownCount = 1 + before - (last?.ownCount ?? 0)
    guard let last, number >= last.number + ownCount else { return nil }
    return number > last.number + ownCount
  }
}
