import Foundation

/// One side of a comparison.
struct Contender {
  let name: String
  let stubs: Int
  /// Whether each operation finds something, or none does.
  var finds = true
  /// Performs the operation a number of times, and returns how often it found something. The result is counted and
  /// checked, so that the compiler can't optimise the operation away.
  let run: (_ count: Int) -> Int
}

/// Contenders that take turns, so that other work on the machine affects all of them alike.
///
/// Each sample is a batch of operations that is long enough for the clock, so percentiles are those of batches. The
/// order is drawn anew for each round, so that no contender always runs after the same other one.
struct Comparison {
  /// The nanoseconds per operation, by round. `nil` for rounds that a slow contender sat out.
  private(set) var rounds: [[Double?]] = []
  let contenders: [Contender]

  /// - Parameter clock: The clock of the measurement. Use `CLOCK_PROCESS_CPUTIME_ID` for operations that take longer
  ///   than a turn on a busy processor.
  init(_ contenders: [Contender], effort: Effort, by clock: clockid_t = CLOCK_MONOTONIC) {
    self.contenders = contenders
    let batches = contenders.map { Self.calibrate($0, to: effort.batch, by: clock) }
    var spent = [Double](repeating: 0, count: contenders.count)
    for round in 0..<effort.samples {
      var samples = [Double?](repeating: nil, count: contenders.count)
      for index in contenders.indices.shuffled() where round < 3 || spent[index] < effort.patience {
        let time = Self.time(contenders[index], count: batches[index], by: clock)
        spent[index] += time
        samples[index] = time / Double(batches[index])
      }
      rounds.append(samples)
    }
  }

  func samples(_ index: Int) -> [Double] { rounds.compactMap { $0[index] } }

  /// The median of the ratios of one contender's time to another's. Each ratio is taken within one round.
  func ratio(_ index: Int, over other: Int) -> Double {
    Statistics.median(rounds.compactMap { round in round[index].flatMap { one in round[other].map { one / $0 } } })
  }

  func index(_ name: String, stubs: Int) -> Int? { contenders.firstIndex { $0.name == name && $0.stubs == stubs } }

  /// Returns the number of operations that take a given time, after a warm-up.
  private static func calibrate(_ contender: Contender, to batch: Double, by clock: clockid_t) -> Int {
    var count = 1
    while true {
      let time = shortestTime(of: count, enough: batch / 8) { Self.time(contender, count: count, by: clock) }
      if time > batch / 8 { return max(1, Int(Double(count) * batch / time)) }
      count *= 4
    }
  }

  /// Returns the shortest time of some attempts. An attempt that was interrupted, for any time, would lead to a batch
  /// of one operation, which is too short for the clock. What takes long by itself is tried once more, and not more
  /// often.
  private static func shortestTime(of count: Int, enough: Double, _ attempt: () -> Double) -> Double {
    var shortest = attempt()
    var attempts = 1
    while shortest > enough, attempts < (shortest < 1_000 * enough ? 6 : 2) {
      shortest = min(shortest, attempt())
      attempts += 1
    }
    return shortest
  }

  private static func time(_ contender: Contender, count: Int, by clock: clockid_t) -> Double {
    let start = Nanoseconds.now(clock)
    let found = contender.run(count)
    let time = Nanoseconds.since(start, by: clock)
    let expected = contender.finds ? count : 0
    guard found == expected else {
      fatalError(
        "\(contender.name) with \(contender.stubs) stubs found \(found) of \(expected) in \(count) operations.")
    }
    return max(time, 1)
  }
}
