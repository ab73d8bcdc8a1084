import Foundation

/// Performs one run, from the options to the printed and written results.
func perform(_ options: Options) async throws {
  if let probe = options.probe { return try await probe.perform() }
  let report = try Report(on: Machine(isQuick: options.isQuick), comparedWith: options.earlier)
  print(report.machine.lines.joined(separator: ", "))
  if !Machine.isOptimised {
    Terminal.warn(
      "Built without optimisation: only the promises of debug builds say something, in the suite requests.")
  }
  let run = Run(effort: options.isQuick ? .quick : .full, report: report)
  for suite in options.suites {
    try await run.measure(suite)
    report.printResults(of: suite)
  }
  report.printRatios()
  if let file = options.json { try report.write(to: file, commit: options.commit) }
  if let file = options.svg { try Chart(report).write(to: file) }
  let (broken, worse) = (report.broken.map(\.name), report.worse.map(\.name))
  if options.isCheck, !broken.isEmpty || !worse.isEmpty {
    let problems = [("Not kept", broken), ("Worse than earlier", worse)].filter { !$0.1.isEmpty }
    throw Probe.Failure(
      description: problems.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "\n"))
  }
}

// A client that has left must not end the process of its server.
signal(SIGPIPE, SIG_IGN)
do {
  try await perform(Options(Array(CommandLine.arguments.dropFirst())))
} catch {
  Terminal.warn("\(error)")
  exit(1)
}
