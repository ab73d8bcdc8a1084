import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to troubleshooting", .inTurn)
struct TroubleshootingExamples {
  @Test("shows how to ask whether a session is intercepted, and whether a request has passed through")
  func network() async throws {
    try await withStubs {
      let session = URLSession(configuration: .ephemeral)
      stub(.get, "/users", response: .json([]))
      _ = try await session.data(from: address("/users"))

      #expect(StubRegistry.current.isEnabled)
      #expect(HTTPStubs.isEnabled(for: session.configuration))
      let outcomes = HTTPStubs.requests.map(\.outcome)
      #expect(!outcomes.contains(.passedThrough))

      #expect(outcomes == [.answered(status: 200)])
    }
  }

  @Test("explains a request that another stub answers")
  func explanation() {
    withStubs {
      let users = stub(.get, "/users", response: .json([]))
      stub(condition: isHost("api.example.com"), response: .status(404))
      let request = URLRequest(url: address("/users"))

      let explanation = HTTPStubs.explain(request)
      print(explanation)
      #expect(explanation.stub !== users)
    }
  }

  @Test("finds the requests that only their session brought into the scope")
  func inferred() async throws {
    try await withStubs {
      stub(.get, "/users", response: .json([]))
      let session = URLSession(configuration: .ephemeral)
      _ = try await session.data(from: address("/users"))

      #expect(HTTPStubs.requests.filter(\.isUnscoped).isEmpty)

      try await Task.detached { _ = try await session.data(from: address("/users")) }.value
      #expect(HTTPStubs.requests.map(\.isUnscoped) == [false, true])
    }
  }

  @Test("gives every response a latency")
  func latency() async throws {
    try await withStubs {
      HTTPStubs.network = NetworkConditions(latency: .milliseconds(1))

      stub(.get, "/news", response: .json([]))
      _ = try await text("/news")
      let entry = try #require(HTTPStubs.requests.first)
      #expect(try #require(entry.timeToResponse) >= .milliseconds(1))
    }
  }
}
