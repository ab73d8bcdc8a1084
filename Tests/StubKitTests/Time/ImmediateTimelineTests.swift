import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("The immediate timeline", .inTurn)
struct ImmediateTimelineTests {
  private let timeline = ImmediateTimeline()

  @Test("runs what is scheduled together by deadline, on whatever queues, and time jumps along")
  func order() async {
    let start = timeline.now
    let (ran, continuation) = AsyncStream.makeStream(of: (Int, Duration).self)
    let queues = (0..<3).map { DispatchQueue(label: "queue \($0)") }
    let numbers = [5, 3, 9, 1, 4, 8, 2, 7, 6]
    // What is scheduled from within is pending at the same moment.
    _ = timeline.schedule(at: start, on: queues[0]) { [timeline] in
      for number in numbers {
        _ = timeline.schedule(at: start + .seconds(number), on: queues[number % 3]) {
          dispatchPrecondition(condition: .onQueue(queues[number % 3]))
          continuation.yield((number, timeline.now))
          if number == 9 { continuation.finish() }
        }
      }
    }
    var order: [Int] = []
    for await (number, now) in ran {
      order.append(number)
      #expect(now - start == .seconds(number))
    }
    #expect(order == numbers.sorted())
  }

  @Test("runs first what is earlier, although it was scheduled by what ran last")
  func chains() async throws {
    let start = timeline.now
    let log = Log<String>()
    let (a, b) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
    try await untilResumed { continuation in
      _ = timeline.schedule(at: start, on: a) { [timeline] in
        _ = timeline.schedule(at: start + .seconds(10), on: b) {
          log.note("10")
          continuation.resume()
        }
        _ = timeline.schedule(at: start + .seconds(1), on: a) {
          log.note("1")
          _ = timeline.schedule(at: start + .seconds(2), on: a) {
            log.note("2")
            _ = timeline.schedule(at: start + .seconds(3), on: b) { log.note("3") }
          }
        }
      }
    }
    #expect(log.entries == ["1", "2", "3", "10"])
  }

  @Test("does not go back for what is scheduled in the past")
  func past() async throws {
    let start = timeline.now
    try await untilResumed { continuation in
      _ = timeline.schedule(at: start + .seconds(60), on: DispatchQueue(label: "a")) { continuation.resume() }
    }
    let now = try await untilResumed { continuation in
      _ = timeline.schedule(at: start + .seconds(1), on: DispatchQueue(label: "b")) { [timeline] in
        continuation.resume(returning: timeline.now)
      }
    }
    #expect(now - start == .seconds(60))
  }

  @Test("leaves out what is called off, also on the way to a queue that never gets there")
  func cancel() async throws {
    let log = Log<Int>()
    let dead = DispatchQueue(label: "dead")
    dead.suspend()
    defer { dead.resume() }
    let timer = timeline.schedule(at: timeline.now, on: dead) { log.note(0) }
    try await untilResumed { continuation in
      let queue = DispatchQueue(label: "alive")
      let second = timeline.schedule(at: timeline.now + .seconds(1), on: queue) { log.note(1) }
      _ = timeline.schedule(at: timeline.now + .seconds(2), on: queue) {
        log.note(2)
        continuation.resume()
      }
      second.cancel()
      timer.cancel()
      timer.cancel()
    }
    #expect(log.entries == [2])
  }
}
