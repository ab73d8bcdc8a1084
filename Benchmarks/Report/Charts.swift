import Foundation

/// The costs against the number of stubs, drawn.
struct Charts {
  let report: Report
  let machine: Machine

  init(_ report: Report, on machine: Machine) {
    self.report = report
    self.machine = machine
  }

  func write(to folder: String) throws {
    let folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, chart) in [("matching", matching), ("requests", requests)] where !chart.isEmpty {
      try chart.svg.write(to: folder.appendingPathComponent("\(name).svg"), atomically: true, encoding: .utf8)
    }
  }

  private var matching: LogLogChart {
    LogLogChart(
      title: "Finding the stub for a request",
      subtitle: "The stub that was registered first: the last one that a scan comes to.",
      source: machine.description,
      unit: "ns",
      lines: [
        line("newest-first scan, as in OHHTTPStubs", .other, "matching", "path, hit oldest", "scan"),
        line("StubKit, different styles mixed", .second, "matching", "mixed, hit oldest", "StubKit"),
        line("StubKit", .first, "matching", "path, hit oldest", "StubKit"),
        line("reading URL and method only", .floor, "matching", "path, hit oldest", "extract"),
      ])
  }

  private var requests: LogLogChart {
    LogLogChart(
      title: "A whole request through URLSession", subtitle: "Any of the stubs, one request at a time.",
      source: machine.description, unit: "µs",
      lines: [
        line("newest-first scan, as in OHHTTPStubs", .other, "requests", "one at a time", "scan"),
        line("StubKit, closure", .second, "requests", "one at a time", "StubKit, closure"),
        line("StubKit", .first, "requests", "one at a time", "StubKit"),
        line("bare URLProtocol", .floor, "requests", "one at a time", "floor"),
      ])
  }

  private func line(
    _ label: String, _ kind: LogLogChart.Kind, _ suite: String, _ case: String, _ contender: String
  ) -> LogLogChart.Line {
    let results = report.results.filter { $0.suite == suite && $0.case == `case` && $0.contender == contender }
    return LogLogChart.Line(
      label: label, kind: kind, points: results.map { ($0.stubs, $0.median) }.sorted { $0.0 < $1.0 })
  }
}
