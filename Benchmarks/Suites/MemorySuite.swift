/// The memory that a stub takes. Each number of stubs has a process of its own.
struct MemorySuite {
  let effort: Effort
  let report: Report

  func run() throws {
    for count in [10_000, 30_000, 100_000] {
      Terminal.progress("memory: \(count.grouped) stubs")
      let findings = try (0..<effort.processes).map { _ in try Probe.stubs(count: count).findings() }
      for (key, name) in [("bytes", "a stub"), ("response", "of it the response's own fields")] {
        let samples = findings.map { $0[key] ?? .nan }
        report.add(Suite.memory.rawValue, name, "StubKit", stubs: count, unit: "bytes", samples)
      }
      let beyond = findings.map { ($0["bytes"] ?? .nan) - ($0["response"] ?? .nan) }
      report.measured("stub-bytes", Statistics.median(beyond))
    }
  }
}
