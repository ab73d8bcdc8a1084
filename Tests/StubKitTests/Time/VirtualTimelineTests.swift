import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The manual clock's timeline", .inTurn, .inOwnProcess)
struct VirtualTimelineTests {
  private let clock = ManualClock.patient
  private var timeline: VirtualTimeline { clock.virtual }
  private let queue = DispatchQueue(label: "load")

  @Test("runs what falls due by its deadline, on its queue, at its very time")
  func order() async {
    let start = timeline.now
    let log = Log<Int>()
    for number in [4, 2, 5, 1, 3] {
      _ = timeline.schedule(at: start + .seconds(number), on: queue) { [timeline, queue] in
        dispatchPrecondition(condition: .onQueue(queue))
        #expect(timeline.now - start == .seconds(number))
        log.note(number)
      }
    }
    #expect(clock.pendingCount == 5)
    await clock.advance(by: .milliseconds(2_999))
    #expect(log.entries == [1, 2] && clock.elapsed == .milliseconds(2_999))
    await clock.advance(by: .milliseconds(1))
    #expect(log.entries == [1, 2, 3] && clock.pendingCount == 2)
    await clock.advanceToEnd()
    #expect(log.entries == [1, 2, 3, 4, 5] && clock.pendingCount == 0)
    #expect(clock.elapsed == .seconds(5))
    await clock.advanceToEnd()
    #expect(clock.elapsed == .seconds(5))
  }

  @Test("starts what falls due at one moment in the order in which it was scheduled")
  func sameMoment() async {
    let log = Log<Int>()
    for number in 0..<100 {
      _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { log.note(number) }
    }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == Array(0..<100))
  }

  @Test("runs at once what is due already")
  func dueAtOnce() async throws {
    await clock.advance(by: .seconds(1))
    try await untilResumed { continuation in
      _ = timeline.schedule(at: timeline.now, on: queue) { continuation.resume() }
    }
    #expect(clock.pendingCount == 0 && clock.elapsed == .seconds(1))
  }

  @Test("leaves out what is called off, and lets go of it")
  func cancel() async {
    final class Held: Sendable {}
    weak var held: Held?
    let log = Log<String>()
    let timer: any DeliveryTimer
    do {
      let thing = Held()
      held = thing
      timer = timeline.schedule(at: timeline.now + .seconds(1), on: queue) {
        log.note("called off")
        withExtendedLifetime(thing) {}
      }
    }
    #expect(held != nil)
    timer.cancel()
    timer.cancel()
    #expect(held == nil && clock.pendingCount == 0)
    await clock.advance(by: .seconds(2))
    #expect(log.entries.isEmpty)
  }

  @Test("loses nothing to fractions of a nanosecond")
  func fractions() async {
    await clock.advance(by: .seconds(1) / 3)
    #expect(clock.elapsed == .seconds(1) / 3)
    let log = Log<Int>()
    _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { log.note(1) }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == [1])
  }

  @Test("does not move before all that has begun has ended")
  func begun() async {
    let log = Log<String>()
    _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { log.note("due") }
    let (first, second) = (timeline.begin(), timeline.begin())
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { [timeline] in
      log.note("ended")
      timeline.end(first)
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) {
        log.note("ended too")
        timeline.end(second)
      }
    }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == ["ended", "ended too", "due"])
  }

  @Test("returns when what fell due, and what that has begun, has ended")
  func ended() async {
    let log = Log<String>()
    _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { [timeline] in
      let work = timeline.begin()
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.03) {
        log.note("delegate")
        timeline.end(work)
      }
    }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == ["delegate"])
  }

  @Test("counts the work that a load hands to its queue")
  func performed() async {
    let log = Log<String>()
    queue.suspend()
    TimelineQueue(queue: queue, timeline: timeline).perform { log.note("performed") }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { [queue] in queue.resume() }
    await clock.advance(by: .zero)
    #expect(log.entries == ["performed"])
  }

  @Test("counts Swift code on its executor while it runs, not while it is suspended")
  func executor() async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let log = Log<String>()
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let executor = try #require(timeline.executor as? any TaskExecutor)
    let task = Task(executorPreference: executor) {
      // A closure may well block its thread.
      occupyThread(milliseconds: 30)
      log.note("ran")
      for await _ in gate {}
      occupyThread(milliseconds: 30)
      log.note("went on")
    }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == ["ran"])
    opener.finish()
    await clock.advance(by: .seconds(1))
    #expect(log.entries == ["ran", "went on"])
    await task.value
  }

  @Test("copes with ten thousand entries at one moment, and with thousands at a moment each")
  func many() async {
    let count = Protected(0)
    for _ in 0..<10_000 {
      _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { count.withLock { $0 += 1 } }
    }
    await clock.advance(by: .seconds(1))
    #expect(count.withLock { $0 } == 10_000)
    let log = Log<Int>()
    let moments = TestSize.of(4_000, inPart: 1_000)
    for number in 0..<moments {
      let shuffled = (number * 7_919) % moments
      _ = timeline.schedule(at: timeline.now + .milliseconds(shuffled + 1), on: queue) { log.note(shuffled) }
    }
    await clock.advanceToEnd()
    #expect(log.entries == Array(0..<moments) && clock.elapsed == .milliseconds(1_000 + moments))
  }
}
