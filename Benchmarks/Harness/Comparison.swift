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
    let batches = contenders.map { contender in
      Calibration(batch: effort.batch).count { Self.time(contender, count: $0, by: clock) }
    }
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
