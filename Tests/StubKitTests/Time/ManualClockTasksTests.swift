import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Clients whose tasks a clock doesn't start itself, beside another task that sleeps: without it, the clock would have
/// nowhere to go to in the meantime.
@Suite("A manual clock and the tasks of a client", .inTurn, .inOwnProcess, .serialized)
struct ManualClockTasksTests {
  enum Way: CaseIterable { case advance, run, runTask }

  /// Each client with one of the ways. A plain run takes every third client.
  private static let cases = ClockClient.all.enumerated().map { ($1, Way.allCases[$0 / 3 % 3]) }
    .enumerated().filter { $0.offset.isMultiple(of: TestSize.of(1, inPart: 3)) }.map(\.element)

  @Test("meet at each moment at which the client has something to do", arguments: cases)
  func meetsMoments(_ client: ClockClient, _ way: Way) async throws {
    // Beside busy processes, at most one round in fifty is missed. What the clock doesn't see is missed again.
    var missed: [[Duration]] = []
    while missed.count < 2 {
      let moments = await moments(of: client, way)
      if moments == client.moments { return }
      missed.append(moments)
    }
    Issue.record("\(client), with \(way), missed its moments \(client.moments) twice: \(missed)")
  }

  private func moments(of client: ClockClient, _ way: Way) async -> [Duration] {
    let clock = ManualClock.patient
    let (registry, log) = (StubRegistry(), Log<Duration>())
    registry.clock = clock
    stub(condition: isPath("/down"), response: .failure(.timedOut).delay(.milliseconds(500)), in: registry)
    stub(condition: isPath("/closure"), in: registry) { _ in
      try? await clock.sleep(for: .milliseconds(500))
      return .text("there").delay(.milliseconds(500))
    }
    let session = registry.makeSession()
    let running = { @Sendable () async -> Void in
      try? await client.run(clock, session) { log.note(clock.elapsed) }
    }
    let ticking = { @Sendable () async -> Void in
      for _ in 0..<28 { try? await clock.sleep(for: .milliseconds(250)) }
    }
    switch way {
    case .advance:
      let (running, ticker) = (Task { await running() }, Task { await ticking() })
      await clock.advance(by: .seconds(7))
      let moments = log.entries
      // One that was too late sleeps on.
      await clock.run { _ = await (running.value, ticker.value) }
      return moments
    case .run:
      await clock.run {
        async let ticker: Void = ticking()
        await running()
        await ticker
      }
    case .runTask:
      await clock.run {
        let (ticker, running) = (Task { await ticking() }, Task { await running() })
        _ = await (running.value, ticker.value)
      }
    }
    return log.entries
  }

  @Test("tasks that are always ready get a second", .keepsThreadsBusy)
  func alwaysReady() async {
    let reports = Log<String>()
    let clock = ManualClock(patience: .seconds(60)) { reports.note($0) }
    let busy = (0..<20).map { _ in
      Task.detached {
        while !Task.isCancelled {
          ClockClient.compute(milliseconds: 1)
          await Task.yield()
        }
      }
    }
    let start = ContinuousClock.now
    await clock.advance(by: .seconds(1))
    let patience = start.duration(to: .now)
    await clock.advance(by: .seconds(1))
    for task in busy { task.cancel() }
    for task in busy { await task.value }
    #expect(clock.elapsed == .seconds(2))
    // Where other tests run, too, one may have found such tasks before, which the process remembers until they rest.
    let isFirst = OwnProcess.isHere || !reports.entries.isEmpty
    #expect(!isFirst || patience >= .milliseconds(950), "\(patience)")
    #expect(
      reports.entries.count == (isFirst ? 1 : 0) && reports.entries.allSatisfy { $0.contains("always ready") },
      "\(reports.entries)")
  }

  /// The one report shows that the clock knows who is stuck: otherwise, each step reports it again.
  @Test(
    "a blocked thread is waited for once", .keepsThreadsBusy,
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func blockedThread() async throws {
    let reports = Log<String>()
    let clock = ManualClock(patience: .milliseconds(300)) { reports.note($0) }
    let (isBlocked, end) = (Latch(), Latch())
    let blocking = Task.detached {
      isBlocked.open()
      end.blockUntilOpened(within: 60)
    }
    try await until("a thread is blocked") { isBlocked.isOpen }
    // A client on the other threads.
    let log = Log<Duration>()
    let client = Task {
      for _ in 0..<5 {
        try await clock.sleep(for: .seconds(1))
        for _ in 0..<100 { await Task.yield() }
        log.note(clock.elapsed)
      }
    }
    await clock.waitForPending()
    await clock.advance(by: .seconds(1))
    for _ in 0..<4 { await clock.advance(by: .seconds(1)) }
    end.open()
    await blocking.value
    _ = await clock.run { await client.result }
    #expect(log.entries == (1...5).map { .seconds($0) })
    #expect(reports.entries.count { $0.contains("threads of Swift tasks had not come to rest") } == 1)
  }

  /// The clock keeps all threads but one. It must let them go for code that waits for another task in its turn.
  @Test(
    "code that blocks its thread until another task has run is waited for", .keepsThreadsBusy,
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func blockedUntilAnotherRuns() async {
    let clock = ManualClock.patient
    let log = Log<Duration>()
    let client = Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        let hasRun = Latch()
        Task { hasRun.open() }
        hasRun.blockUntilOpened(within: 60)
        log.note(clock.elapsed)
      }
    }
    let ticker = Task { for _ in 0..<14 { try await clock.sleep(for: .milliseconds(250)) } }
    await clock.waitForPending(2)
    await clock.advance(by: .seconds(3.5))
    _ = await clock.run { (await client.result, await ticker.result) }
    #expect(log.entries == (1...3).map { .seconds($0) })
  }

  @Test("a task that only looks at the time does not stop it")
  func polling() async {
    let clock = ManualClock.patient
    // A child of the test, which is cancelled when the test ends.
    @Sendable func look() async {
      while !Task.isCancelled {
        _ = clock.elapsed
        await Task.yield()
      }
    }
    async let _ = look()
    let sleeping = Task { for _ in 0..<20 { try await clock.sleep(for: .seconds(1)) } }
    await clock.advance(by: .seconds(20))
    // A sleeper that was late has an end, too.
    await clock.run { _ = await sleeping.result }
    #expect(clock.elapsed == .seconds(20))
  }
}
