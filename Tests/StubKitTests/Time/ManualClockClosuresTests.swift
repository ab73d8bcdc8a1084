import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock, beside a stub's closure,", .inTurn)
struct ManualClockClosuresTests {
  private let clock = ManualClock.patient

  @Test("waits for it while it awaits something else", arguments: [true, false])
  func outside(isInRun: Bool) async throws {
    try await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: .anything) { _ in
        await somethingElse()
        return .text("a").delay(.seconds(1))
      }
      for round in 1...5 {
        let text: String
        if isInRun {
          text = try await clock.run { try await URLSession.shared.fetch("http://a.example/").text }
        } else {
          let answer = Task { try await URLSession.shared.fetch("http://a.example/").text }
          await clock.waitForPending()
          await clock.advance(by: .seconds(1))
          text = try await answer.value
        }
        #expect(text == "a", "\(round)")
        #expect(clock.elapsed == .seconds(round), "\(round)")
      }
    }
  }

  @Test("moves on while it waits for the clock")
  func onTheClock() async throws {
    try await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: isPath("/inner")) { _ in
        await somethingElse()
        return .text("inner").delay(.seconds(10))
      }
      stub(condition: isPath("/outer")) { [clock] _ in
        try await clock.sleep(for: .seconds(1))
        await somethingElse()
        let text = try await URLSession.shared.fetch("http://a.example/inner").text
        await somethingElse()
        async let nap: Void = clock.sleep(for: .seconds(5))
        await somethingElse()
        try await nap
        return .text(text)
      }
      let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/outer").text }
      // 1 in the outer closure, 10 of the inner response, and 5 in the outer closure again.
      #expect(text == "inner")
      #expect(clock.elapsed == .seconds(16))
      // The last jobs end a moment after they have passed on what they have.
      try await until("everything has ended") { clock.virtual.state.withLock(\.isAtRest) }
    }
  }

  @Test("names its stub if it does not return")
  func endless() async {
    let reports = Log<String>()
    let clock = ManualClock.reporting(after: .milliseconds(200)) { reports.note($0) }
    let gate = Latch()
    await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: .anything, name: "endless") { _ in
        await gate.pass()
        return .text("late")
      }
      let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/") }
      // The default timeout of a request.
      #expect((failure as? URLError)?.code == .timedOut)
      #expect(clock.elapsed == .seconds(60))
      gate.open()
    }
    #expect(reports.entries.contains { $0.contains("the closure of the stub \"endless\"") })
  }

  /// Something that takes a while and that no clock knows of.
  private func somethingElse() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { continuation.resume() }
    }
  }
}
