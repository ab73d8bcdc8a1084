import Dispatch
import Foundation

/// The threads that Swift tasks of one priority share. There is one for each core.
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
    let width = ProcessInfo.processInfo.activeProcessorCount
    let (completions, isBrief, isHasty) = state.withLock { state in
      defer { (state.isBusy, state.waiting, state.isBrief) = (!state.waiting.isEmpty, [], true) }
      return (state.waiting, state.isBrief, state.hastyRounds > 0)
    }
    guard !completions.isEmpty else { return }
    let round = Round(of: width, priority, isBrief ? 0 : turnCount, isHasty: isHasty) { [self] isFull, isBusy in
      state.withLock { state in
        state.hastyRounds = isFull ? 0 : isHasty ? state.hastyRounds - 1 : Self.hastyRounds
      }
      for completion in completions { completion(isBusy) }
      startRound()
    }
    for _ in 0..<width {
      OwnTasks.make { Task.detached(priority: priority) { round.arrive() } }
    }
  }
}

extension CooperativePool {
  private final class Round: Sendable {
    /// The processor time that others can use in these turns, in nanoseconds. Tasks that are always ready use it up.
    private static let longTurns: Int64 = 20_000_000
    /// A thread that doesn't arrive within some slices of time is blocked. One that lasts much longer doesn't count: the
    /// machine is busy, or the process was stopped.
    private static let (slice, sliceCount, mostSlices) = (0.01, 10, 30)

    private let width: Int
    private let priority: TaskPriority
    private let turnCount: Int
    private let isHasty: Bool
    private let completion: @Sendable (_ isFull: Bool, _ isBusy: Bool) -> Void
    private let end = DispatchSemaphore(value: 0)
    private let state = Protected((arrivedCount: 0, isServed: false, isOver: false))

    init(
      of width: Int, _ priority: TaskPriority, _ turnCount: Int, isHasty: Bool,
      completion: @escaping @Sendable (_ isFull: Bool, _ isBusy: Bool) -> Void
    ) {
      self.width = width
      self.priority = priority
      self.turnCount = turnCount
      self.isHasty = isHasty
      self.completion = completion
    }

    private var isOver: Bool { state.withLock(\.isOver) }

    /// A thread is here. All but the last wait for the end, and the last serves the tasks.
    func arrive() {
      let isLast: Bool? = state.withLock { state in
        // The thread of one that has waited can come back.
        if state.isServed { return nil }
        state.arrivedCount += 1
        return state.arrivedCount == width
      }
      guard let isLast else { return }
      if !isLast, hasEnded(within: isHasty ? 1 : Self.sliceCount) { return }
      // If a thread is missing, another one serves the tasks. If that one is missing then, there are no more turns.
      if serves() || hasEnded(within: Self.sliceCount) { return }
      finish()
    }

    private func hasEnded(within sliceCount: Int) -> Bool {
      var count = 0
      for _ in 0..<Self.mostSlices where count < sliceCount {
        let start = DispatchTime.now()
        if end.wait(timeout: start + Self.slice) == .success { return true }
        if DispatchTime.now() < start + 1.5 * Self.slice { count += 1 }
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
      let isFull: Bool? = state.withLock { state in
        defer { state.isOver = true }
        return state.isOver ? nil : state.arrivedCount == width
      }
      guard let isFull else { return }
      for _ in 1..<width { end.signal() }
      completion(isFull, isBusy)
    }

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
