import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock", .inTurn)
struct ManualClockTests {
  private let clock = ManualClock.patient

  @Test("begins at zero, with nothing pending")
  func start() {
    #expect(clock.elapsed == .zero)
    #expect(clock.now == ManualClock.Instant())
    #expect(clock.pendingCount == 0)
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test("moves as far as it is told, without a loss of fractions of a nanosecond")
  func moves() async {
    await clock.advance(by: .milliseconds(1_500))
    #expect(clock.elapsed == .milliseconds(1_500))
    #expect(clock.now.offset == .milliseconds(1_500))
    await clock.advance(to: ManualClock.Instant(offset: .seconds(3)))
    #expect(clock.elapsed == .seconds(3))
    let third = Duration.seconds(1) / 3
    await clock.advance(by: third)
    #expect(clock.elapsed == .seconds(3) + third)
  }

  @Test("doesn't move by zero, to an instant that is over, or to the end of nothing")
  func stays() async {
    await clock.advance(by: .seconds(3))
    await clock.advance(by: .zero)
    await clock.advance(to: ManualClock.Instant(offset: .seconds(2)))
    await clock.advanceToEnd()
    #expect(clock.elapsed == .seconds(3))
  }

  @Test("stays where it is, and reports it, when it is told to go back")
  func back() async {
    let said = Locked<[String]>([])
    let clock = ManualClock(patience: .seconds(5)) { sentence in said.withLock { $0.append(sentence) } }
    // The second is almost the least that a Duration can be.
    for seconds in [-1, -1.7e20] { await Task.detached { await clock.advance(by: .seconds(seconds)) }.value }
    #expect(clock.now.offset == .zero)
    #expect(said.withLock { $0 }.map { $0.contains("would move a ManualClock back") } == [true, true])
  }

  @Test("wakes a sleeper at its moment, not before")
  func sleeps() async throws {
    let sleeper = Task { [clock] in
      try await clock.sleep(for: .seconds(10))
      return clock.elapsed
    }
    await clock.waitForPending()
    #expect(clock.pendingCount == 1)
    await clock.advance(by: .milliseconds(9_999))
    #expect(clock.pendingCount == 1)
    await clock.advance(by: .seconds(60))
    #expect(clock.pendingCount == 0)
    #expect(try await sleeper.value == .seconds(10))
  }

  @Test("lets nobody sleep whose moment has come")
  func pastMoments() async throws {
    await clock.advance(by: .seconds(10))
    try await clock.sleep(until: clock.now)
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.pendingCount == 0)
  }

  @Test("wakes sleepers in the order of their moments")
  func order() async {
    let log = Log<Int>()
    await withTaskGroup(of: Void.self) { group in
      // Each number once, in no order.
      for number in (0..<100).map({ ($0 * 37) % 100 }) {
        group.addTask {
          try? await clock.sleep(for: .seconds(number + 1))
          log.note(number)
        }
      }
      await clock.waitForPending(100)
      await clock.advance(by: .seconds(100))
      #expect(log.entries == Array(0..<100))
    }
  }

  @Test("lets each of a hundred sleepers go at once when it is cancelled")
  func cancel() async {
    let sleepers = (1...100).map { number in Task { [clock] in try await clock.sleep(for: .seconds(number)) } }
    await clock.waitForPending(100)
    for sleeper in sleepers { sleeper.cancel() }
    for sleeper in sleepers { await #expect(throws: CancellationError.self) { try await sleeper.value } }
    #expect(clock.pendingCount == 0)
    #expect(clock.elapsed == .zero)
  }

  @Test("refuses a sleeper that was cancelled before, even if its moment has passed")
  func cancelledBefore() async {
    let sleeper = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(-1))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("either wakes or cancels a sleeper met by both")
  func cancelRace() async {
    for _ in 0..<200 {
      let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
      await clock.waitForPending()
      async let moved: Void = clock.advance(by: .seconds(1))
      sleeper.cancel()
      if case .failure(let error) = await sleeper.result { #expect(error is CancellationError) }
      await moved
      #expect(clock.pendingCount == 0)
    }
    #expect(clock.elapsed == .seconds(200))
  }

  @Test("takes one advance after the other")
  func turns() async {
    let log = Log<Duration>()
    let ticker = Task { [clock] in
      while true {
        try await clock.sleep(for: .seconds(1))
        log.note(clock.elapsed)
      }
    }
    await clock.waitForPending()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await clock.advance(by: .seconds(3)) } }
    }
    #expect(clock.elapsed == .seconds(30))
    #expect(log.entries == (1...30).map { .seconds($0) })
    ticker.cancel()
    _ = await ticker.result
  }

  @Test("stops when the advance is cancelled")
  func cancelledAdvance() async {
    // While work is under way, the clock doesn't move.
    let work = clock.virtual.begin()
    let moving = Task { [clock] in await clock.advance(by: .seconds(10)) }
    let waiting = Task { [clock] in await clock.advance(by: .seconds(10)) }
    waiting.cancel()
    await waiting.value
    moving.cancel()
    await moving.value
    #expect(clock.elapsed == .zero)
    clock.virtual.end(work)
    await clock.advance(by: .seconds(1))
    #expect(clock.elapsed == .seconds(1))
  }

  @Test("waits for as many sleepers as it is told, whether they have come already or not")
  func waitForPending() async {
    let sleepers = Task { [clock] in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            await Task.yield()
            try? await clock.sleep(for: .seconds(1))
          }
        }
      }
    }
    await clock.waitForPending(3)
    #expect(clock.pendingCount == 3)
    await clock.waitForPending()
    await clock.waitForPending(0)
    await clock.advance(by: .seconds(1))
    await sleepers.value
    // A wait that is cancelled ends.
    let inVain = Task { [clock] in await clock.waitForPending(1_000) }
    inVain.cancel()
    await inVain.value
    #expect(clock.pendingCount == 0)
  }
}
