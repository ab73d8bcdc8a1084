import Dispatch
import Testing

@testable import StubKit

@Suite("A manual clock's patience")
struct ManualClockPatienceTests {
  private let reports = Log<String>()
  private let clock: ManualClock

  init() {
    clock = ManualClock(patience: .milliseconds(100)) { [reports] in reports.note($0) }
  }

  @Test("ends for work that does not: it is said once, and time goes on")
  func stuck() async {
    let queue = DispatchQueue(label: "load")
    let blocked = DispatchSemaphore(value: 0)
    let log = Log<Int>()
    let start = ContinuousClock.now
    _ = clock.virtual.schedule(at: clock.virtual.now + .seconds(1), on: DispatchQueue(label: "blocked")) {
      blocked.wait()
    }
    for number in 2...20 {
      _ = clock.virtual.schedule(at: clock.virtual.now + .seconds(number), on: queue) { log.note(number) }
    }
    await clock.advance(by: .seconds(30))
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(log.entries == Array(2...20) && clock.elapsed == .seconds(30))
    #expect(reports.entries.count == 1)
    #expect(reports.entries.first?.contains("work that had begun had not ended (1 in all)") == true)
    blocked.signal()
  }

  @Test("begins anew when what was given up has ended after all")
  func again() async {
    clock.virtual.begin()
    await clock.advance(by: .seconds(1))
    #expect(reports.entries.count == 1)
    clock.virtual.end()
    clock.virtual.begin()
    await clock.advance(by: .seconds(1))
    #expect(reports.entries.count == 2 && clock.elapsed == .seconds(2))
    clock.virtual.end()
    await clock.advance(by: .seconds(1))
    #expect(reports.entries.count == 2)
  }

  @Test("ends for code that does not come to rest")
  func restless() async {
    let restless = Task { [clock] in
      while !Task.isCancelled {
        clock.virtual.begin()
        clock.virtual.end()
        await Task.yield()
      }
    }
    await clock.advance(by: .seconds(1))
    restless.cancel()
    await restless.value
    #expect(clock.elapsed == .seconds(1))
    #expect(reports.entries.allSatisfy { $0.contains("had not come to rest") } && !reports.entries.isEmpty)
  }

  @Test("ends for an end that is none")
  func endless() async {
    let ticker = Task { [clock] in
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    await clock.waitForPending()
    await clock.advanceToEnd()
    ticker.cancel()
    _ = await ticker.result
    #expect(clock.elapsed >= .seconds(2))
    #expect(reports.entries.count == 1 && reports.entries[0].contains("each deadline brings about another"))
  }

  @Test("ends for a main actor that is blocked")
  func mainActor() async {
    let blocked = DispatchSemaphore(value: 0)
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let blocking = Task { @MainActor in
      continuation.finish()
      _ = blocked.wait(timeout: .now() + 30)
    }
    for await _ in started {}
    await clock.advance(by: .seconds(1))
    await clock.advance(by: .seconds(1))
    #expect(clock.elapsed == .seconds(2) && reports.entries.isEmpty)
    blocked.signal()
    await blocking.value
  }
}
