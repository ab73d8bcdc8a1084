import Foundation

/// The options on the command line.
struct Options {
  var suites: [Suite] = []
  var isQuick = false
  /// Whether a promise that is not kept fails the run.
  var isCheck = false
  /// The file of a run to show, instead of measuring.
  var kept: String?
  var json: String?
  var svg: String?
  var wantsHelp = false
  /// The probe that a child process of the benchmarks measures.
  var probe: Probe?

  struct Mistake: Error {
    let description: String
  }

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--check": isCheck = true
      case "--help", "-h": wantsHelp = true
      case "--from": kept = try Self.value(of: argument, "a file", &rest)
      case "--json": json = try Self.value(of: argument, "a file", &rest)
      case "--svg": svg = try Self.value(of: argument, "a folder", &rest)
      case "--probe":
        let text = try Self.value(of: argument, "a probe", &rest)
        guard let probe = Probe(text) else { throw Mistake(description: "There is no probe \"\(text)\".") }
        self.probe = probe
      case let option where option.hasPrefix("-"):
        throw Mistake(description: "There is no option \(option).")
      case let name:
        guard let suite = Suite(rawValue: name) else {
          let names = Suite.allCases.map(\.rawValue).joined(separator: ", ")
          throw Mistake(description: "There is no suite \"\(name)\". The suites are \(names).")
        }
        suites.append(suite)
      }
    }
    if suites.isEmpty { suites = Suite.allCases }
  }

  private static func value(
    of option: String, _ what: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst(), !value.hasPrefix("--") else {
      throw Mistake(description: "\(option) needs \(what) after it.")
    }
    return value
  }

  static var help: String {
    let suites = Suite.allCases.map { suite in
      "  " + suite.rawValue.padding(toLength: 14, withPad: " ", startingAt: 0) + suite.summary
    }
    return """
      Measures StubKit beside a bare URLProtocol and a newest-first scan of closures.

      swift run -c release StubKitBenchmarks [suite …] [--quick] [--check]
        [--json FILE] [--svg FOLDER] [--from FILE]

      Suites, all of them by default:
      \(suites.joined(separator: "\n"))

      Options:
        --quick       a smoke run of less than a minute: fewer samples, no 100,000 stubs
        --check       fails if a promise is not kept, which says something on two idle cores only
        --json FILE   writes machine, results and promises
        --svg FOLDER  draws the costs against the number of stubs
        --from FILE   shows the run of an earlier --json instead of measuring
        --help        this text

      The exit status is 64 for a mistake in the arguments, and 1 for a run that failed. Without --check, it does not
      depend on what was measured.
      """
  }
}
