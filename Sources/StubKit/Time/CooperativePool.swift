import Dispatch
import Foundation

/// The threads that Swift tasks of one priority share. `PoolWidth` finds out how many there are.
///
/// Swift has no callback for "all ready tasks have run". To detect it, a round blocks every thread of the pool but one and
/// enqueues a task. A priority's queue is first in, first out, so when that task runs, everything enqueued before it has
/// suspended or ended, however long it took.
///
/// > Important: The price is that a round also blocks code that doesn't use the clock. The tasks of tests that run beside
/// > the caller share the one thread that is left until the round is over: for a moment as a rule, and for some tenths of a
/// > second if a thread of the pool is blocked already.
final class CooperativePool: Sendable {
  static let (background, low, medium, high) = (
    CooperativePool(.background, turnCount: 2), CooperativePool(.low, turnCount: 2), CooperativePool(.medium),
    CooperativePool(.high)
  )

  /// The threads of a priority.
  static func of(_ priority: TaskPriority) -> CooperativePool {
    switch priority {
    case .high...: high
    case .medium...: medium
    case .low...: low
    default: background
    }
  }

  /// - Parameter isBusy: Whether tasks are always ready.
  typealias Completion = @Sendable (_ isBusy: Bool) -> Void

  /// The number of rounds after a thread was missing in which it is given less time to arrive.
  private static let hastyRounds = 4

  private let priority: TaskPriority
  /// How often the tasks that are ready have their turn in a round. Each time, they can resume others.
  private let turnCount: Int
  private let state = Protected(State())

  private struct State {
    var isBusy = false
    var waiting: [Completion] = []
    /// Whether one turn is enough for those who wait.
    var isBrief = true
    var hastyRounds = 0
  }

  private init(_ priority: TaskPriority, turnCount: Int = 6) {
    self.priority = priority
    self.turnCount = turnCount
  }

  /// Lets the tasks run that are ready, and those that they resume, and so on, until they have suspended or ended.
  ///
  /// - Parameters:
  ///   - isBrief: Whether one turn of the tasks that are ready is enough.
  ///   - completion: Called on a thread of the pool. Tasks that are always ready, and those that block their thread,
  ///     don't put it off for long.
  func drain(briefly isBrief: Bool, _ completion: @escaping Completion) {
    let isFirst = state.withLock { state in
      defer { state.isBusy = true }
      state.waiting.append(completion)
      state.isBrief = state.isBrief && isBrief
      return !state.isBusy
    }
    if isFirst { startRound() }
  }

  /// Starts a round for all who have asked for one since the last has begun.
  private func startRound() {
    let (completions, isBrief, isHasty) = state.withLock { state in
      defer { (state.isBusy, state.waiting, state.isBrief) = (!state.waiting.isEmpty, [], true) }
      return (state.waiting, state.isBrief, state.hastyRounds > 0)
    }
    guard !completions.isEmpty else { return }
    let attempt = PoolWidth.next(isHasty: isHasty)
    let round = Round(attempt, priority, isBrief ? 0 : turnCount) { [self] arrivedCount, isBusy in
      if let arrivedCount, PoolWidth.note(arrivedCount, in: attempt) {
        state.withLock { state in
          state.hastyRounds = arrivedCount == attempt.width ? 0 : isHasty ? state.hastyRounds - 1 : Self.hastyRounds
        }
      }
      for completion in completions { completion(isBusy) }
      startRound()
    }
    for _ in 0..<attempt.width {
      OwnTasks.make { Task.detached(priority: priority) { round.arrive() } }
    }
  }
}

/// The number of threads that Swift tasks of one priority can have at a time, found by how many arrive in a round.
///
/// No announced number is right: Dispatch counts the cores that the process may use, but not its quota of processor
/// time, Foundation does the opposite, and a simulator has one thread. The configured cores are the upper limit. If fewer
/// threads arrive in the first rounds, the most that have arrived are the width. From then on, some rounds wait for one
/// more, and rounds in which threads are missing one after another begin the count anew.
private enum PoolWidth {
  struct Attempt {
    let width: Int
    /// The time for threads to arrive, in slices.
    let slice: Double
    let sliceCount: Int
    let isProbe: Bool
  }

  private struct Count {
    let limit = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
    var most = 0
    var trialsLeft = PoolWidth.trialCount
    /// Whether fewer than the limit have arrived in all trials. If not, a missing thread is a blocked one.
    var isLimited = false
    var (roundsToProbe, roundsBetweenProbes) = (0, 1)
    var missesInARow = 0
  }

  private static let (trialCount, mostRoundsBetweenProbes, mostMisses) = (3, 32, 8)
  /// The slices of time for a thread of which nothing is known, for one more, and for one that was there before.
  private static let (trialSlice, probeSlice, slice) = (0.005, 0.0005, 0.01)
  private static let count = Protected(Count())

  static func next(isHasty: Bool) -> Attempt {
    count.withLock { count in
      if count.most < count.limit {
        if count.trialsLeft > 0 { return Attempt(width: count.limit, slice: trialSlice, sliceCount: 1, isProbe: true) }
        count.roundsToProbe -= 1
        if count.roundsToProbe <= 0 {
          count.roundsBetweenProbes = min(2 * count.roundsBetweenProbes, mostRoundsBetweenProbes)
          count.roundsToProbe = count.roundsBetweenProbes
          return Attempt(width: count.most + 1, slice: probeSlice, sliceCount: 1, isProbe: true)
        }
      }
      return Attempt(width: count.most, slice: slice, sliceCount: isHasty ? 1 : 10, isProbe: false)
    }
  }

  /// Returns whether a missing thread means that one is blocked.
  static func note(_ arrivedCount: Int, in attempt: Attempt) -> Bool {
    count.withLock { count in
      if arrivedCount > count.most {
        (count.most, count.roundsToProbe, count.roundsBetweenProbes) = (arrivedCount, 0, 1)
      }
      if attempt.isProbe {
        if count.trialsLeft > 0 { count.trialsLeft -= 1 }
        if count.most < count.limit, count.trialsLeft == 0 { count.isLimited = true }
        return false
      }
      count.missesInARow = arrivedCount < attempt.width ? count.missesInARow + 1 : 0
      if count.isLimited, count.missesInARow >= mostMisses {
        (count.most, count.trialsLeft, count.missesInARow) = (0, trialCount, 0)
      }
      return true
    }
  }
}

extension CooperativePool {
  private final class Round: Sendable {
    /// The processor time that others can use in these turns, in nanoseconds. Tasks that are always ready use it up.
    private static let longTurns: Int64 = 20_000_000
    /// The time in which another thread ends the round, in slices. A slice that lasts much longer doesn't count: the
    /// machine is busy, or the process was stopped.
    private static let (slice, sliceCount, mostSlices) = (0.01, 10, 30)

    typealias Completion = @Sendable (_ arrivedCount: Int?, _ isBusy: Bool) -> Void

    private let attempt: PoolWidth.Attempt
    private let priority: TaskPriority
    private let turnCount: Int
    private let completion: Completion
    private let end = DispatchSemaphore(value: 0)
    private let state = Protected((arrivedCount: 0, isServed: false, isOver: false, isOnMainQueue: false))

    /// - Parameter completion: Receives `nil` as the count if the tasks ran on the main queue.
    init(
      _ attempt: PoolWidth.Attempt, _ priority: TaskPriority, _ turnCount: Int, completion: @escaping Completion
    ) {
      self.attempt = attempt
      self.priority = priority
      self.turnCount = turnCount
      self.completion = completion
    }

    private var isOver: Bool { state.withLock(\.isOver) }

    /// A thread is here. All but the last wait for the end, and the last serves the tasks.
    func arrive() {
      // A library has sent all tasks to the main queue, where no other thread will arrive.
      if Self.isOnMainQueue {
        state.withLock { $0.isOnMainQueue = true }
        _ = serves()
        return
      }
      let isLast: Bool? = state.withLock { state in
        // The thread of one that has waited can come back.
        if state.isServed { return nil }
        state.arrivedCount += 1
        return state.arrivedCount == attempt.width
      }
      guard let isLast else { return }
      if !isLast, hasEnded(within: attempt.sliceCount, of: attempt.slice) { return }
      // If a thread is missing, another one serves the tasks. If that one is missing then, there are no more turns.
      if serves() || hasEnded(within: Self.sliceCount, of: Self.slice) { return }
      finish()
    }

    private func hasEnded(within sliceCount: Int, of slice: Double) -> Bool {
      var count = 0
      for _ in 0..<Self.mostSlices where count < sliceCount {
        let start = DispatchTime.now()
        if end.wait(timeout: start + slice) == .success { return true }
        if DispatchTime.now() < start + 1.5 * slice { count += 1 }
      }
      return false
    }

    /// Lets the tasks have their turns on this thread. Returns `false` if another one does.
    private func serves() -> Bool {
      let isFirst = state.withLock { state in
        defer { state.isServed = true }
        return !state.isServed
      }
      if isFirst { takeTurn(1, since: Self.threadTime) }
      return isFirst
    }

    private func takeTurn(_ number: Int, since start: Int64) {
      if isOver { return }
      // On another thread, which the pool has added meanwhile, the time says nothing.
      let isBusy = !(0..<Self.longTurns).contains(Self.threadTime - start)
      if isBusy || number > turnCount { return finish(isBusy: isBusy) }
      OwnTasks.make { Task.detached(priority: priority) { [self] in takeTurn(number + 1, since: start) } }
    }

    private func finish(isBusy: Bool = false) {
      let arrivedCount: Int?? = state.withLock { state in
        defer { state.isOver = true }
        return state.isOver ? nil : .some(state.isOnMainQueue ? nil : state.arrivedCount)
      }
      guard let arrivedCount else { return }
      for _ in 1..<attempt.width { end.signal() }
      completion(arrivedCount, isBusy)
    }

    private static let mainQueue: DispatchSpecificKey<Void> = {
      let key = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: key, value: ())
      return key
    }()

    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) != nil }

    /// The processor time of the thread, in nanoseconds.
    private static var threadTime: Int64 {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
}

extension CooperativePool: Hashable {
  static func == (left: CooperativePool, right: CooperativePool) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
