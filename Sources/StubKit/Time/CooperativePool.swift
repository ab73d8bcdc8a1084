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
/// What a round must know. `Bounds` has its times:
///
/// - Code that has its turn may wait for a thread that is kept. A round in which nothing goes on ends without a result.
/// - A thread may not come, because code computes there or blocks it. It is **stuck** once all who wait are impatient,
///   and isn't waited for again. The others have their turns all the same.
/// - A thread that comes late may be one that Dispatch has added meanwhile, while code still blocks the right one.
/// - Tasks may be ready always. After a second, the pool is **busy**, and each drain is one turn, until they rest.
/// - A round is **moot** as soon as something has begun on the clock, or nobody waits any more.
///
/// The first tests to read are those in `ManualClockTasksTests.swift`: "each moment is met", "a blocked thread is
/// waited for once", and "tasks that are always ready get a second".
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

  /// The times that a drain goes by. Each was taken out, one after the other, and clients like those of
  /// `ManualClockTasksTests` were timed once, on two cores beside builds.
  private enum Bounds {
    /// How far the arrivals of all threads are apart if none of them was added. Dispatch adds one a second, on Linux.
    static let prompt = Duration.milliseconds(2)
    /// How long a kept thread sees nothing go on before it ends the round, besides the time that the queue needs, and
    /// how often it looks. Without it, a step of the clock beside a blocked thread takes 8 s in place of 0.06 s. With 5
    /// ms, a step beside tasks that are always ready takes 2 s in place of 0.2 s, because no round ends.
    static let idle = Duration.milliseconds(50)
    static let look = Duration.milliseconds(10)
    /// How long a round waits for its threads, if they don't say themselves that nothing goes on.
    static let arrival = Duration.seconds(2)
    /// The pauses before the next round if a thread was missing, of which each is twice as long as the one before.
    static let pauses = Duration.milliseconds(5)...(.milliseconds(100))
    /// For how long tasks can be always ready before the pool is busy, and then before a drain ends. With one second in
    /// both cases, each step takes 1.4 s.
    static let untilBusy = Duration.seconds(1)
    static let whileBusy = Duration.milliseconds(20)
    /// The time after which the threads of a busy pool have come so late that what was ready has had a turn.
    static let turn = Duration.milliseconds(5)
    /// The cycles in which all other pools take part. Those that use the clock take part in each.
    static let cyclesOfAll: Set = [1, 4, 16, 64]
  }

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
    var pause = Bounds.pauses.lowerBound
    var isConfirmed = false
    while true {
      let stuckCount = state.withLock(\.stuckCount)
      let round = Round(self, width: Self.width, slice: max(Bounds.look, pause * 2), isConfirmed, waiters)
      // If all were stuck, most likely none comes.
      let (outcome, arrivedCount) = await round.run(atMost: stuckCount == Self.width ? pause : Bounds.arrival)
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
        // The tasks on the other threads have their turns.
        if arrivedCount > 0 {
          _ = await Round(self, width: arrivedCount, slice: pause, true, waiters).run(atMost: Bounds.arrival)
        }
        return isStuck ? .rest : .leftBehind
      }
      isConfirmed = missingCount == 0
      _ = await state.wait(atMost: pause) { _ in false }
      pause = min(pause * 2, Bounds.pauses.upperBound)
    }
  }

  private func enqueue(_ body: @escaping AsyncWork) {
    OwnTasks.make { Task.detached(priority: priority) { await body() } }
  }

  private final class Round: Sendable {
    private let pool: CooperativePool
    /// The number of threads that are to arrive.
    private let width: Int
    /// Whether all threads came to the round before, so that none of them was added meanwhile.
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
        state.longestTurn = Bounds.idle + (now - start) * (2 * width)
        return (true, now < state.firstArrival + Bounds.prompt)
      }
      guard let arrival else { return }
      if !arrival.isLast { return keepThread() }
      // A thread that has come late may be one that Dispatch has added because another one is blocked, as it does once
      // a second on Linux. It doesn't add one again in the next round.
      finish(isConfirmed || arrival.isPrompt ? await serve() : nil)
    }

    /// Keeps the thread until the round is over, or nothing goes on: what has its turn may wait for this thread.
    private func keepThread() {
      while end.wait(timeout: (.now() + Bounds.look).dispatchTime) == .timedOut {
        if state.withLock({ Duration.now() >= $0.lastTurn + $0.longestTurn }) { finish(nil) }
      }
    }

    private func serve() async -> Result {
      let now = Duration.now()
      // Threads that come late have waited behind those tasks, which have had a turn.
      if wasBusy, now > start + Bounds.turn { return .busy(isNew: false) }
      let limit = now + (wasBusy ? Bounds.whileBusy : Bounds.untilBusy)
      for cycle in 1... {
        for _ in 0..<2 {
          await takeTurn(in: pool)
          if state.withLock(\.isOver) { return .rest }
          if .now() >= limit { return .busy(isNew: !wasBusy) }
        }
        if cycle > waiters.map(\.cycleCount).max()! || waiters.allSatisfy({ $0.isMoot() }) { break }
        for other in CooperativePool.all where other !== pool && other.state.withLock(\.comesToRest) {
          if Bounds.cyclesOfAll.contains(cycle)
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
