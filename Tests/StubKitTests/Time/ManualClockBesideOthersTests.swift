import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock beside the tasks of others", .inTurn, .inOwnProcess, .serialized)
struct ManualClockBesideOthersTests {
  private let clock = ManualClock.patient

  @Test("meets each moment of a plain task that sleeps")
  func sleepers() async {
    let busy = BusyTasks(20)
    let log = Log<Duration>()
    let client = Task { [clock] in
      for _ in 0..<5 {
        try await clock.sleep(for: .seconds(1))
        log.note(clock.elapsed)
      }
    }
    let ticker = Task { [clock] in for _ in 0..<20 { try await clock.sleep(for: .milliseconds(250)) } }
    await clock.waitForPending(2)
    await clock.advance(by: .seconds(1))
    #expect(log.entries == [.seconds(1)])
    await busy.stop()
    await clock.advance(by: .seconds(9))
    await clock.run { _ = await (client.result, ticker.result) }
  }

  @Test("sees a task that its body makes")
  func bornInBody() async throws {
    let busy = BusyTasks(20)
    try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: .anything, response: .text("token").delay(.seconds(2)))
      let elapsed = try await clock.run {
        async let other: Void = clock.sleep(for: .seconds(5))
        // As an actor does that shares the renewal of a token.
        let text = try await Task { try await URLSession.shared.fetch("http://a.example/token").text }.value
        let elapsed = clock.elapsed
        #expect(text == "token")
        try await other
        return elapsed
      }
      #expect(elapsed == .seconds(2) && clock.elapsed == .seconds(5))
    }
    await busy.stop()
  }
}
