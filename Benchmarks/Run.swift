import Foundation

/// One run of the benchmarks, from the command line to the printed and written results.
struct Run: Sendable {
  let options: Options

  init(_ options: Options) { self.options = options }

  func perform() async throws {
    if let probe = options.probe { return try await probe.perform() }
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
    report.printRatios()
    if let file = options.json { try ReportFile(report, on: machine).write(to: file) }
    if let folder = options.svg { try Charts(report, on: machine).write(to: folder) }
  }
}
