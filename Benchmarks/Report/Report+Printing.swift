extension Report {
  /// Prints the results of one suite. Each case and contender has a row with the median for each number of stubs, and
  /// the 99th percentile for the last number.
  func printResults(of suite: String) {
    let results = results.filter { $0.suite == suite }
    let counts = Set(results.map(\.stubs)).sorted()
    Terminal.print("\n\(suite)")
    if counts.count == 1 { return printList(results) }
    var table = Table(["case", "contender", "unit"] + counts.map { $0.grouped } + ["p99"], texts: Self.texts)
    var seen: Set<[String]> = []
    for result in results where seen.insert([result.case, result.contender]).inserted {
      let row = results.filter { $0.case == result.case && $0.contender == result.contender }
      table.add(
        [result.case, result.contender, result.unit]
          + counts.map { count in row.first { $0.stubs == count }?.median.brief ?? "" } + [row.last?.p99.brief ?? ""])
    }
    table.print()
  }

  private static let texts: Set = ["case", "contender", "unit", "promise", "what it is"]

  private func printList(_ results: [Result]) {
    var table = Table(["case", "contender", "unit", "median", "p99"], texts: Self.texts)
    for result in results {
      table.add([result.case, result.contender, result.unit, result.median.brief, result.p99.brief])
    }
    table.print()
  }

  /// Prints the promises and the measured values.
  func printRatios() {
    guard !ratios.isEmpty else { return }
    Terminal.print()
    var table = Table(["promise", "value", "limit", " ", "what it is"], texts: Self.texts)
    for (promise, value) in ratios {
      table.add([
        promise.name, value.brief, (promise.bound == .atMost ? "≤ " : "≥ ") + promise.limit.brief,
        promise.isKept(by: value) ? "✓" : "✗", promise.meaning,
      ])
    }
    table.print()
  }
}
