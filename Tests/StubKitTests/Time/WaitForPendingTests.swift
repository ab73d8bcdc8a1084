import TestSupport
import Testing

@testable import StubKit

@Suite("A wait for what is to wait for a manual clock", .inTurn)
struct WaitForPendingTests {
  @Test("without end is reported once, with what waits by then")
  func endless() async throws {
    let reports = Log<String>()
    let clock = ManualClock(patience: .milliseconds(100)) { reports.note($0) }
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    try await until("the sleeper sleeps") { clock.pendingCount == 1 }
    let waiting = Task { await clock.waitForPending(2) }
    try await until("the wait is reported") { !reports.entries.isEmpty }
    #expect(reports.entries[0].contains("waitForPending(2)") && reports.entries[0].contains("1 pending (1 sleeping)"))
    let second = Task { try await clock.sleep(for: .seconds(10)) }
    await waiting.value
    #expect(reports.entries.count == 1 && clock.pendingCount == 2)
    for task in [sleeper, second] { task.cancel() }
  }
}
