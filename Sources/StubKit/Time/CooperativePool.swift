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
/// tasks have run". So the clock lets the pool **drain**, in rounds:
///
/// 1. A **round** enqueues a task for each thread of the pool, whose number is the **width**. All but the last one that
///    arrives **keep** their threads.
/// 2. The last one **serves**: it enqueues another task and waits for it. A priority's queue is first in, first out, so
///    when that task runs, the client has had its **turn**, and sleeps.
/// 3. The threads are let go, and the drain ends with `.rest`.
///
/// The code that has its turn may itself wait for a thread that is kept. So none is kept for longer than a **slice** in
/// which nothing goes on. The round then ends without a result, and another one follows. A thread that doesn't come is
/// **stuck** once all who wait are **impatient**. A round is **moot** as soon as something has begun on the clock, or
/// nobody waits any more. A pool has one round at a time, for all clocks together.
///
/// The first test to read is "each moment is met" in `ManualClockTasksTests.swift`.
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
    /// The number of threads that were left behind. It isn't waited for them again until they come back.
    var stuckCount = 0
    /// Whether tasks are always ready.
    var isBusy = false
    var comesToRest: Bool { stuckCount == 0 && !isBusy }
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
    // The pause after a round in which a thread was missing doubles each time.
    var pause = Duration.milliseconds(5)
    var isConfirmed = false
    while true {
      let stuckCount = state.withLock(\.stuckCount)
      let round = Round(self, width: Self.width, slice: max(.milliseconds(10), pause * 2), isConfirmed, waiters)
      let (outcome, arrivedCount) = await round.run(atMost: stuckCount == Self.width ? pause : .seconds(2))
      if let outcome {
        state.withLock {
          $0.stuckCount = 0
          $0.isBusy = outcome != .rest
        }
        return outcome
      }
      if waiters.allSatisfy({ $0.isMoot() }) { return .rest }
      let missingCount = Self.width - arrivedCount
      let isStuck = missingCount > 0 && missingCount <= stuckCount
      if isStuck || waiters.allSatisfy({ $0.isImpatient() }) {
        state.withLock { $0.stuckCount = missingCount }
        if arrivedCount > 0 {
          _ = await Round(self, width: arrivedCount, slice: pause, true, waiters).run(atMost: .seconds(2))
        }
        return isStuck ? .rest : .leftBehind
      }
      isConfirmed = missingCount == 0
      _ = await state.wait(atMost: pause) { _ in false }
      pause = min(pause * 2, .milliseconds(100))
    }
  }

  private func enqueue(_ body: @escaping AsyncWork) {
    OwnTasks.make { Task.detached(priority: priority) { await body() } }
  }

  private final class Round: Sendable {
    private let pool: CooperativePool
    private let width: Int
    private let isConfirmed: Bool
    private let waiters: [Waiter]
    private let wasBusy: Bool
    private let start = Duration.now()
    private let end = DispatchSemaphore(value: 0)
    private let state: Awaitable<State>

    private struct State {
      var arrivedCount = 0
      var firstArrival = Duration.zero
      var isServed = false
      var isOver = false
      /// `nil` if a thread was missing or late.
      var outcome: Result?
      /// The time of the last turn, and the longest time until the next one.
      var lastTurn = Duration.now()
      var longestTurn: Duration
    }

    init(_ pool: CooperativePool, width: Int, slice: Duration, _ isConfirmed: Bool, _ waiters: [Waiter]) {
      self.pool = pool
      self.width = width
      self.isConfirmed = isConfirmed
      self.waiters = waiters
      wasBusy = pool.state.withLock(\.isBusy)
      state = Awaitable(State(longestTurn: slice))
    }

    func run(atMost bound: Duration) async -> (outcome: Result?, arrivedCount: Int) {
      for _ in 0..<width { pool.enqueue { await self.arrive() } }
      if await !state.wait(atMost: bound, until: \.isOver) { finish(nil) }
      return state.withLock { ($0.outcome, $0.arrivedCount) }
    }

    /// A thread is here. All but the last wait for the end, and the last serves the tasks.
    private func arrive() async {
      let arrival = state.withLock { state -> (isLast: Bool, isPrompt: Bool)? in
        // The thread that serves the tasks can come back.
        if state.isServed || state.isOver { return nil }
        let now = Duration.now()
        if state.arrivedCount == 0 { state.firstArrival = now }
        // A library can send all tasks to the main queue, where no other thread will arrive.
        state.arrivedCount = DispatchQueue.isMain ? width : state.arrivedCount + 1
        if state.arrivedCount < width { return (false, false) }
        state.isServed = true
        // If the threads came late, many tasks are ready.
        state.lastTurn = now
        state.longestTurn = .milliseconds(50) + (now - start) * (2 * width)
        return (true, now < state.firstArrival + .milliseconds(2))
      }
      guard let arrival else { return }
      if !arrival.isLast { return keepThread() }
      // A thread that has come late may be one that Dispatch has added because another one is blocked, as it does once
      // a second on Linux. It doesn't add one again in the next round.
      finish(isConfirmed || arrival.isPrompt ? await serve() : nil)
    }

    /// Keeps the thread until the round is over, or nothing goes on: what has its turn may wait for this thread.
    private func keepThread() {
      while end.wait(timeout: .now() + .milliseconds(10)) == .timedOut {
        if state.withLock({ Duration.now() >= $0.lastTurn + $0.longestTurn }) { finish(nil) }
      }
    }

    private func serve() async -> Result {
      let now = Duration.now()
      // Threads that come late have waited behind those tasks, which have had a turn.
      if wasBusy, now > start + .milliseconds(5) { return .busy(isNew: false) }
      let limit = now + (wasBusy ? .milliseconds(20) : .seconds(1))
      for cycle in 1... {
        for _ in 0..<2 {
          await takeTurn(in: pool)
          if state.withLock(\.isOver) { return .rest }
          if .now() >= limit { return .busy(isNew: !wasBusy) }
        }
        if cycle > waiters.map(\.cycleCount).max()! || waiters.allSatisfy({ $0.isMoot() }) { break }
        for other in CooperativePool.all where other !== pool && other.state.withLock(\.comesToRest) {
          if [1, 4, 16, 64].contains(cycle)
            || waiters.contains(where: { $0.usedPools.contains(ObjectIdentifier(other)) })
          {
            await takeTurn(in: other)
          }
        }
        if waiters.allSatisfy(\.usesMainActor) { await MainActor.run {} }
      }
      return .rest
    }

    /// Returns when what is ready has had a turn. The way back takes as long.
    private func takeTurn(in pool: CooperativePool) async {
      await withCheckedContinuation { continuation in
        pool.enqueue { [self] in
          state.withLock { $0.lastTurn = .now() }
          continuation.resume()
        }
      }
      state.withLock { $0.lastTurn = .now() }
    }

    private func finish(_ outcome: Result?) {
      let isFirst = state.update { state in
        if state.isOver { return false }
        state.isOver = true
        state.outcome = outcome
        return true
      }
      if isFirst { for _ in 0..<width { end.signal() } }
    }
  }
}
