import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The landing page", .inTurn)
struct StubKitExamples {
  @Test("shows a report as it is printed")
  func report() async throws {
    let page = Page.guide("StubKit")
    try await withStubs {
      printedStub(isPath("/users") && containsQuery("page", "2"), "page 2", line: 28)
      printedStub(hostEndsWith("example.com"), "outage", times: 1, line: 31)
      _ = try await status("/anything")
      await expectReport(page.printed[0], of: request("/users?pge=2"))
    }
  }

  @Test("has a picture of a red test in the README, which shows the report as it is printed")
  func picture() async throws {
    let file = Page.package.appendingPathComponent("Sources/StubKit/StubKit.docc/red-test.svg")
    let shown = try String(contentsOf: file, encoding: .utf8).matches(of: #/<text [^>]*>(.*)<\/text>/#)
      .map { $0.1.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&") }
      .joined().filter { !$0.isWhitespace }
    await withStubs {
      printedStub(isMethod(.get) && isURL("https://api.example.com/users/42"), line: 5)
      let error = await #expect(throws: UnmatchedRequestError.self) { try await text(request("/users/24")) }
      let lines = (error?.description ?? "").split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
      // Tests that run beside this one have scopes, too, and lines of their own before the last.
      let missing = (lines.prefix(4) + lines.suffix(2)).filter { !shown.contains($0) }
      #expect(lines.count > 4 && missing.isEmpty, "Run Documentation/Pictures/red-test.")
    }
  }

  @Test("shows a film over EDGE, after a server that did not answer")
  func slow() async throws {
    let client = Client()
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(.get, "/film", responses: [.noAnswer, .data(film).network(.edge)])
      let answer = try await clock.run { try await client.film() }

      #expect(answer == film)
      // The timeout of a request is a minute, and EDGE takes 300 ms to begin and brings 16 kB a second.
      #expect(clock.elapsed == .seconds(60) + .milliseconds(300 + 12_500))
    }
  }

  /// Tries twice.
  private struct Client {
    func film() async throws -> Data {
      do {
        return try await URLSession.shared.data(from: address("/film")).0
      } catch let error as URLError where error.code == .timedOut {
        return try await URLSession.shared.data(from: address("/film")).0
      }
    }
  }
}
