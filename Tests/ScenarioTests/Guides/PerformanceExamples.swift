import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to performance", .inTurn)
struct PerformanceExamples {
  private let page = Page.guide("Performance")

  @Test("shows a closure that runs for one path, and one that runs for every request")
  func closures() async throws {
    try await withStubs {
      // The closure runs for requests to this path only.
      stub(condition: isPath("/users") && { $0.timeoutInterval < 5 }, response: .empty())
      // The closure runs for every request.
      stub(condition: { $0.timeoutInterval < 5 && $0.url?.path == "/users" }, response: .empty())

      var request = URLRequest(url: address("/users"))
      request.timeoutInterval = 1
      let answered = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      #expect(answered?.statusCode == 204)
      await #expect(throws: UnmatchedRequestError.self) { try await status("/users") }
    }
  }

  @Test("has the charts of the kept run", arguments: ["matching.svg", "requests.svg", "calls.svg"])
  func charts(name: String) throws {
    let chart = try data("Documentation/StubKit.docc/\(name)")
    #expect(try chart == data("Documentation/Performance/\(name)"), "Run Documentation/Performance/keep --as-it-is.")
  }

  @Test("says of each promise what the kept run came to")
  func promises() throws {
    let run = try JSONDecoder().decode(Run.self, from: data("Documentation/Performance/run.json"))
    let rows = page.table(after: "| promise |")
    #expect(!run.ratios.isEmpty && rows.count == run.ratios.count)
    for (row, ratio) in zip(rows, run.ratios) {
      #expect(
        row[0].hasPrefix("`\(ratio.name)`: ") && row.suffix(2) == ratio.cells[...],
        "Run Documentation/Performance/keep --as-it-is.")
    }
  }

  @Test("says in the README how flat the kept run is")
  func flatness() throws {
    let run = try JSONDecoder().decode(Run.self, from: data("Documentation/Performance/run.json"))
    let flatness = try #require(run.ratios.first { $0.name == "match-flatness" })
    let readme = String(decoding: try data("README.md"), as: UTF8.self)
    #expect(readme.contains("takes \(String(format: "%.2f", flatness.value)) times as long"))
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: Page.package.appendingPathComponent(path)) }

  private struct Run: Decodable {
    let ratios: [Ratio]
  }

  private struct Ratio: Decodable {
    let name: String
    let bound: String
    let target: Double
    let value: Double

    private var isAtMost: Bool { bound == "atMost" }

    var cells: [String] {
      let isKept = isAtMost ? value <= target : value >= target
      let targetText = target == target.rounded() ? String(format: "%.0f", target) : "\(target)"
      let isWhole = value.magnitude >= 100 || value == value.rounded()
      return [
        "\(isAtMost ? "≤" : "≥") \(targetText)",
        String(format: isWhole ? "%.0f" : "%.2f", value) + (isKept ? ", kept" : ", missed"),
      ]
    }
  }
}
