import Foundation
import StubKit
import TestSupport
import Testing

@Suite("An unmatched request", .inTurn)
struct UnmatchedPolicyTests {
  @Test("fails with a report by default", arguments: ["/posts", "/users"])
  func fails(path: String) async throws {
    await withStubs {
      stub(condition: isPath("/users"), response: .redirect(to: "/posts"), name: "users")
      let error = await URLSession.shared.failure(of: "http://a.example\(path)")
      #expect((error as? UnmatchedRequestError)?.request.url == url("http://a.example/posts"))
      #expect(error?.localizedDescription.contains("\"users\" isPath(\"/users\") (StubKitTests/") == true)
      let entries = StubRegistry.current.journal.unmatchedRequests
      #expect(entries.map { $0.outcome.error is UnmatchedRequestError } == [true])
    }
  }

  @Test(
    "goes out when it meets the condition",
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
    "with a URL that nobody loads is reported",
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

  @Test("is answered by nothing that only a stub can have")
  func controlled() async {
    await withStubs {
      let misses = TestReport()
      StubRegistry.current.testReport = misses
      HTTPStubs.unmatched = .respond { _ in .controlled.delay(.seconds(1)) }
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
