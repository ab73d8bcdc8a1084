import Foundation
import Testing

@testable import StubKit

@Suite("A delivery plan")
struct DeliveryPlanTests {
  @Test("tells head, body and end at once when nothing takes time")
  func atOnce() {
    let events = Array(DeliveryPlan(bodyLength: 5))
    #expect(
      events == [
        .init(time: .zero, step: .head), .init(time: .zero, step: .piece(0..<5)), .init(time: .zero, step: .finish),
      ])
  }

  @Test("has no piece for an empty body, which still takes its time")
  func emptyBody() {
    let events = Array(DeliveryPlan(bodyLength: 0, delay: .seconds(1), pace: .over(.seconds(2))))
    #expect(events == [.init(time: .seconds(1), step: .head), .init(time: .seconds(3), step: .finish)])
  }

  @Test("fails after the delay, and tells nothing else")
  func failure() {
    let events = Array(DeliveryPlan(bodyLength: 100, delay: .milliseconds(30), pace: .over(.seconds(1)), fails: true))
    #expect(events == [.init(time: .milliseconds(30), step: .fail)])
  }

  @Test(
    "loses and doubles no byte, and never goes back in time",
    arguments: [
      (1, Duration.seconds(5)), (6, .milliseconds(5_750)), (600_000, .zero), (600_000, .seconds(7)),
      (999_983, .seconds(1)),
      (3, .nanoseconds(1)), (Int.max, .milliseconds(60)),
    ])
  func pieces(length: Int, duration: Duration) throws {
    var position = 0
    var time = Duration.zero
    for event in DeliveryPlan(bodyLength: length, delay: .milliseconds(10), pace: .over(duration)) {
      #expect(event.time >= time)
      time = event.time
      if case .piece(let range) = event.step {
        #expect(range.lowerBound == position && !range.isEmpty)
        position = range.upperBound
      }
    }
    #expect(position == length)
    #expect(time == .milliseconds(10) + duration)
  }

  @Test("spreads a body evenly: half of it by half of its time")
  func evenness() throws {
    let plan = DeliveryPlan(bodyLength: 1_000, pace: .over(.seconds(10)))
    let half = Array(plan).last { event in
      if case .piece = event.step { event.time <= .seconds(5) } else { false }
    }
    guard case .piece(let range)? = half?.step else { return #expect(Bool(false), "no piece by half time") }
    #expect(range.upperBound == 500)
  }

  @Test(
    "takes as long as the pace says",
    arguments: [
      (BodyPace.atOnce, 1_000_000, Duration.zero), (.over(.seconds(3)), 10, .seconds(3)),
      (.bytesPerSecond(1_000), 2_500, .milliseconds(2_500)), (.bytesPerSecond(1_000), 0, .zero),
    ])
  func pace(pace: BodyPace, bytes: Int, duration: Duration) {
    #expect(pace.duration(forBytes: bytes) == duration)
  }

  @Test("is generated lazily: a huge body over a huge time costs nothing to plan")
  func laziness() {
    var plan = DeliveryPlan(bodyLength: .max, pace: .over(.seconds(1_000_000_000)))
    #expect(plan.next()?.step == .head)
    #expect(plan.next() != nil)
  }
}
