/// The time and the additional memory that a large body takes.
struct BodySuite {
  let effort: Effort
  let report: Report

  func run() throws {
    try measure(.memory, .handler, promise: "body-memory-mb")
    try measure(.memory, .delegate, promise: "body-memory-mb")
    try measure(.file, .delegate, promise: "body-file-mb")
  }

  private func measure(_ source: BodyProbe.Source, _ receiver: BodyProbe.Receiver, promise: String) throws {
    for contender in ["floor", "StubKit"] {
      Terminal.progress("bodies: from \(source) to a \(receiver), \(contender)")
      let probe = Probe.body(
        BodyProbe(contender: contender, source: source, receiver: receiver, megabytes: effort.megabytes))
      let findings = try (0..<effort.processes).map { _ in try probe.findings() }
      for (key, unit) in [("megabytes", "MB"), ("milliseconds", "ms"), ("pieces", "pieces")] {
        let samples = findings.map { $0[key] ?? .nan }
        report.add(
          Suite.bodies.rawValue, "\(effort.megabytes) MB, \(source) to \(receiver)", contender, stubs: 1, unit: unit,
          samples)
        if key == "megabytes", contender == "StubKit" { report.measured(promise, Statistics.median(samples)) }
      }
    }
  }
}
