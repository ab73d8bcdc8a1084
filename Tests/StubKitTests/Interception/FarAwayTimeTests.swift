import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Requests on a clock that is far away", .inTurn)
struct FarAwayTimeTests {
  private let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
  private static let year = 31_557_600

  @Test(
    "take their time there as anywhere", arguments: [100, 145, 146, 147, 293, 585, 1_000_000_000].map { $0 * year })
  func farAway(seconds: Int) async throws {
    let registry = StubRegistry()
    registry.clock = clock
    await clock.advance(by: .seconds(seconds))
    try await withStubs(registry: registry) {
      stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)).bodyDuration(.seconds(8)))
      stub(condition: isPath("/silent"), response: .noAnswer)
      let start = clock.elapsed
      let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
      #expect(text == "late" && clock.elapsed - start == .seconds(10))
      let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/silent") }
      #expect((failure as? URLError)?.code == .timedOut && clock.elapsed - start == .seconds(70))
    }
    #expect(registry.journal.entries.map(\.duration) == [.seconds(10), .seconds(60)])
  }

  @Test(
    "come by the end of time, and at once when it has come", arguments: [Duration.seconds(Int64.max), .seconds(1.7e20)])
  func endOfTime(delay: Duration) async throws {
    for _ in 0..<2 {
      try await withStubs {
        HTTPStubs.clock = clock
        stub(condition: .anything, response: .text("late").delay(delay))
        let text = Task { try await URLSession.fetchPatiently().text }
        await clock.waitForPending(clock.elapsed == .zero ? 1 : 0)
        await clock.advanceToEnd()
        let received = try await text.value
        #expect(received == "late")
      }
      #expect(clock.elapsed == .seconds(Int64.max) && clock.pendingCount == 0)
    }
  }
}
