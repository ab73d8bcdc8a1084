import Dispatch
import Foundation

/// The threads that Swift tasks of one priority share. `PoolWidth` finds out how many there are.
///
/// Swift has no callback for "all ready tasks have run". To detect it, a round blocks every thread of the pool but one and
/// enqueues a task. A priority's queue is first in, first out, so when that task runs, everything enqueued before it has
/// suspended or ended.
///
/// The code that a round waits for may itself wait for a thread that the round blocks. So no thread is blocked for longer
/// than a moment in which nothing goes on. Then the round is over, and later ones try again. A pool has one round at a time,
/// for all clocks together.
///
/// > Important: The price is that a round also blocks code that doesn't use the clock. The tasks of tests that run beside
/// > the caller share the one thread that is left until the round is over.
final class CooperativePool: Sendable {
  static let (background, low, medium, high) = (
    CooperativePool(.background), CooperativePool(.low), CooperativePool(.medium), CooperativePool(.high)
  )
  static let all: [CooperativePool] = [.background, .low, .high, .medium]

  /// The threads of a priority.
  static func of(_ priority: TaskPriority) -> CooperativePool {
    switch priority {
    case .high...: high
    case .medium...: medium
    case .low...: low
    default: background
    }
  }

  struct Request: Sendable {
    /// How often the tasks that are ready have their turns and then the main actor, so that each can resume the other.
    let cycleCount: Int
    /// The pools that take part in every cycle. The others do in cycles 1, 4, 16 and 64.
    let usedPools: Set<CooperativePool>
    let usesMainActor: Bool
    let patience: Duration
    /// Returns whether it is known already that tasks have not come to rest.
    let isMoot: @Sendable () -> Bool
    /// Called on a thread of the pool, with the number of threads that were left behind.
    let completion: @Sendable (Outcome, _ leftBehind: Int) -> Void
    /// The real time that it has waited for missing threads.
    var spent = Duration.zero
    /// The pause after the next round in which a thread is missing.
    var pause = CooperativePool.firstPause

    /// The number of threads that it doesn't wait for.
    fileprivate func spares(_ stuck: Stuck) -> Int {
      spent >= patience ? .max : patience <= stuck.patience ? stuck.count : 0
    }
  }

  enum Outcome: Equatable {
    /// All tasks that were ready have suspended or ended, and those that they resumed, as many times as requested.
    case rest
    /// A thread of the pool, another pool or the main actor was busy for a while. What it did then can have consequences.
    case late
    /// Tasks are always ready. Until that ends, a round is over when those that are ready have had a turn.
    case busy(isNew: Bool)
  }

  /// The pause after a round in which a thread was missing, which doubles each time.
  fileprivate static let (firstPause, longestPause) = (Duration.milliseconds(5), Duration.milliseconds(100))
  /// The time, in seconds, after which tasks that were ready all along are taken to be so always, that after they were found
  /// so, and that in which threads arrive if few tasks are ready.
  private static let (longTurns, shortTurns, shortQueue) = (1.0, 0.02, 0.005)

  fileprivate let priority: TaskPriority
  private let state = Protected(State())
  private static let pauses = DispatchQueue(label: "StubKit.pool")

  fileprivate struct State {
    var isUnderWay = false
    var waiting: [Request] = []
    var stuck = Stuck()
    /// Whether tasks are always ready.
    var isBusy = false
  }

  /// Threads that were missing for longer than the patience of a request. Until they come back, only a request with more
  /// patience waits for them.
  fileprivate struct Stuck {
    var (count, patience) = (0, Duration.zero)
  }

  private init(_ priority: TaskPriority) { self.priority = priority }

  /// Lets the tasks run that are ready, and those that they resume, and so on, until they have suspended or ended.
  func drain(_ request: Request) {
    let isFirst = state.withLock { state in
      defer { state.isUnderWay = true }
      state.waiting.append(request)
      return !state.isUnderWay
    }
    if isFirst { startRound() }
  }

  /// Starts a round for all who wait for one.
  private func startRound() {
    let requests = state.withLock { state in
      defer { (state.isUnderWay, state.waiting) = (!state.waiting.isEmpty, []) }
      return state.waiting
    }
    if !requests.isEmpty { startRound(for: requests) }
  }

  /// - Parameter isConfirmed: Whether all threads have arrived in the last round, but not at once.
  private func startRound(for requests: [Request], isConfirmed: Bool = false) {
    let attempt = PoolWidth.next()
    let pause = requests.map { min($0.pause, max(Self.firstPause, $0.patience - $0.spent)) }.min()!
    let slice = attempt.isProbe ? attempt.slice : max(attempt.slice, pause * 2)
    let (stuck, wasBusy) = state.withLock { ($0.stuck, $0.isBusy) }
    let round = Round(
      attempt, self, slice: slice, spared: requests.map { $0.spares(stuck) }.max()!, isConfirmed: isConfirmed, requests,
      wasBusy: wasBusy
    ) { [self] arrivedCount, outcome in
      let missingCount = attempt.isProbe ? stuck.count : attempt.width - (arrivedCount ?? attempt.width)
      if outcome == nil, missingCount == 0 { return startRound(for: requests, isConfirmed: true) }
      let served = outcome == nil ? [] : requests.filter { missingCount <= $0.spares(stuck) }
      if let outcome {
        if let arrivedCount { PoolWidth.note(arrivedCount, in: attempt) }
        state.withLock { state in
          let patience = served.map(\.patience).max() ?? .zero
          state.stuck = Stuck(
            count: missingCount, patience: max(missingCount > stuck.count ? .zero : stuck.patience, patience))
          state.isBusy = outcome == .rest ? false : state.isBusy || outcome == .busy(isNew: true)
        }
      }
      for request in served {
        switch outcome! {
        case .rest where request.pause > Self.firstPause && request.spent < request.patience:
          request.completion(.late, missingCount)
        case .busy: request.completion(.busy(isNew: !wasBusy), missingCount)
        case let outcome: request.completion(outcome, missingCount)
        }
      }
      if served.count == requests.count { return startRound() }
      let unserved = requests.filter { outcome == nil || missingCount > $0.spares(stuck) }.map { request in
        var request = request
        request.spent = request.spent + slice + pause
        request.pause = min(request.pause * 2, Self.longestPause)
        return request
      }
      Self.pauses.asyncAfter(deadline: (.now() + pause).dispatchTime) { [self] in
        state.withLock { $0.waiting += unserved }
        startRound()
      }
    }
    round.start()
  }
}

/// The number of threads that Swift tasks of one priority can have at a time, found by how many arrive in a round.
///
/// No announced number is right: Dispatch counts the cores that the process may use, but not its quota of processor
/// time, Foundation does the opposite, and a simulator has one thread. What Dispatch counts is the upper limit. If fewer
/// threads arrive in the first rounds, the most that have arrived are the width. From then on, some rounds wait for one
/// more, and rounds in which threads are missing one after another begin the count anew.
private enum PoolWidth {
  struct Attempt {
    let width: Int
    /// The time for threads to arrive.
    let slice: Duration
    let isProbe: Bool
  }

  private struct Count {
    let limit = max(1, PoolWidth.coreCount)
    var most = 0
    var trialsLeft = PoolWidth.trialCount
    /// Whether fewer than the limit have arrived in all trials. If not, a missing thread is a blocked one.
    var isLimited = false
    var (roundsToProbe, roundsBetweenProbes) = (0, 1)
    var missesInARow = 0
  }

  private static let (trialCount, mostRoundsBetweenProbes, mostMisses) = (3, 32, 8)
  /// The time for a thread of which nothing is known, for one more, and for one that was there before.
  private static let (trialSlice, probeSlice, slice) = (
    Duration.milliseconds(5), Duration.microseconds(500), Duration.milliseconds(10)
  )
  private static let count = Protected(Count())

  /// The number of cores that the process may use. Beside a blocked thread, Dispatch can have one more for a while.
  private static var coreCount: Int {
    #if os(Linux)
      // A mask in hexadecimal digits, as in "Cpus_allowed: ff".
      let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n")
      if let mask = lines?.first(where: { $0.hasPrefix("Cpus_allowed:") }) {
        return mask.drop { $0 != ":" }.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
      }
    #endif
    return sysconf(Int32(_SC_NPROCESSORS_CONF))
  }

  static func next() -> Attempt {
    count.withLock { count in
      if count.most < count.limit {
        if count.trialsLeft > 0 {
          return Attempt(width: count.limit, slice: trialSlice, isProbe: true)
        }
        count.roundsToProbe -= 1
        if count.roundsToProbe <= 0 {
          count.roundsBetweenProbes = min(2 * count.roundsBetweenProbes, mostRoundsBetweenProbes)
          count.roundsToProbe = count.roundsBetweenProbes
          return Attempt(width: count.most + 1, slice: probeSlice, isProbe: true)
        }
      }
      return Attempt(width: count.most, slice: slice, isProbe: false)
    }
  }

  static func note(_ arrivedCount: Int, in attempt: Attempt) {
    count.withLock { count in
      if arrivedCount > count.most {
        (count.most, count.roundsToProbe, count.roundsBetweenProbes) = (arrivedCount, 0, 1)
      }
      if attempt.isProbe {
        if count.trialsLeft > 0 { count.trialsLeft -= 1 }
        if count.most < count.limit, count.trialsLeft == 0 { count.isLimited = true }
        return
      }
      count.missesInARow = arrivedCount < attempt.width ? count.missesInARow + 1 : 0
      if count.isLimited, count.missesInARow >= mostMisses {
        (count.most, count.trialsLeft, count.missesInARow) = (0, trialCount, 0)
      }
    }
  }
}

extension CooperativePool {
  private final class Round: Sendable {
    private static let turnsInCycle = 4
    /// The time in which idle threads arrive, in seconds.
    private static let promptness = 0.002
    /// The least time, in seconds, in which somebody has a turn before the threads are let go. It is longer if the threads
    /// came late, because many tasks are ready.
    private static let leastTurn = 0.05

    /// - Parameters:
    ///   - arrivedCount: `nil` if the tasks ran on the main queue.
    ///   - outcome: `nil` if a thread was missing or late.
    typealias Completion = @Sendable (_ arrivedCount: Int?, _ outcome: Outcome?) -> Void

    private let attempt: PoolWidth.Attempt
    private let pool: CooperativePool
    private let slice: Duration
    private let requests: [Request]
    private let wasBusy: Bool
    private let completion: Completion
    private let end = DispatchSemaphore(value: 0)
    private let spared: Int
    private let isConfirmed: Bool
    private let state = Protected(State())

    private struct State {
      var arrivedCount = 0
      var isServed = false
      var isOver = false
      var isOnMainQueue = false
      var cycle = 0
      /// The time of the last turn.
      var lastTurn = DispatchTime.now()
      let creation = DispatchTime.now()
      var firstArrival = DispatchTime.now()
      var longestTurn = Round.leastTurn
      /// The time at which tasks that are still ready are taken to be so always.
      var limit = DispatchTime.now()
    }

    /// - Parameter spared: The number of threads that can be missing.
    init(
      _ attempt: PoolWidth.Attempt, _ pool: CooperativePool, slice: Duration, spared: Int, isConfirmed: Bool,
      _ requests: [Request], wasBusy: Bool, completion: @escaping Completion
    ) {
      (self.attempt, self.pool, self.slice, self.requests, self.wasBusy) = (attempt, pool, slice, requests, wasBusy)
      self.completion = completion
      self.spared = attempt.isProbe ? attempt.width : spared
      self.isConfirmed = attempt.isProbe || isConfirmed
    }

    func start() {
      for _ in 0..<attempt.width { enqueue { $0.arrive() } }
    }

    private func enqueue(in pool: CooperativePool? = nil, _ body: @escaping @Sendable (Round) -> Void) {
      OwnTasks.make { Task.detached(priority: (pool ?? self.pool).priority) { body(self) } }
    }

    /// A thread is here. All but the last wait for the end, and the last serves the tasks.
    private func arrive() {
      // A library has sent all tasks to the main queue, where no other thread will arrive.
      if Self.isOnMainQueue {
        let isFirst = state.withLock { state in
          defer { (state.isOnMainQueue, state.isServed) = (true, true) }
          return !state.isServed && !state.isOver
        }
        if isFirst { serve() }
        return
      }
      let arrival = state.withLock { state -> Arrival in
        // The thread that serves the tasks can come back.
        if state.isServed || state.isOver { return .tooLate }
        if state.arrivedCount == 0 { state.firstArrival = .now() }
        state.arrivedCount += 1
        if state.arrivedCount < attempt.width { return .waits }
        state.isServed = true
        return isConfirmed || DispatchTime.now() < state.firstArrival + Self.promptness ? .serves : .isUnconfirmed
      }
      switch arrival {
      case .tooLate: break
      case .waits: if holds() { serve() }
      case .serves: serve()
      case .isUnconfirmed: finish(nil)
      }
    }

    private enum Arrival {
      case tooLate, waits, serves
      /// The thread has come late. It may be one that Dispatch has added because another one is blocked, as it does once
      /// a second on Linux. It doesn't add one again in the next round.
      case isUnconfirmed
    }

    /// Keeps the thread until the round is over. Returns `true` if the thread is to serve the tasks instead.
    private func holds() -> Bool {
      var slice = slice
      while end.wait(timeout: (.now() + slice).dispatchTime) == .timedOut {
        slice = .milliseconds(10)
        let (serves, isStalled) = state.withLock { state -> (Bool, Bool) in
          if state.isServed { return (false, .now() >= state.lastTurn + state.longestTurn) }
          state.isServed = state.arrivedCount >= attempt.width - spared
          return (state.isServed, false)
        }
        if serves { return true }
        // What has its turn may wait for this thread.
        if isStalled { finish(.late) }
        if !state.withLock(\.isServed) { finish(nil) }
      }
      return false
    }

    private func serve() {
      state.withLock { state in
        let now = DispatchTime.now()
        state.lastTurn = now
        let arrival = Double(now.uptimeNanoseconds - state.creation.uptimeNanoseconds) / 1_000_000_000
        state.longestTurn = Self.leastTurn + 2 * Double(attempt.width) * arrival
        state.limit =
          now
          + (!wasBusy
            ? CooperativePool.longTurns
            : now < state.creation + CooperativePool.shortQueue ? CooperativePool.shortTurns : 0)
      }
      takeTurn(1)
    }

    private func takeTurn(_ number: Int) {
      let (isOver, isBusy, cycle) = state.withLock { state in
        state.lastTurn = .now()
        if number > Self.turnsInCycle { state.cycle += 1 }
        return (state.isOver, DispatchTime.now() >= state.limit, state.cycle)
      }
      if isOver { return }
      if isBusy { return finish(.busy(isNew: true)) }
      if number <= Self.turnsInCycle { return enqueue { $0.takeTurn(number + 1) } }
      if cycle > requests.map(\.cycleCount).max()! || requests.allSatisfy({ $0.isMoot() }) { return finish(.rest) }
      let isAll = cycle & (cycle - 1) == 0 && cycle.trailingZeroBitCount % 2 == 0
      let others = CooperativePool.all.filter { other in
        other !== pool && !other.state.withLock(\.isBusy)
          && (isAll || requests.contains { $0.usedPools.contains(other) })
      }
      takeTurns(in: others[...])
    }

    /// Gives a turn to other pools and to the main actor.
    private func takeTurns(in others: ArraySlice<CooperativePool>) {
      state.withLock { $0.lastTurn = .now() }
      if let next = others.first { return enqueue(in: next) { $0.takeTurns(in: others.dropFirst()) } }
      guard requests.allSatisfy(\.usesMainActor) else { return enqueue { $0.takeTurn(1) } }
      OwnTasks.make {
        Task.detached { @MainActor [self] in
          state.withLock { $0.lastTurn = .now() }
          enqueue { $0.takeTurn(1) }
        }
      }
    }

    private func finish(_ outcome: Outcome?) {
      let arrivedCount: Int?? = state.withLock { state in
        defer { state.isOver = true }
        return state.isOver ? nil : .some(state.isOnMainQueue ? nil : state.arrivedCount)
      }
      guard let arrivedCount else { return }
      for _ in 0..<attempt.width { end.signal() }
      completion(arrivedCount, outcome)
    }

    private static let mainQueue: DispatchSpecificKey<Void> = {
      let key = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: key, value: ())
      return key
    }()

    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) != nil }
  }
}

extension CooperativePool: Hashable {
  static func == (left: CooperativePool, right: CooperativePool) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
