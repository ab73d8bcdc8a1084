import Foundation

/// The threads that Swift tasks of one priority share.
///
/// A manual clock moves only when no code has anything left to do now. Take a client that tries again:
///
/// ```swift
/// let data = try? await session.data(from: url)  // It fails, and the client's task is ready.
/// try await clock.sleep(for: .seconds(1))  // The clock doesn't know of this yet.
/// ```
///
/// Between the two lines, nothing waits on the clock, and yet it mustn't move. Swift has no callback for "all ready
/// tasks have run". So the clock lets the pool **drain**, in rounds, one at a time for all clocks together:
///
/// 1. A **round** enqueues a task for each thread of the pool. All but the last one that arrives keep their threads.
///    What was ready before them has begun by then.
/// 2. The last one **serves**: it enqueues another task and waits for it. A priority's queue is first in, first out, so
///    when that task runs, the client has had its **turn**, and sleeps. Code that resumes other code needs many turns.
/// 3. The threads are let go, and the drain ends with `.rest`.
///
/// What a round must know. `PoolRound` and `PoolDrain` decide it, and say why each number is what it is:
///
/// - Code that has its turn may wait for a thread that is kept. A round in which nothing goes on ends without a result.
/// - A thread may not come, because code computes there or blocks it. It is **stuck** once all who wait are impatient,
///   and isn't waited for again. The others have their turns all the same.
/// - A thread that comes late may be one that Dispatch has added meanwhile, while code still blocks the right one.
/// - Tasks may be ready always. After a second, the pool is **busy**, and each drain is one turn, until they rest.
/// - A round is **moot** as soon as something has begun on the clock, or nobody waits any more.
///
/// The first tests to read are the stories in `PoolRoundTests.swift`, and, with threads, "meet at each moment
/// at which the client has something to do" in `ManualClockTasksTests.swift`.
///
/// > Important: The price is that a round also blocks code that doesn't use the clock. The tasks of tests that run
/// > beside the caller share the one thread that is left until the round is over.
final class CooperativePool: Sendable {
  static let background = CooperativePool(.background, .background)
  static let low = CooperativePool(.low, .utility)
  static let medium = CooperativePool(.medium, .default)
  static let high = CooperativePool(.high, .userInitiated)
  static let all = [background, low, high, medium]

  /// The threads of a priority.
  static func of(_ priority: TaskPriority) -> CooperativePool {
    [high, medium, low].first { priority >= $0.priority } ?? background
  }

  /// The number of threads of a priority: one for each core that the process may use, as Dispatch counts them.
  private static let width: Int = {
    #if targetEnvironment(simulator)
      return 1
    #elseif os(Linux)
      // A mask in hexadecimal digits, as in "Cpus_allowed: ff". Foundation counts the quota of processor time instead.
      let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n")
      let mask = lines?.first { $0.hasPrefix("Cpus_allowed:") }?.drop { $0 != ":" }
      let count = mask?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) } ?? 0
      return count > 0 ? count : ProcessInfo.processInfo.activeProcessorCount
    #else
      let isStrict = ProcessInfo.processInfo.environment["LIBDISPATCH_COOPERATIVE_POOL_STRICT"] == "1"
      return isStrict ? 1 : ProcessInfo.processInfo.activeProcessorCount
    #endif
  }()

  /// What somebody wants who waits for a drain.
  struct Waiter {
    /// How often the tasks that are ready have their turns and then the main actor, so that each can resume the other.
    let cycleCount: Int
    /// The pools that take part in every cycle. The others do in cycles 1, 4, 16 and 64.
    let usedPools: Set<ObjectIdentifier>
    let usesMainActor: Bool
    /// Returns whether it is known already that tasks have not come to rest, or whether nobody waits for that any more.
    let isMoot: @Sendable () -> Bool
    /// Returns whether to leave threads behind that are still missing.
    let isImpatient: @Sendable () -> Bool
  }

  /// How a drain has ended.
  enum Result: Equatable {
    /// All tasks that were ready have suspended or ended, and those that they resumed, as many times as wanted.
    case rest
    /// The same, except for threads that were missing until all who wait were impatient.
    case leftBehind
    /// Tasks are always ready. Until that ends, a round is over when those that are ready have had a turn.
    case busy(isNew: Bool)
  }

  private let priority: TaskPriority
  /// The quality of service of its threads.
  let quality: DispatchQoS.QoSClass
  private let state = Awaitable(State())

  private struct State {
    /// Those who wait for the next drain.
    var waiting: [Waiter] = []
    var isUnderWay = false
    var begunCount = 0
    var endedCount = 0
    /// The outcome of the last drain that has ended.
    var outcome = Result.rest
    var condition = PoolCondition()
  }

  private init(_ priority: TaskPriority, _ quality: DispatchQoS.QoSClass) {
    self.priority = priority
    self.quality = quality
  }

  /// Lets the tasks run that are ready, and those that they resume, and so on, until they have suspended or ended.
  ///
  /// - Returns: `nil` if the time is up or the caller's task is cancelled first.
  func drain(_ waiter: Waiter, atMost bound: Duration?) async -> Result? {
    let (number, isFirst) = state.withLock { state in
      state.waiting.append(waiter)
      return (state.begunCount + 1, !exchange(&state.isUnderWay, with: true))
    }
    if isFirst { VirtualTimeline.startMover { await self.drainForAll() } }
    return await state.wait(atMost: bound) { $0.endedCount >= number ? $0.outcome : nil }
  }

  /// One drain after another, each for all who have asked before it began.
  private func drainForAll() async {
    while true {
      let waiters = state.withLock { state in
        state.isUnderWay = !state.waiting.isEmpty
        state.begunCount += 1
        return exchange(&state.waiting, with: [])
      }
      if waiters.isEmpty { return }
      let outcome = await drain(waiters)
      state.update {
        $0.endedCount = $0.begunCount
        $0.outcome = outcome
      }
    }
  }

  private func drain(_ waiters: [Waiter]) async -> Result {
    var drain = PoolDrain(width: Self.width, state.withLock(\.condition))
    while true {
      let round = Round(of: self, drain.round(at: .now()), waiters)
      let (outcome, arrivedCount) = await round.run(atMost: drain.bound)
      let next = drain.goesOn(
        after: outcome, arrivedCount: arrivedCount, isMoot: waiters.allSatisfy { $0.isMoot() },
        isImpatient: waiters.allSatisfy { $0.isImpatient() })
      state.withLock { $0.condition = drain.condition }
      switch next {
      case .end(let result): return result
      case .leave(let result):
        if arrivedCount > 0 {
          let round = Round(of: self, drain.lastRound(of: arrivedCount, at: .now()), waiters)
          _ = await round.run(atMost: PoolDrain.longestWait)
        }
        return result
      case .round(let pause): _ = await state.wait(atMost: pause) { _ in false }
      }
    }
  }

  private func enqueue(_ body: @escaping AsyncWork) {
    OwnTasks.make { Task.detached(priority: priority) { await body() } }
  }

  /// The threads of a round.
  private final class Round: Sendable {
    /// The turns that tasks of the pool have in a cycle, before other pools and the main actor have one: one for those
    /// that are ready, and one for those that they resume.
    private static let ownTurns = 2

    private let pool: CooperativePool
    private let waiters: [Waiter]
    private let end = DispatchSemaphore(value: 0)
    private let state: Awaitable<PoolRound>

    init(of pool: CooperativePool, _ round: PoolRound, _ waiters: [Waiter]) {
      self.pool = pool
      self.waiters = waiters
      state = Awaitable(round)
    }

    func run(atMost bound: Duration) async -> (outcome: Result?, arrivedCount: Int) {
      for _ in 0..<state.withLock(\.width) { pool.enqueue { await self.arrive() } }
      if await !state.wait(atMost: bound, until: \.isOver) { finish(nil) }
      return state.withLock { ($0.outcome, $0.arrivedCount) }
    }

    private func arrive() async {
      switch state.withLock({ $0.arrives(at: .now(), isMain: DispatchQueue.isMain) }) {
      case .leaves: break
      case .keeps: keepThread()
      case .serves: finish(await serve())
      case .ends(let outcome): finish(outcome)
      }
    }

    private func keepThread() {
      while end.wait(timeout: (.now() + PoolRound.look).dispatchTime) == .timedOut {
        if state.withLock({ $0.isIdle(at: .now()) }) { finish(nil) }
      }
    }

    private func serve() async -> Result {
      let cycleCount = waiters.map(\.cycleCount).max()!
      for cycle in 1... {
        for _ in 1...Self.ownTurns {
          await takeTurn(in: pool)
          if state.withLock(\.isOver) { return .rest }
          if let result = state.withLock({ $0.result(at: .now()) }) { return result }
        }
        if cycle > cycleCount || waiters.allSatisfy({ $0.isMoot() }) { break }
        for other in CooperativePool.all where other !== pool && other.state.withLock(\.condition.comesToRest) {
          let isUsed = waiters.contains { $0.usedPools.contains(ObjectIdentifier(other)) }
          if PoolRound.includes(isUsed, in: cycle) { await takeTurn(in: other) }
        }
        if waiters.allSatisfy(\.usesMainActor) { await MainActor.run {} }
      }
      return .rest
    }

    /// Returns when what is ready has had a turn. The way back takes as long.
    private func takeTurn(in pool: CooperativePool) async {
      await withCheckedContinuation { continuation in
        pool.enqueue { [self] in
          state.withLock { $0.takesTurn(at: .now()) }
          continuation.resume()
        }
      }
      state.withLock { $0.takesTurn(at: .now()) }
    }

    private func finish(_ outcome: Result?) {
      let (isFirst, width) = state.update { ($0.ends(with: outcome), $0.width) }
      if isFirst { for _ in 0..<width { end.signal() } }
    }
  }
}
