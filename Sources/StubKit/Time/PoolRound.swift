/// A round of a drain, as ``CooperativePool`` describes it: what its threads tell it, and what follows.
///
/// It has no thread and no clock of its own, so that a test can tell it a story, moment by moment.
struct PoolRound {
  /// How far the arrivals of all threads are apart if none of them was added just now. On Linux, Dispatch can add one
  /// once a second while others are kept or compute, and that isn't the one that the round waits for.
  private static let prompt = Duration.milliseconds(2)
  /// How often a kept thread looks whether anything goes on.
  static let look = Duration.milliseconds(10)
  /// How long a turn takes at the most, besides what the queue needs. It is longer than code computes in a turn. But a
  /// turn that waits for a kept thread never ends, and the threads are let go after that time.
  private static let longestTurn = Duration.milliseconds(50)
  /// For how long tasks can be always ready before the pool is busy. Less than that is a burst.
  private static let untilBusy = Duration.seconds(1)
  /// The same for a pool that is busy. In that time, one that has come to rest has all its turns.
  private static let whileBusy = Duration.milliseconds(20)
  /// The time after which the threads of a busy pool have come so late that what was ready has had its turn. A second
  /// one would take as long.
  private static let late = Duration.milliseconds(5)
  /// The cycles in which all other pools take part, so that code can go to another priority and back that many times.
  /// In each of 64 cycles, that would be three turns beside the two of the cycle itself.
  private static let cyclesOfAll: Set = [1, 4, 16, 64]

  /// The number of threads that are to arrive.
  let width: Int
  /// Whether all threads came to the round before, so that none of them was added meanwhile.
  private let isConfirmed: Bool
  private let wasBusy: Bool
  private let start: Duration
  private(set) var arrivedCount = 0
  private var firstArrival = Duration.zero
  /// The moment when the last thread came, and tasks began to have their turns.
  private var served: Duration?
  private var lastTurn: Duration
  /// The longest time until the next turn, or until the last arrival.
  private var limit: Duration
  private(set) var isOver = false
  /// `nil` if a thread was missing or late.
  private(set) var outcome: CooperativePool.Result?

  /// - Parameter slice: How long it waits for the next thread to arrive.
  init(width: Int, slice: Duration, isConfirmed: Bool, wasBusy: Bool, at now: Duration) {
    self.width = width
    self.isConfirmed = isConfirmed
    self.wasBusy = wasBusy
    start = now
    lastTurn = now
    limit = slice
  }

  /// What a thread does when it has arrived.
  enum Arrival: Equatable {
    case leaves
    /// It is kept until the round is over.
    case keeps
    /// It is the last one, and lets the tasks have their turns.
    case serves
    /// It ends the round.
    case ends(CooperativePool.Result?)
  }

  /// - Parameter isMain: Whether the thread is the main one. A library can send all tasks to it, and then no other
  ///   thread arrives.
  mutating func arrives(at now: Duration, isMain: Bool = false) -> Arrival {
    // The thread that serves the tasks can come back.
    if served != nil || isOver { return .leaves }
    if arrivedCount == 0 { firstArrival = now }
    arrivedCount = isMain ? width : arrivedCount + 1
    if arrivedCount < width { return .keeps }
    served = now
    lastTurn = now
    // If the threads came late, many tasks are ready.
    limit = Self.longestTurn + (now - start) * (2 * width)
    // In the next round, the thread that was added isn't a new one.
    if !isConfirmed, now >= firstArrival + Self.prompt { return .ends(nil) }
    return wasBusy && now > start + Self.late ? .ends(.busy(isNew: false)) : .serves
  }

  /// The tasks that were ready have had their turn.
  mutating func takesTurn(at now: Duration) { lastTurn = now }

  /// Returns whether nothing goes on, so that the threads are to be let go.
  func isIdle(at now: Duration) -> Bool { now >= lastTurn + limit }

  /// Returns that tasks are always ready, or `nil` if they may still come to rest.
  func result(at now: Duration) -> CooperativePool.Result? {
    guard let served, now >= served + (wasBusy ? Self.whileBusy : Self.untilBusy) else { return nil }
    return .busy(isNew: !wasBusy)
  }

  /// Returns whether a pool has its turn in a cycle, from 1, if tasks there use the clock, or if they don't.
  static func includes(_ isUsed: Bool, in cycle: Int) -> Bool { isUsed || cyclesOfAll.contains(cycle) }

  /// Returns `false` if the round was over already.
  mutating func ends(with outcome: CooperativePool.Result?) -> Bool {
    if isOver { return false }
    isOver = true
    self.outcome = outcome
    return true
  }
}
