import StubKit

/// The cost of the first stub of a process, which installs StubKit. Each sample is a process of its own.
struct FirstStubSuite {
  let effort: Effort
  let report: Report

  func run() throws {
    Terminal.progress("the first stub")
    let samples = try (0..<max(5, effort.processes * 4)).map { _ in try Probe.firstStub.findings()["ms"] ?? .nan }
    report.add(Suite.first.rawValue, "the first stub of a process", "StubKit", stubs: 1, unit: "ms", samples)
    report.measured("first-stub-ms", Statistics.median(samples))
  }

  /// Measures in the child process, where nothing has used StubKit or URLSession before. It measures processor time,
  /// because other processes take longer turns than this takes.
  static func measure() -> [String: Double] {
    let time = Nanoseconds.spent(by: .processor) {
      stub(condition: isHost("a.example") && isPath("/first"), response: .text("first"))
    }
    return ["ms": time / 1_000_000]
  }
}
