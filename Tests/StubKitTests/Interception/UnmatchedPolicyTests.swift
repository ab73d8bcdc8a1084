import Foundation
import StubKit
import TestSupport
import Testing

@Suite("An unmatched request", .inTurn)
struct UnmatchedPolicyTests {
  @Test("fails with a report by default, also where a redirect leads to it", arguments: ["/posts", "/users"])
  func fails(path: String) async throws {
    await withStubs {
      // /users leads to /posts, which nothing stubs.
      stub(condition: isPath("/users"), response: .redirect(to: "/posts"), name: "users")
      let error = await URLSession.shared.failure(of: "http://a.example\(path)")
      #expect((error as? UnmatchedRequestError)?.request.url == url("http://a.example/posts"))
      #expect(error?.localizedDescription.contains("\"users\" isPath(\"/users\") (StubKitTests/") == true)
      let entries = StubRegistry.current.journal.unmatchedRequests
      #expect(entries.map { $0.outcome.error is UnmatchedRequestError } == [true])
    }
  }

  @Test(
    "goes to the network if it meets the condition of the policy",
    arguments: [isPath("/out"), RequestMatcher("is out") { $0.url?.path == "/out" }])
  func passesThroughWhen(condition: RequestMatcher) async throws {
    let server = try LoopbackServer()
    try await withStubs {
      HTTPStubs.unmatched = .passThrough(when: condition)
      let real = try await URLSession.shared.fetch(URLRequest(url: server.url("/out")))
      #expect(real.text == "real GET /out")
      let error = await URLSession.shared.failure(of: server.url("/in").absoluteString)
      #expect(error is UnmatchedRequestError)
    }
    #expect(server.requests == ["GET /out"])
  }

  @Test(
    "with a URL that can't be loaded is reported, or fails as without StubKit if the policy lets it out",
    arguments: [("foo://a.example/", false), ("/users", true), ("url", true)])
  func unsupported(address: String, lacksScheme: Bool) async throws {
    await withStubs {
      stub(condition: isHost("a.example") && isPath("/users"), response: .status(204))
      let report = await URLSession.shared.failure(of: address)?.localizedDescription ?? ""
      #expect(report.contains("has no scheme and host, so isHost can't match, and no server would") == lacksScheme)
      HTTPStubs.unmatched = .passThrough
      let passed = await URLSession.shared.failure(of: address) as? URLError
      let native = await URLSession(configuration: .unstubbed).failure(of: address) as? URLError
      #expect(passed?.code == .unsupportedURL)
      #expect(passed == native)
      #expect(passed?.errorUserInfo.count == native?.errorUserInfo.count)
      #expect(passed?.localizedDescription == native?.localizedDescription)
      #expect(passed?.failingURL == native?.failingURL)
    }
  }

  @Test("is answered by a closure that waits, or throws")
  func asynchronous() async throws {
    let clock = ManualClock()
    try await withStubs {
      HTTPStubs.clock = clock
      HTTPStubs.unmatched = .respond { request in
        try await clock.sleep(for: .seconds(2))
        guard request.url?.path == "/ok" else { throw URLError(.cannotFindHost) }
        return .text("late")
      }
      let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/ok").text }
      #expect(text == "late" && clock.elapsed == .seconds(2))
      let error = await clock.run { await URLSession.shared.failure(of: "http://a.example/other") } as? URLError
      #expect(error?.code == .cannotFindHost && clock.elapsed == .seconds(4))
      #expect(HTTPStubs.requests.map(\.outcome) == [.answered(status: 200), .failed(URLError(.cannotFindHost))])
    }
  }

  @Test("fails if it is answered with .controlled, which only a stub's calls can be")
  func controlled() async {
    await withStubs {
      let misses = TestReport()
      StubRegistry.current.testReport = misses
      HTTPStubs.unmatched = .respond { _ in .controlled.delay(.seconds(1)) }
      // Without a body, and with one that streams.
      for request in [request("http://a.example/x"), request("http://a.example/x", method: "POST", streamed: "x")] {
        let error = await #expect(throws: StubResponseError.self, "\(request.httpMethod!)") {
          try await URLSession.shared.data(for: request)
        }
        let sentence = "The response to an unmatched request is .controlled, but only the calls of a stub can be taken"
        #expect(error?.description.hasPrefix(sentence) == true, "\(request.httpMethod!)")
        // Both make the same mistake, which is told once.
        #expect(misses.mistakes.map(\.sentence) == [error?.description], "\(request.httpMethod!)")
      }
    }
  }
}
