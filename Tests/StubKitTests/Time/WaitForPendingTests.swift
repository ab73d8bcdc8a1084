import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A wait for what is pending", .inTurn)
struct WaitForPendingTests {
  @Test("without end is reported once")
  func endless() async throws {
    let reports = Log<String>()
    let clock = ManualClock.reporting(after: .milliseconds(100)) { reports.note($0) }
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

  @Test("lists the requests that arrived")
  func arrivals() async throws {
    let reports = Log<String>()
    let clock = ManualClock.reporting(after: .milliseconds(100)) { reports.note($0) }
    try await withStubs {
      StubRegistry.current.clock = clock
      stub(condition: isPath("/users"), response: .empty().delay(.seconds(1)))
      await #expect(throws: UnmatchedRequestError.self) {
        try await URLSession(configuration: .ephemeral).data(from: url("http://a.example/user"))
      }
      let waiting = Task { await clock.waitForPending() }
      try await until("the wait is reported") { !reports.entries.isEmpty }
      waiting.cancel()
      await waiting.value
    }
    #expect(
      reports.entries[0].split(separator: "\n").dropFirst() == [
        "1 request did arrive:", "  GET http://a.example/user: unmatched", "     ✗ path: expected /users, got /user",
      ])
  }
}
