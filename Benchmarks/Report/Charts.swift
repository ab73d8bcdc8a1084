import Foundation

/// Charts of the costs: by the number of stubs, and by the way of calling.
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
    var charts = [("matching", matching), ("requests", requests)].filter { !$1.isEmpty }.map { ($0, $1.svg) }
    if !calls.isEmpty { charts.append(("calls", calls.svg)) }
    for (name, svg) in charts {
      try svg.write(to: folder.appendingPathComponent("\(name).svg"), atomically: true, encoding: .utf8)
    }
  }

  private var matching: LogLogChart {
    LogLogChart(
      title: "Finding the stub for a request",
      subtitle: "The oldest stub: the last one that a scan comes to.",
      source: machine.lines,
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
      source: machine.lines, unit: "µs",
      lines: [
        line("newest-first scan, as in OHHTTPStubs", .other, "requests", "one at a time", "scan"),
        line("StubKit, closure", .second, "requests", "one at a time", "StubKit, closure"),
        line("StubKit", .first, "requests", "one at a time", "StubKit"),
        line("bare URLProtocol", .floor, "requests", "one at a time", "floor"),
      ])
  }

  private var calls: BarChart {
    BarChart(
      title: "A whole request by each way of calling",
      subtitle: "One stub. The time over that of a bare URLProtocol.",
      source: machine.lines,
      bars: [
        bar("completion handler", .first, "one at a time"),
        bar("async call", .first, "one at a time, async"),
        bar("delegate", .first, "one at a time, delegate"),
        bar("session with a cache", .first, "one at a time, cache"),
        bar("64 requests at once, each", .first, "64 at once, each"),
        bar("closure, completion handler", .second, "one at a time", "StubKit, closure"),
        bar("closure, async call", .second, "one at a time, async", "StubKit, closure"),
      ].compactMap(\.self))
  }

  private func bar(
    _ label: String, _ kind: LogLogChart.Kind, _ case: String, _ contender: String = "StubKit"
  ) -> BarChart.Bar? {
    let results = report.results.filter {
      $0.suite == "requests" && $0.case == "\(`case`), over floor" && $0.contender == contender
    }
    return results.min { $0.stubs < $1.stubs }.map { BarChart.Bar(label: label, kind: kind, value: $0.median) }
  }

  private func line(
    _ label: String, _ kind: LogLogChart.Kind, _ suite: String, _ case: String, _ contender: String
  ) -> LogLogChart.Line {
    let results = report.results.filter { $0.suite == suite && $0.case == `case` && $0.contender == contender }
    return LogLogChart.Line(
      label: label, kind: kind, points: results.map { ($0.stubs, $0.median) }.sorted { $0.0 < $1.0 })
  }
}
