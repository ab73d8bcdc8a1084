import Foundation

/// The options on the command line.
struct Options {
  var suites: [Suite] = []
  var isQuick = false
  /// Whether a promise that is not kept fails the run.
  var isCheck = false
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
      [--json FILE] [--svg FILE]

    Suites, all of them by default: \(Suite.allCases.map(\.rawValue).joined(separator: ", "))

      --quick       a smoke run of less than a minute: fewer samples, no 100,000 stubs
      --check       fails if a promise is not kept, which says something on two idle cores only
      --json FILE   writes machine, promises, and the medians that pages show
      --svg FILE    draws the cost of a request against the number of stubs
    """
}
