import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A closure that answers, and moves the clock of its request,", .inTurn)
struct AdvancingResponderTests {
  private let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }

  private func withSlowAnswer<R: Sendable>(_ body: () async throws -> R) async rethrows -> R {
    try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/slow")) { [clock] _ in
        // Whoever moves the clock does so by now.
        try await clock.sleep(for: .seconds(1))
        await clock.advance(by: .seconds(2))
        return .text("late").delay(.seconds(3))
      }
      return try await body()
    }
  }

  @Test("goes before whoever runs the code that waits for it", arguments: 0..<20)
  func inRun(round: Int) async throws {
    let text = try await withSlowAnswer {
      try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
    }
    #expect(text == "late" && clock.elapsed == .seconds(6) && clock.pendingCount == 0)
  }

  @Test("goes before the end", arguments: 0..<20)
  func toEnd(round: Int) async throws {
    let text = try await withSlowAnswer {
      async let text = URLSession.shared.fetch("http://a.example/slow").text
      await clock.waitForPending()
      await clock.advanceToEnd()
      return try await text
    }
    #expect(text == "late" && clock.elapsed == .seconds(6) && clock.pendingCount == 0)
  }

  @Test("does so beside others that wait for theirs")
  func several() async throws {
    let texts = try await withSlowAnswer {
      stub(condition: isPath("/other"), response: .text("other").delay(.seconds(50)))
      return try await clock.run {
        async let other = URLSession.shared.fetch("http://a.example/other").text
        async let slow = URLSession.shared.fetch("http://a.example/slow").text
        return try await [slow, other]
      }
    }
    #expect(texts == ["late", "other"] && clock.elapsed == .seconds(50))
  }

  @Test("times its request out if it goes beyond its timeout")
  func tooFar() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: .anything) { [clock] _ in
        await clock.advance(by: .seconds(61))
        return .text("too late")
      }
      let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/") }
      #expect((failure as? URLError)?.code == .timedOut)
    }
  }
}
