import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock", .inTurn)
struct ManualClockTests {
  private let clock = ManualClock.patient

  @Test("begins at zero, and moves as far as it is told")
  func moves() async {
    #expect(clock.elapsed == .zero && clock.now == ManualClock.Instant() && clock.pendingCount == 0)
    await clock.advance(by: .zero)
    #expect(clock.elapsed == .zero)
    await clock.advance(by: .milliseconds(1_500))
    #expect(clock.now.offset == .milliseconds(1_500) && clock.elapsed == .milliseconds(1_500))
    await clock.advance(to: ManualClock.Instant(offset: .seconds(3)))
    #expect(clock.elapsed == .seconds(3))
    await clock.advance(to: ManualClock.Instant(offset: .seconds(2)))
    #expect(clock.elapsed == .seconds(3))
    await clock.advanceToEnd()
    #expect(clock.elapsed == .seconds(3))
    // It loses nothing to fractions of a nanosecond.
    await clock.advance(by: .seconds(1) / 3)
    #expect(clock.elapsed == .seconds(3) + .seconds(1) / 3)
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test("stays where it is when it shall go back")
  func back() async {
    let said = Locked<[String]>([])
    let clock = ManualClock(patience: .seconds(5)) { sentence in said.withLock { $0.append(sentence) } }
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
    // Nobody sleeps whose moment has passed.
    try await clock.sleep(until: clock.now)
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.pendingCount == 0)
  }

  @Test("wakes sleepers in the order of their moments")
  func order() async {
    let log = Log<Int>()
    let numbers = (0..<100).map { ($0 * 37) % 100 }
    await withTaskGroup(of: Void.self) { group in
      for number in numbers {
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

  @Test("lets a sleeper go at once when it is cancelled")
  func cancel() async {
    let sleepers = (0..<100).map { number in
      Task { [clock] in try await clock.sleep(for: .seconds(number + 1)) }
    }
    await clock.waitForPending(100)
    for sleeper in sleepers { sleeper.cancel() }
    for sleeper in sleepers {
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(clock.pendingCount == 0 && clock.elapsed == .zero)
    let before = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(-1))
    }
    await #expect(throws: CancellationError.self) { try await before.value }
  }

  @Test("either wakes or cancels a sleeper met by both")
  func cancelRace() async {
    for _ in 0..<200 {
      let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
      await clock.waitForPending()
      async let moved: Void = clock.advance(by: .seconds(1))
      sleeper.cancel()
      switch await sleeper.result {
      case .success: break
      case .failure(let error): #expect(error is CancellationError)
      }
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
    #expect(clock.elapsed == .seconds(30) && log.entries == (1...30).map { .seconds($0) })
    ticker.cancel()
    _ = await ticker.result
  }

  @Test("stops when the advance is cancelled")
  func cancelledAdvance() async {
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
    let inVain = Task { [clock] in await clock.waitForPending(1_000) }
    inVain.cancel()
    await inVain.value
    #expect(clock.pendingCount == 0)
  }
}
