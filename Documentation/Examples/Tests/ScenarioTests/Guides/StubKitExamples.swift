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

  @Test("has a report that the README shows, too, for two other stubs")
  func reportOfReadme() async throws {
    await withStubs {
      printedStub(
        isMethod(.get) && isURL("https://api.example.com/users") && containsQuery("page", "2"), line: 6)
      printedStub(isMethod(.get) && isURL("https://api.example.com/films"), line: 7)
      await expectReport(Page.readme.printed[0], of: request("/users?pge=2"))
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
