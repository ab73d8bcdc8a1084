/// The amount of measuring in a run. Every run ends by itself: a slow operation gets fewer samples, but never fewer
/// than three.
struct Effort: Sendable {
  /// The numbers of stubs that are compared.
  let stubCounts: [Int]
  /// The number of samples of each contender, in as many rounds.
  private(set) var samples: Int
  /// The time that one sample takes if an operation is shorter, in nanoseconds.
  let batch: Double
  /// The time after which a contender gets no more samples, in nanoseconds.
  private(set) var patience: Double
  /// The number of blocks of whole requests, and the number of each contender's requests in a block.
  let blocks: Int
  let requestsPerBlock: Int
  /// The time after which no more than two blocks are begun, in nanoseconds.
  let blockPatience: Double
  /// The number of measurements of anything that needs a process of its own.
  let processes: Int
  /// The number of times that clocks are moved.
  let clockRounds: Int
  /// The size of a large body in megabytes.
  let megabytes = 100

  static let full = Effort(
    stubCounts: [1, 10, 100, 1_000, 10_000, 100_000], samples: 60, batch: 1_000_000, patience: 400_000_000,
    blocks: 16, requestsPerBlock: 400, blockPatience: 30_000_000_000, processes: 5, clockRounds: 15)

  static let quick = Effort(
    stubCounts: [1, 100, 10_000], samples: 15, batch: 200_000, patience: 20_000_000,
    blocks: 4, requestsPerBlock: 100, blockPatience: 1_500_000_000, processes: 1, clockRounds: 3)

  /// The effort for the rows of growth. There are some 180 of them, and one that seems to break the promise is measured
  /// again.
  var ofGrowth: Effort {
    var effort = self
    effort.samples = min(samples, 15)
    effort.patience = min(patience, 100_000_000)
    return effort
  }
}
