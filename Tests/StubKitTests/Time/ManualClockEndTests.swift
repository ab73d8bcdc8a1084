import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock that advances to its end", .inTurn)
struct ManualClockEndTests {
  private let reports = Log<String>()
  private let clock: ManualClock
  private var timeline: VirtualTimeline { clock.virtual }
  private let queue = DispatchQueue(label: "load")

  init() {
    clock = ManualClock(patience: .seconds(60), endlessTime: .zero) { [reports] in reports.note($0) }
  }

  private var hasStopped: Bool {
    #expect(reports.entries.allSatisfy { $0.contains("each deadline sets another one") })
    return reports.entries.count == 1
  }

  /// The steps of a sequence, a second apart.
  private func run(_ stepCount: Int, then end: @escaping @Sendable () -> Void) {
    @Sendable func step(_ number: Int, in sequence: StepSequence?) {
      guard number < stepCount else { return end() }
      _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue, in: sequence) { step(number + 1, in: sequence) }
    }
    step(0, in: timeline.makeStepSequence())
  }

  /// Something that begins anew every second, for ever.
  private func tick(_ each: @escaping @Sendable (_ number: Int) -> Void = { _ in }) {
    @Sendable func tick(_ number: Int) {
      each(number)
      _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { tick(number + 1) }
    }
    tick(0)
  }

  @Test("goes through all of a response, however many pieces it has and however long that takes")
  func slowResponse() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(
        condition: .anything, response: .data(Data(count: 2_000)).delay(.seconds(3)).chunked(by: 1, every: .seconds(60))
      )
      let events = DelegateEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      session.dataTask(with: url("http://a.example/")).resume()
      await clock.waitForPending()
      await clock.advanceToEnd()
      #expect(clock.elapsed == .seconds(3 + 1_999 * 60) && events.told.count == 2_002 && events.told.last == "complete")
      #expect(clock.pendingCount == 0 && !hasStopped)
      session.finishTasksAndInvalidate()
    }
  }

  @Test("goes through the deadlines of code that goes on for a while, however long that takes")
  func slowCode() async {
    @Sendable func step(_ number: Int) {
      guard number < 200 else { return }
      _ = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { step(number + 1) }
    }
    step(0)
    await clock.advanceToEnd()
    #expect(clock.elapsed == .seconds(200) && !hasStopped)
  }

  @Test("goes through what has begun before, whatever repeats itself beside it, and stops then")
  func courseBesideTicks() async {
    let end = Protected(Duration.zero)
    run(1_200) { [clock] in end.withLock { $0 = clock.elapsed } }
    tick()
    await clock.advanceToEnd()
    #expect(end.withLock { $0 } == .seconds(1_200) && clock.elapsed >= .seconds(2_200) && hasStopped)
  }

  @Test("goes through what begins on the way and is still going on when patience is over, and stops then")
  func courseOnTheWay() async {
    let end = Protected(Duration.zero)
    tick { number in
      if number == 10 { run(1_500) { [clock] in end.withLock { $0 = clock.elapsed } } }
    }
    await clock.advanceToEnd()
    #expect(end.withLock { $0 } == .seconds(1_510) && hasStopped)
  }

  @Test("stops at step sequences that begin without end")
  func endlessCourses() async {
    let count = Protected(0)
    @Sendable func again() {
      count.withLock { $0 += 1 }
      run(3, then: again)
    }
    again()
    await clock.advanceToEnd()
    #expect(hasStopped && count.withLock { $0 } >= 1_000 && clock.pendingCount == 1)
  }

  @Test("stops at a stream that has no end")
  func endlessStream() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(
        condition: .anything,
        response: .stream { AsyncStream { Data("x".utf8) } }.chunked(by: 1, every: .seconds(1)))
      let task = URLSession.shared.dataTask(with: url("http://a.example/"))
      task.resume()
      await clock.waitForPending()
      await clock.advanceToEnd()
      #expect(hasStopped && clock.elapsed >= .seconds(1_000))
      task.cancel()
    }
  }
}
