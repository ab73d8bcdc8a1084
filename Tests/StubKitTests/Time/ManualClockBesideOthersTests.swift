import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock beside the tasks of others", .inTurn, .inOwnProcess, .serialized)
struct ManualClockBesideOthersTests {
  private let clock = ManualClock.patient

  @Test("meets each moment of a plain task that sleeps, however long the task waits for its turn")
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

  @Test("sees a task that its body makes, however long the task waits for its turn")
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

  @Test(
    "goes on beside tasks that block all threads but one until later tasks have run, or another clock has moved",
    .measuresScheduler, .enabled(if: OwnProcess.isPossible))
  func blockedUntilLater() async {
    Thread.detachNewThread {
      occupyThread(milliseconds: 100_000)
      exit(1)
    }
    let isOver = Protected(false)
    let blocking = (1..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Task.detached {
        var count = 0
        while !isOver.withLock({ $0 }) {
          count += 1
          let later = DispatchSemaphore(value: 0)
          Task.detached { [count] in
            if count % 10 == 0 { await ManualClock(patience: .milliseconds(50)) { _ in }.advance(by: .seconds(1)) }
            later.signal()
          }
          occupyThread(until: later)
          await Task.yield()
        }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let clock = ManualClock(patience: .seconds(5)) { _ in }
          let client = Task { for _ in 0..<5 { try await clock.sleep(for: .seconds(1)) } }
          await clock.waitForPending()
          await clock.advance(by: .seconds(5))
          #expect(clock.elapsed == .seconds(5))
          client.cancel()
        }
      }
    }
    isOver.withLock { $0 = true }
    for task in blocking { await task.value }
  }
}
