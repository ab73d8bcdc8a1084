import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The landing page", .inTurn)
struct StubKitExamples {
  @Test("shows a line that answers a request")
  func plain() async throws {
    try await withStubs {
      stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .json(["id": 42]))

      let answer = try await text("/users/42")
      #expect(answer == #"{"id":42}"#)
    }
  }

  @Test("shows a report as it is printed, and so does the README", arguments: [Page.guide("StubKit"), Page.readme])
  func report(page: Page) async throws {
    try await withStubs {
      func add(_ condition: RequestMatcher, _ name: String, times: Int? = nil, line: UInt) {
        stub(
          condition: condition, response: .empty(), name: name, times: times, fileID: "AppTests/UserTests.swift",
          line: line)
      }
      add(isPath("/users") && containsQuery("page", "2"), "page 2", line: 28)
      add(hostEndsWith("example.com"), "outage", times: 1, line: 31)
      _ = try await status("/anything")
      let error = await #expect(throws: UnmatchedRequestError.self) { try await status("/users?pge=2") }
      let told = error?.description.split(separator: "\n") ?? []
      // Tests that run beside this one have scopes too, and lines of their own before the last.
      #expect(told.prefix(6) + told.suffix(1) == page.printed[0].split(separator: "\n")[...])
    }
  }

  @Test("shows a redirect that leads to a film")
  func redirect() async throws {
    try await withStubs {
      stub(condition: isPath("/old"), response: .redirect(to: "/new", status: 301))
      stub(condition: isPath("/new"), response: .data(film).chunked(by: 64_000))

      let (data, response) = try await URLSession.shared.data(from: address("/old"))
      #expect(data == film && response.url?.path == "/new")
    }
  }

  @Test("shows a film over EDGE, after a server that did not answer")
  func slow() async throws {
    let client = Client()
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(condition: isPath("/film"), responses: [.noAnswer, .data(film).network(.edge)])
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
