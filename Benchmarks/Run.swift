import Foundation

/// One run of the benchmarks, from the command line to the printed and written results.
struct Run: Sendable {
  let options: Options

  init(_ options: Options) { self.options = options }

  func perform() async throws {
    if let probe = options.probe { return try await probe.perform() }
    if let file = options.kept {
      let kept = try ReportFile(contentsOf: file)
      return try show(Report(kept: kept.results, kept.ratios), on: kept.machine)
    }
    let machine = Machine(isQuick: options.isQuick)
    Terminal.print(machine.description)
    if !Machine.isOptimised {
      Terminal.warn(
        "Built without optimisation: these numbers say nothing. Use swift run -c release StubKitBenchmarks.")
    }
    let report = Report()
    for suite in options.suites {
      Terminal.progress(suite.rawValue)
      try await suite.run(effort: options.isQuick ? .quick : .full, report: report)
      Terminal.clearProgress()
      report.printResults(of: suite.rawValue)
    }
    try show(report, on: machine)
  }

  private func show(_ report: Report, on machine: Machine) throws {
    report.printRatios()
    if let file = options.json { try ReportFile(report, on: machine).write(to: file) }
    if let folder = options.svg { try Charts(report, on: machine).write(to: folder) }
    if options.isCheck, !report.broken.isEmpty { throw BrokenPromises(names: report.broken.map(\.name)) }
  }
}

/// Promises that a run has not kept.
struct BrokenPromises: Error, CustomStringConvertible {
  let names: [String]
  var description: String { "Not kept: \(names.joined(separator: ", "))" }
}
