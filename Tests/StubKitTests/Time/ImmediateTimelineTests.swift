import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("The immediate timeline", .inTurn)
struct ImmediateTimelineTests {
  private let timeline = ImmediateTimeline()

  @Test("runs what is scheduled together by deadline")
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
}
