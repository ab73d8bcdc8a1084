import Foundation

/// The options on the command line.
struct Options {
  var suites: [Suite] = []
  var isQuick = false
  /// Whether a promise that is not kept, or that is kept worse than in the earlier run, fails the run.
  var isCheck = false
  /// The file of an earlier run.
  var earlier: String?
  /// The commit of the code that is measured.
  var commit: String?
  var json: String?
  var svg: String?
  /// The probe that a child process of the benchmarks measures.
  var probe: Probe?

  /// Throws the help for anything that is no option and no suite.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--check": isCheck = true
      case "--against": earlier = rest.popFirst()
      case "--commit": commit = rest.popFirst()
      case "--json": json = rest.popFirst()
      case "--svg": svg = rest.popFirst()
      case "--probe": probe = Probe(name: rest.popFirst() ?? "", number: rest.popFirst().flatMap { Int($0) } ?? 0)
      default:
        guard let suite = Suite(rawValue: argument) else { throw Probe.Failure(description: Self.help) }
        suites.append(suite)
      }
    }
    if suites.isEmpty { suites = Suite.allCases }
  }

  private static let help = """
    Measures StubKit beside a bare URLProtocol and a newest-first scan of closures.

    swift run -c release StubKitBenchmarks [suite …] [--quick] [--check]
      [--against FILE] [--json FILE] [--commit HASH] [--svg FILE]

    Suites, all of them by default: \(Suite.allCases.map(\.rawValue).joined(separator: ", "))

      --quick         a smoke run of less than a minute: fewer samples, no 100,000 stubs
      --check         fails if a promise is not kept, which says something on two idle cores only
      --against FILE  shows what an earlier run has written; with --check, fails if a promise is kept worse
      --json FILE     writes machine, promises, and the medians that pages show
      --commit HASH   writes the commit, too
      --svg FILE      draws the cost of a request against the number of stubs
    """
}
