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
      stub(condition: isPath("/users") && { $0.timeoutInterval < 5 }, response: .empty())
      // The closure runs for every request.
      stub(condition: { $0.timeoutInterval < 5 && $0.url?.path == "/users" }, response: .empty())

      #expect(try await status(URLRequest(url: address("/users"), timeoutInterval: 1)) == 204)
    }
  }

  @Test("has the chart of the kept run, and three figures of it")
  func figures() throws {
    let chart = try data("Sources/StubKit/StubKit.docc/requests.svg")
    #expect(
      try chart == data("Documentation/Performance/requests.svg"), "Run Documentation/Performance/keep --as-it-is.")
    let run = try KeptRun.load()
    func request(_ contender: String, _ stubs: Int) -> String {
      run.median("requests", "one at a time", contender, stubs: stubs).inMicroseconds
    }
    func search(_ contender: String) -> String {
      (run.median("matching", "path, hit oldest", contender, stubs: 10_000) / 1_000).inMicroseconds
    }
    let rows = [
      ["A request, one stub"] + ["StubKit", "floor", "scan"].map { request($0, 1) },
      ["A request, 10,000 stubs"] + ["StubKit", "floor", "scan"].map { request($0, 10_000) },
      ["Finding one of 10,000 stubs", search("StubKit"), "–", search("scan")],
    ]
    #expect(page.table(after: "| | StubKit |") == rows, "Run Documentation/Performance/keep --as-it-is.")
    #expect(page.text.contains(run.machine.cpu))
  }

  @Test("says in sentences what the kept run has measured, and so does the README")
  func sentences() throws {
    let run = try KeptRun.load()
    func ratio(_ name: String) throws -> String { try #require(run.ratios.first { $0.name == name }).text }
    let most = try #require(
      run.results.filter { $0.suite == "matching" && $0.case.hasPrefix("path,") }.map(\.stubs).max())
    #expect(most == 100_000)
    for page in [Page.readme, page, Page.guide("MatchingRequests")] { #expect(page.text.contains("100,000 stubs")) }
    let flat = Page.readme.text.replacing("\n", with: " ")
    #expect(flat.contains("takes \(try ratio("match-flatness")) times as long as finding the only one"))
    let (one, many) = (try ratio("request-over-floor-1"), try ratio("request-over-floor-10000"))
    for text in [flat, page.text] { #expect(text.contains("whole request takes \(one) to \(many) times as long")) }
    #expect(page.text.contains("takes \(try ratio("closure-request-over-floor")) times as long"))
    #expect(page.text.contains("on \(try #require([2: "two", 4: "four"][run.machine.cores])) cores of"))
    // "About ten times as long" for ten times as many.
    for name in ["query", "form", "json", "multipart"] {
      #expect((8...12).contains(try #require(run.ratios.first { $0.name == "growth-\(name)" }).value), "\(name)")
    }
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: Page.package.appendingPathComponent(path)) }
}

/// The page for contributors, which `Documentation/Performance/keep` fills.
@Suite("The page of promises", .inTurn)
struct PromisesTables {
  private let page = Page.promises

  @Test("has all promises, with the limits of today, and the kept run keeps each of them")
  func promises() throws {
    let run = try KeptRun.load()
    let file = Page.package.appendingPathComponent("Benchmarks/Report/Promise.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let promised = source.matches(of: #/Promise\(\s*"([a-z0-9-]+)", ([0-9_.]+)(, bound: \.atLeast)?/#)
    let rows = page.table(after: "| Promise |")
    #expect(promised.count > 50 && rows.count == promised.count)
    for (row, promise) in zip(rows, promised) {
      let limit = promise.2.replacing("_", with: "")
      #expect(row[0].hasPrefix("`\(promise.1)`: ") && row[1] == (promise.3 == nil ? "≤ " : "≥ ") + limit)
      guard let ratio = run.ratios.first(where: { $0.name == promise.1 }) else {
        #expect(row[2] == "–", "The kept run has no \(promise.1).")
        continue
      }
      #expect(row[2] == ratio.text, "Run Documentation/Performance/keep --as-it-is.")
      #expect(ratio.limit == Double(limit) && ratio.isKept, "\(promise.1)")
    }
    #expect(run.ratios.allSatisfy { ratio in promised.contains { $0.1 == ratio.name } })
  }
}

/// The run of the benchmarks that the repository keeps.
struct KeptRun: Decodable {
  struct Machine: Decodable {
    let cpu: String
    let cores: Int
  }
  struct Result: Decodable {
    let suite: String
    let `case`: String
    let contender: String
    let stubs: Int
    let median: Double
  }
  struct Ratio: Decodable {
    let name: String
    let bound: String
    let limit: Double
    let value: Double

    var isKept: Bool { bound == "atMost" ? value <= limit : value >= limit }

    /// The value as the page shows it.
    var text: String {
      let isWhole = value.magnitude >= 100 || value == value.rounded()
      return String(format: isWhole ? "%.0f" : "%.2f", value)
    }
  }

  let machine: Machine
  let results: [Result]
  let ratios: [Ratio]

  static func load() throws -> KeptRun {
    let url = Page.package.appendingPathComponent("Documentation/Performance/run.json")
    return try JSONDecoder().decode(KeptRun.self, from: Data(contentsOf: url))
  }

  func median(_ suite: String, _ case: String, _ contender: String, stubs: Int) -> Double {
    results.first { $0.suite == suite && $0.case == `case` && $0.contender == contender && $0.stubs == stubs }?.median
      ?? .nan
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
