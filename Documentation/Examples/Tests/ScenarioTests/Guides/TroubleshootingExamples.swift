import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to troubleshooting", .inTurn)
struct TroubleshootingExamples {
  @Test("asks whether a session is intercepted, and whether a request has passed through")
  func network() async throws {
    try await withStubs {
      let session = URLSession(configuration: .ephemeral)
      stub(condition: isPath("/users"), response: .json([]))
      _ = try await session.data(from: address("/users"))

      #expect(StubRegistry.current.isEnabled)
      #expect(HTTPStubs.isEnabled(for: session.configuration))
      let outcomes = StubRegistry.current.journal.entries.map(\.outcome)
      #expect(!outcomes.contains(.passedThrough))

      #expect(outcomes == [.answered(status: 200)])
    }
  }

  @Test("explains a request that another stub answers")
  func explanation() {
    withStubs {
      let users = stub(condition: isPath("/users"), response: .json([]))
      stub(condition: isHost("api.example.com"), response: .status(404))
      let request = URLRequest(url: address("/users"))

      let explanation = StubRegistry.current.explain(request)
      print(explanation)
      #expect(explanation.stub !== users)
    }
  }

  @Test("moves a manual clock, on which a response would wait for ever otherwise")
  func clock() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(
        condition: isPath("/slow"),
        response: .text("late").delay(.seconds(10)))
      let late = try await clock.run { try await text("/slow") }
      #expect(late == "late")
    }
  }

  @Test("finds the requests that only their session brought into the scope")
  func inferred() async throws {
    try await withStubs {
      stub(condition: isPath("/users"), response: .json([]))
      let session = URLSession(configuration: .ephemeral)
      _ = try await session.data(from: address("/users"))

      let journal = StubRegistry.current.journal
      #expect(journal.entries.filter(\.isInferred).isEmpty)

      try await Task.detached { _ = try await session.data(from: address("/users")) }.value
      #expect(journal.entries.map(\.isInferred) == [false, true])
    }
  }

  @Test("waits for a request instead of sleeping")
  func waiting() async throws {
    try await withStubs {
      let events = stub(condition: isPath("/events"), response: .empty())
      let tracking = Task { try await status("/events") }
      let calls = try await events.waitForCalls()
      #expect(calls.count == 1)
      _ = try await tracking.value
    }
  }

  @Test("gives every response a latency, and holds one until a gate opens")
  func latency() async throws {
    try await withStubs {
      HTTPStubs.network = NetworkConditions(latency: .milliseconds(1))

      stub(condition: isPath("/news"), response: .json([]))
      _ = try await text("/news")
      let entry = try #require(StubRegistry.current.journal.entries.first)
      #expect(try #require(entry.timeToResponse) >= .milliseconds(1))
    }
    try await withStubs {
      let gate = ResponseGate()
      let users = stub(
        condition: isPath("/users"),
        response: .json([]).held(by: gate))
      let loading = Task { try await status("/users") }
      try await users.waitForCalls()
      #expect(StubRegistry.current.journal.entries.first?.outcome == .inProgress)
      gate.open()
      _ = try await loading.value
    }
  }
}
