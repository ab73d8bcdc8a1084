/// The growth of the cost of one request with its content: ten times as much content may cost twelve times as much, and
/// not a hundred times.
struct GrowthSuite {
  let effort: Effort
  let report: Report

  func run() {
    for sample in GrowthSample.all {
      Terminal.progress("growth: \(sample.name)")
      let contenders = [1_000, 10_000].map { items in
        let work = sample.work(items)
        return Contender(name: "StubKit", stubs: items) { count in
          var found = 0
          for _ in 0..<count where work() { found += 1 }
          return found
        }
      }
      let comparison = Comparison(contenders, effort: effort, by: .processor)
      report.add(Suite.growth.rawValue, sample.name, comparison)
      report.measured(sample.promise, comparison.ratio(1, over: 0))
    }
  }
}
