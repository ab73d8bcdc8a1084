import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to performance", .inTurn)
struct PerformanceExamples {
  private let page = Page.guide("Performance")

  @Test("shows a closure that runs for one path, and one that runs for every request")
  func closures() async throws {
    try await withStubs { () async throws in
      // The closure runs for requests to this path only.
      stub(condition: isPath("/users") && { $0.timeoutInterval < 5 }, response: .status(204))
      // The closure runs for every request.
      stub(condition: { $0.timeoutInterval < 5 && $0.url?.path == "/users" }, response: .status(204))

      #expect(try await status(URLRequest(url: address("/users"), timeoutInterval: 1)) == 204)
    }
  }

  @Test("has the chart and the figures of the benchmark run that the repository keeps")
  func figures() throws {
    let chart = try data("Sources/StubKit/StubKit.docc/requests.svg")
    #expect(
      try chart == data("Documentation/Performance/requests.svg"), "Run Documentation/Performance/keep.")
    let run = try KeptRun.load()
    func request(_ contender: String, _ stubs: Int) throws -> String {
      try #require(run.medians["requests, \(contender), \(stubs) stubs, µs"]).inMicroseconds
    }
    func search(_ contender: String) throws -> String {
      (try #require(run.medians["matching, \(contender), 10000 stubs, ns"]) / 1_000).inMicroseconds
    }
    let rows = try [
      ["A request, one stub"] + ["StubKit", "floor", "scan"].map { try request($0, 1) },
      ["A request, 10,000 stubs"] + ["StubKit", "floor", "scan"].map { try request($0, 10_000) },
      ["Finding one of 10,000 stubs", search("StubKit"), "–", search("scan")],
    ]
    #expect(page.table(after: "| | StubKit |") == rows, "Run Documentation/Performance/keep.")
    #expect(page.text.contains(run.machine.cpu))
  }

  @Test("says in sentences what the kept benchmark run has measured")
  func sentences() throws {
    let run = try KeptRun.load()
    func ratio(_ name: String) throws -> String { KeptRun.text(try #require(run.promises[name])) }
    for page in [page, Page.guide("MatchingRequests")] { #expect(page.text.contains("100,000 stubs")) }
    let flat = page.text.replacing(#/\s+/#, with: " ")
    #expect(flat.contains("takes \(try ratio("match-flatness")) times as long as finding the only one"))
    let (path, header, field) = try (
      ratio("match-over-extract"), ratio("match-header-over-extract"), ratio("match-json-over-extract")
    )
    #expect(
      flat.contains(
        "takes \(path) times as long as reading its URL and its method, a header \(header) times and a JSON field "
          + "\(field) times"))
    let search = try #require(run.medians["matching, StubKit, 10000 stubs, ns"]) / 1_000
    #expect(
      Page.readme.text.replacing(#/\s+/#, with: " ").contains(
        "Finding a stub takes \(search.inMicroseconds), among one or"))
    let (one, many) = (try ratio("request-over-floor-1"), try ratio("request-over-floor-10000"))
    #expect(
      flat.contains(
        "whole request takes \(one) times as long as with a bare `URLProtocol` with one stub, and \(many) times with "
          + "10,000"))
    #expect(page.text.contains("takes \(try ratio("closure-request-over-floor")) times as long"))
    #expect(page.text.contains("on \(try #require([2: "two", 4: "four"][run.machine.cores])) cores of"))
    // Debug builds aren't in the kept run. This is their promise.
    let promise = Page.promises.table(after: "| Promise |").first { $0[0].hasPrefix("`debug-request-over-mock`: ") }
    let limit = try #require(promise)[1].replacing("≤ ", with: "")
    #expect(flat.contains("a request takes at most \(limit) times as long as with a hand-written mock"))
    // The worst of all rows of growth, which these four are among.
    #expect(flat.contains("take at most \(try ratio("growth")) times as long to parse and match"))
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: Page.package.appendingPathComponent(path)) }
}

/// The page for contributors, which `Documentation/Performance/keep` fills.
@Suite("The page of promises", .inTurn)
struct PromisesTables {
  private let page = Page.promises

  @Test("lists all promises with their limits, and the kept benchmark run is within each of them")
  func promises() throws {
    let run = try KeptRun.load()
    let file = Page.package.appendingPathComponent("Benchmarks/Report/Promise.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let promised = source.matches(of: #/Promise\(\s*"([a-z0-9-]+)", ([0-9_.]+)(, bound: \.atLeast)?/#)
    let rows = page.table(after: "| Promise |")
    #expect(promised.count > 20 && rows.count == promised.count)
    for (row, promise) in zip(rows, promised) {
      let limit = promise.2.replacing("_", with: "")
      #expect(row[0].hasPrefix("`\(promise.1)`: ") && row[1] == (promise.3 == nil ? "≤ " : "≥ ") + limit)
      guard let value = run.promises[String(promise.1)] else {
        #expect(row[2] == "–", "The kept run has no \(promise.1).")
        continue
      }
      #expect(row[2] == KeptRun.text(value), "Run Documentation/Performance/keep.")
      let most = try #require(Double(limit))
      #expect(promise.3 == nil ? value <= most : value >= most, "\(promise.1)")
    }
    #expect(run.promises.keys.allSatisfy { name in promised.contains { $0.1 == name } })
  }

  // The guide quotes figures of the run, so it is of the code that it is about. The version says nothing of the code.
  @Test("has figures from a run of the newest release, or of the sources as they are")
  func commit() async throws {
    let code = ["--", "Sources", ":!Sources/*/*.docc/*", ":!Sources/StubKit/Values/Version.swift"]
    // Outside of a clone, there is no history.
    guard let changed = try await git(["log", "-1", "--format=%H"] + code) else { return }
    var current = [changed]
    if let release = try await git(["describe", "--tags", "--abbrev=0"]) {
      current += try await [
        git(["rev-list", "-n", "1", release]), git(["log", "-1", "--format=%H", release] + code),
      ].compactMap(\.self)
    }
    let commit = try KeptRun.load().commit
    #expect(
      current.contains { $0 == commit },
      "The kept run is of \(commit ?? "no commit"). Run Documentation/Performance/keep.")
  }

  /// Returns what a command of git prints, or `nil` if it fails.
  private func git(_ arguments: [String]) async throws -> String? {
    let text = try await ChildProcess.run("git", ["-C", Page.package.path] + arguments) ?? ""
    return text.isEmpty || text.hasPrefix("fatal:") ? nil : text.trimmingCharacters(in: .newlines)
  }
}

/// The run of the benchmarks that the repository keeps.
struct KeptRun: Decodable {
  struct Machine: Decodable {
    let cpu: String
    let cores: Int
  }

  /// The last commit that changed the sources before the run.
  let commit: String?
  let machine: Machine
  let medians: [String: Double]
  let promises: [String: Double]

  static func load() throws -> KeptRun {
    let url = Page.package.appendingPathComponent("Documentation/Performance/run.json")
    return try JSONDecoder().decode(KeptRun.self, from: Data(contentsOf: url))
  }

  /// A ratio as the pages show it.
  static func text(_ value: Double) -> String {
    String(format: value.magnitude >= 100 || value == value.rounded() ? "%.0f" : "%.2f", value)
  }
}

extension Double {
  /// The number of microseconds as the guide shows it.
  fileprivate var inMicroseconds: String {
    guard self >= 1 else { return String(format: "%.2f µs", self) }
    let digits = String(format: "%.0f", self)
    return (digits.count > 3 ? "\(digits.dropLast(3)),\(digits.suffix(3))" : digits) + " µs"
  }
}
