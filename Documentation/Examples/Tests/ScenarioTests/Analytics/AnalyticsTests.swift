import Foundation
import StubKit
import TestSupport
import Testing

@Suite("An analytics client", .inTurn)
struct AnalyticsTests {
  private func isBatch(_ number: Int) -> RequestMatcher {
    isMethodPOST() && isPath("/batches") && hasJSON(at: "number", equals: JSONValue(number))
  }

  @Test("sends full batches on its own, in order, and the rest at the end")
  func batches() async throws {
    try await withStubs {
      let batches = stub(condition: isHost("metrics.example.com"), response: .status(202))
      let client = AnalyticsClient(batchSize: 2)
      for event in ["launch", "login", "search", "open", "buy"] { await client.track(event) }
      try await batches.waitForCompletions(2, timeout: .seconds(60))
      await client.close()
      try verifyInOrder(isBatch(1), isBatch(2), isBatch(3), isPath("/sessions/end"))
      try verify(isPath("/batches") && hasJSON(at: "events", equals: ["buy"]), called: .once)
      try verify(batches, called: 4)
      try HTTPStubs.verifyAllStubsUsed()
    }
  }

  @Test("holds the next batch back while the one before is tried again")
  func retries() async throws {
    try await withStubs {
      stub(condition: isHost("metrics.example.com"), response: .status(202))
      let busy = stub(
        condition: isBatch(1), responses: [.status(503), .status(503)], afterLast: .stopMatching)
      let finished = StubRegistry.current.events
      let client = AnalyticsClient(batchSize: 1)
      await client.track("launch")
      await client.track("login")
      await client.close()
      try verify(busy, called: 2)
      try verify(isBatch(1), called: 3)
      try verifyInOrder(isBatch(1), isBatch(1), isBatch(1), isBatch(2), isPath("/sessions/end"))
      var statuses: [Int?] = []
      for await event in finished where event.kind == .finish {
        statuses.append(StubRegistry.current.journal.entries[statuses.count].response?.status)
        if event.request.url?.path == "/sessions/end" { break }
      }
      #expect(statuses == [503, 503, 202, 202, 202])
    }
  }

  @Test("that sent a batch too many is told so by what did arrive")
  func complaint() async throws {
    try await withStubs {
      stub(condition: isHost("metrics.example.com"), response: .status(202))
      let client = AnalyticsClient(batchSize: 1)
      await client.track("launch")
      await client.close()
      let error = #expect(throws: VerificationError.self) { try verifyInOrder(isBatch(1), isBatch(2)) }
      let report = try #require(error).description
      #expect(report.contains("condition 2 of 2") && report.contains("POST https://metrics.example.com/sessions/end"))
    }
  }
}
