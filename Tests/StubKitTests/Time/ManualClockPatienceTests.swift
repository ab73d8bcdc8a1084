import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock's patience", .inTurn, .inOwnProcess)
struct ManualClockPatienceTests {
  private let reports = Log<String>()
  private let clock: ManualClock

  init() { clock = Self.clock(.milliseconds(100), reports) }

  private static func clock(_ patience: Duration, _ reports: Log<String>) -> ManualClock {
    .reporting(after: patience) { reports.note($0) }
  }

  @Test("ends once for work that does not end, with a report")
  func stuck() async {
    // Healthy work, too, must end in time.
    let clock = Self.clock(.seconds(2), reports)
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
    // It did wait for the blocked work.
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    #expect(log.entries == Array(2...20))
    #expect(clock.elapsed == .seconds(30))
    #expect(reports.entries.count == 1)
    #expect(reports.entries.first?.contains("work had not ended (1 in all)") == true)
    blocked.signal()
  }

  @Test("ends for a main actor that is blocked")
  func mainActor() async throws {
    let blocked = DispatchSemaphore(value: 0)
    let isBlocked = Latch()
    let clock = ManualClock(patience: .milliseconds(100)) { [reports] in reports.note($0) }
    let blocking = Task { @MainActor in
      isBlocked.open()
      _ = blocked.wait(timeout: .now() + 30)
    }
    try await until("the main actor is blocked") { isBlocked.isOpen }
    await clock.advance(by: .seconds(1))
    await clock.advance(by: .seconds(1))
    #expect(clock.elapsed == .seconds(2))
    #expect(reports.entries.count { $0.contains("although the main actor had not come to rest") } == 1)
    blocked.signal()
    await blocking.value
  }

  @Test("ends for code in run { } that waits for something else than the clock")
  func idleBody() async throws {
    // Healthy work, too, must end in time.
    let clock = Self.clock(.seconds(2), reports)
    let gate = Latch()
    let body = Task { [clock] in
      await clock.run {
        await gate.pass()
        try? await clock.sleep(for: .seconds(2))
      }
    }
    try await until("the idle body is reported") { !reports.entries.isEmpty }
    gate.open()
    await body.value
    #expect(clock.elapsed == .seconds(2))
    #expect(reports.entries.count == 1)
    #expect(reports.entries[0].contains("nothing has waited on the clock"))
  }

  @Test("doesn't end for code in run { } that is cancelled")
  func cancelledBody() async {
    let patient = Self.clock(.seconds(60), reports)
    let body = Task { await patient.run { try? await Task.sleep(for: .seconds(600)) } }
    body.cancel()
    await body.value
    #expect(reports.entries.isEmpty)
  }

  @Test("ends for a clock on which something waits, and that nothing moves", arguments: [Duration.zero, .seconds(2)])
  func nothingMoves(moved: Duration) async throws {
    let clock = Self.standing(.milliseconds(100), reports)
    await clock.advance(by: moved)
    let slow = try await withStubs(in: StubRegistry(clock: clock)) {
      let slow = stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)))
      async let answer = URLSession.patient.data(from: url("http://a.example/slow"))
      try await until("the clock is reported") { !reports.entries.isEmpty }
      await clock.advance(by: .seconds(1))
      await clock.advance(by: .seconds(1))
      #expect(String(decoding: try await answer.0, as: UTF8.self) == "late")
      return slow
    }
    #expect(reports.entries.count == 1)
    let report = try #require(reports.entries.first)
    #expect(report.hasPrefix("A ManualClock stands at \(moved), and nothing moves it: 1 pending"))
    #expect(report.contains("in progress, by the stub at \(slow.location)"))
    #expect(report.contains("What passed before a request was made doesn't count for it.") == (moved > .zero))
  }

  @Test("does not end for a clock that nothing moves while work is under way, or once nothing waits on it")
  func workUnderWay() async throws {
    let (working, deserted) = (Self.standing(.milliseconds(20), reports), Self.standing(.milliseconds(500), reports))
    let work = working.virtual.begin()
    let sleepers = [working, deserted].map { clock in Task { try await clock.sleep(for: .seconds(1)) } }
    try await until("both sleep") { working.pendingCount == 1 && deserted.pendingCount == 1 }
    sleepers[1].cancel()

    // Its looks come after those of the others.
    let last = Log<String>()
    let clock = Self.standing(.seconds(1), last)
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await until("the last clock is reported") { !last.entries.isEmpty }
    #expect(reports.entries.isEmpty)
    working.virtual.end(work)
    for task in sleepers + [sleeper] { task.cancel() }
  }

  /// A clock that says so if something waits on it, and nothing has moved it for that long.
  private static func standing(_ limit: Duration, _ reports: Log<String>) -> ManualClock {
    ManualClock(patience: .seconds(60), standstill: limit) { reports.note($0) }
  }

  @Test("ends once for waitForPending() if too few come")
  func neverPending() async throws {
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(10)) }
    try await until("the sleeper sleeps") { clock.pendingCount == 1 }
    let waiting = Task { [clock] in await clock.waitForPending(2) }
    try await until("the wait is reported") { !reports.entries.isEmpty }
    #expect(reports.entries[0].contains("waitForPending(2)") && reports.entries[0].contains("1 pending (1 sleeping)"))
    let second = Task { [clock] in try await clock.sleep(for: .seconds(10)) }
    await waiting.value
    #expect(reports.entries.count == 1 && clock.pendingCount == 2)
    for task in [sleeper, second] { task.cancel() }
  }

  @Test("ends with the requests of each registry that has the clock", arguments: [false, true])
  func severalRegistries(isLater: Bool) async throws {
    let other = StubRegistry()
    try await withStubs(in: StubRegistry(clock: clock)) {
      if !isLater { other.clock = clock }
      stub(condition: .anything, response: .status(204).delay(.seconds(1)))
      let loading = Task { try? await URLSession(configuration: .ephemeral).data(from: url("http://a.example/user")) }
      await clock.waitForPending()
      if isLater { other.clock = clock }
      let waiting = Task { [clock] in await clock.waitForPending(5) }
      try await until("the wait is reported") { !reports.entries.isEmpty }
      waiting.cancel()
      await waiting.value
      loading.cancel()
      _ = await loading.value
    }
    #expect(reports.entries[0].contains("1 request was made to http://a.example:\n  GET /user"), "\(reports.entries)")
    #expect(!reports.entries[0].contains("No requests were made"))
  }

  @Test("ends for waitForPending() with a list of the requests that were made")
  func arrivals() async throws {
    try await withStubs(in: StubRegistry(clock: clock)) {
      stub(condition: isPath("/users"), response: .status(204).delay(.seconds(1)))
      await #expect(throws: UnmatchedRequestError.self) {
        try await URLSession(configuration: .ephemeral).data(from: url("http://a.example/user"))
      }
      let waiting = Task { [clock] in await clock.waitForPending() }
      try await until("the wait is reported") { !reports.entries.isEmpty }
      waiting.cancel()
      await waiting.value
    }
    #expect(
      reports.entries[0].split(separator: "\n").dropFirst() == [
        "1 request was made to http://a.example:", "  GET /user: unmatched", "     ✗ path: expected /users, got /user",
      ])
  }
}
