/// How much a run measures. All of it ends by itself: what is slow gets fewer samples, never fewer than three.
struct Effort: Sendable {
  /// The numbers of stubs that are compared.
  let stubCounts: [Int]
  /// Samples of each contender, in as many rounds.
  let samples: Int
  /// How long one sample takes where an operation is shorter than that, in nanoseconds.
  let batch: Double
  /// After how much time a contender gets no more samples, in nanoseconds.
  let patience: Double
  /// Blocks of whole requests, and the requests of each contender in a block.
  let blocks: Int
  let requestsPerBlock: Int
  /// After how much time no more than two blocks are begun, in nanoseconds.
  let blockPatience: Double
  /// How often what needs a process of its own is measured.
  let processes: Int
  /// How often a thousand delays are started.
  let delayRounds: Int
  /// How often clocks are moved.
  let clockRounds: Int
  /// The megabytes of a large body.
  let megabytes: Int

  static let full = Effort(
    stubCounts: [1, 10, 100, 1_000, 10_000, 100_000], samples: 60, batch: 1_000_000, patience: 400_000_000,
    blocks: 16, requestsPerBlock: 400, blockPatience: 30_000_000_000, processes: 5, delayRounds: 8, clockRounds: 15,
    megabytes: 100)

  static let quick = Effort(
    stubCounts: [1, 100, 10_000], samples: 15, batch: 200_000, patience: 20_000_000,
    blocks: 4, requestsPerBlock: 100, blockPatience: 1_500_000_000, processes: 1, delayRounds: 3, clockRounds: 3,
    megabytes: 100)
}
