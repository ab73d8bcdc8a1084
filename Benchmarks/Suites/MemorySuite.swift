/// What a stub costs in memory, each number of stubs in a process of its own.
struct MemorySuite {
  let effort: Effort
  let report: Report

  func run() throws {
    for count in [10_000, 30_000, 100_000] {
      Terminal.progress("memory: \(count.grouped) stubs")
      let samples = try (0..<(effort.samples > 20 ? 5 : 1)).map { _ in
        try Probe.stubs(count: count).findings()["bytes"] ?? .nan
      }
      report.add(Suite.memory.rawValue, "each", "StubKit", stubs: count, unit: "bytes", samples)
      report.measured("stub-bytes", Statistics.median(samples))
    }
  }
}
