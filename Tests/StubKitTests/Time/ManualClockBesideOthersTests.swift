import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock beside the tasks of others", .inTurn, .inOwnProcess, .serialized)
struct ManualClockBesideOthersTests {
  private let clock = ManualClock.patient

  /// Their turns say how long it takes, however busy the machine is otherwise.
  @Test(
    "needs few turns of theirs", .measuresScheduler,
    arguments: [(isInBody: true, most: 24), (isInBody: false, most: 80)])
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func turns(isInBody: Bool, most: Int) async {
    let busy = BusyTasks(40)
    // It finds out that tasks are always ready, which takes a second.
    await ManualClock.patient.advance(by: .zero)
    let client = { @Sendable [clock] in
      for _ in 0..<3 { try? await clock.sleep(for: .seconds(1)) }
    }
    let turnCount: Int
    if isInBody {
      turnCount = await clock.run {
        let before = busy.turnCount
        await client()
        return busy.turnCount - before
      }
    } else {
      let running = Task { await client() }
      await clock.waitForPending()
      let before = busy.turnCount
      await clock.advance(by: .seconds(3))
      turnCount = busy.turnCount - before
      await running.value
    }
    await busy.stop()
    #expect(turnCount <= most && clock.elapsed == .seconds(3))
  }

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

  @Test("sees a task that is born on the main actor", .measuresScheduler, .enabled(if: OwnProcess.isPossible))
  func bornOnMainActor() async {
    await expectMost(of: 20) { clock, log in
      try await clock.sleep(for: .seconds(1))
      await Task { @MainActor in
        await Task.detached {
          occupyThread(milliseconds: 2)
          log.note(clock.elapsed)
        }.value
      }.value
    }
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

  @Test(
    "sees a task whose thread was blocked a moment ago",
    .measuresScheduler, .enabled(if: OwnProcess.hasSeveralThreads))
  func blockedBefore() async {
    let gate = DispatchSemaphore(value: 0)
    await expectMost(of: 10) { clock, log in
      try await clock.sleep(for: .seconds(1))
      occupyThread(until: gate)
      occupyThread(milliseconds: 5)
      log.note(clock.elapsed)
    } meanwhile: {
      gate.signal()
    }
  }

  /// Expects that a client notes the first second, although the clock has somewhere to go to soon after. Beside busy
  /// processes, a round in ten can fail.
  private func expectMost(
    of rounds: Int, _ client: @escaping @Sendable (ManualClock, Log<Duration>) async throws -> Void,
    meanwhile: () -> Void = {}
  ) async {
    var misses: [[Duration]] = []
    for _ in 0..<rounds {
      let (clock, log) = (ManualClock(patience: .milliseconds(300)) { _ in }, Log<Duration>())
      let running = Task { try await client(clock, log) }
      let ticker = Task { for _ in 0..<10 { try await clock.sleep(for: .milliseconds(300)) } }
      await clock.waitForPending(2)
      await clock.advance(by: .seconds(1))
      meanwhile()
      await clock.advance(by: .seconds(1))
      if log.entries != [.seconds(1)] { misses.append(log.entries) }
      await clock.run { _ = await (running.result, ticker.result) }
    }
    #expect(misses.count <= rounds / 4, "\(misses)")
  }

  @Test("keeps the machine's width for the tasks in its body", .measuresScheduler)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func width() async {
    let (running, most) = (Protected(0), Protected(0))
    await clock.run {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          group.addTask {
            let now = running.withLock { count in
              count += 1
              return count
            }
            most.withLock { $0 = max($0, now) }
            occupyThread(milliseconds: 2)
            running.withLock { $0 -= 1 }
          }
        }
      }
    }
    // The pool adds a thread now and then, if others are blocked.
    #expect(most.withLock { $0 } <= 4 * ProcessInfo.processInfo.activeProcessorCount)
  }

  @Test("keeps the priorities of the tasks in its bodies", .measuresScheduler)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func priorities() async throws {
    let (done, isSeen) = (Protected(0), Protected(false))
    let queued = 20_000
    let work: @Sendable () -> Void = {
      if !isSeen.withLock(\.self) { occupyThread(milliseconds: 1) }
      done.withLock { $0 += 1 }
    }
    // Whoever awaits a task lends it a priority.
    let others = Protected(false)
    Task.detached(priority: .background) { [clock] in
      await clock.run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<queued { group.addTask(operation: work) }
          while !isSeen.withLock(\.self), await group.next() != nil { group.addTask(operation: work) }
        }
      }
      others.withLock { $0 = true }
    }
    try await until("the first are done") { done.withLock { $0 } > 0 }
    let (earlier, before) = await Task.detached(priority: .high) { [clock] in
      let earlier = done.withLock { $0 }
      return (earlier, await clock.run { done.withLock { $0 } })
    }.value
    isSeen.withLock { $0 = true }
    #expect(before - earlier < queued / 2)
    try await until("the others are done, too") { others.withLock(\.self) }
  }
}
