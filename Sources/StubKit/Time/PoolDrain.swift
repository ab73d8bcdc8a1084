/// What a pool remembers from drain to drain.
struct PoolCondition: Equatable {
  /// The number of threads that were left behind. It isn't waited for them again until they come back.
  var stuckCount = 0
  /// Whether tasks are always ready.
  var isBusy = false

  var comesToRest: Bool { stuckCount == 0 && !isBusy }
}

/// How a drain of a ``CooperativePool`` goes on from round to round. Like ``PoolRound``, it has no thread and no clock.
struct PoolDrain {
  /// How long a round waits for its threads. Threads that are kept end it much earlier. But if no thread comes, nobody
  /// looks whether those who wait have become impatient.
  static let longestWait = Duration.seconds(2)
  /// The pause before the next round, of which each is twice as long as the one before, and as a round's slice is. On a
  /// busy machine, threads come late. In a longer pause, a thread that has come back would be waited for in vain.
  private static let pauses = Duration.milliseconds(5)...(.milliseconds(100))

  private let width: Int
  private(set) var condition: PoolCondition
  private var pause = Self.pauses.lowerBound
  private var isConfirmed = false

  init(width: Int, _ condition: PoolCondition) {
    self.width = width
    self.condition = condition
  }

  /// Returns the next round.
  func round(at now: Duration) -> PoolRound {
    PoolRound(
      width: width, slice: max(PoolRound.look, pause * 2), isConfirmed: isConfirmed, wasBusy: condition.isBusy, at: now)
  }

  /// Returns a round of the threads that have come, after which others are left behind.
  func lastRound(of arrivedCount: Int, at now: Duration) -> PoolRound {
    PoolRound(width: arrivedCount, slice: pause, isConfirmed: true, wasBusy: condition.isBusy, at: now)
  }

  /// How long the next round waits for its threads. If all were stuck, most likely none comes.
  var bound: Duration { condition.stuckCount == width ? pause : Self.longestWait }

  enum Next: Equatable {
    case end(CooperativePool.Result)
    /// Threads are left behind. The tasks on the others have their turns.
    case leave(CooperativePool.Result)
    case round(after: Duration)
  }

  /// - Parameters:
  ///   - outcome: The outcome of a round, or `nil` if a thread was missing or late.
  ///   - isMoot: Whether nobody waits for the drain any more.
  ///   - isImpatient: Whether all who wait leave behind what is still missing.
  mutating func goesOn(
    after outcome: CooperativePool.Result?, arrivedCount: Int, isMoot: Bool, isImpatient: Bool
  ) -> Next {
    if let outcome {
      condition = PoolCondition(isBusy: outcome != .rest)
      return .end(outcome)
    }
    if isMoot { return .end(.rest) }
    let missingCount = width - arrivedCount
    let isStuck = missingCount > 0 && missingCount <= condition.stuckCount
    if isStuck || isImpatient {
      condition.stuckCount = missingCount
      return .leave(isStuck ? .rest : .leftBehind)
    }
    isConfirmed = missingCount == 0
    defer { pause = min(pause * 2, Self.pauses.upperBound) }
    return .round(after: pause)
  }
}
