import Foundation
import Testing

@testable import StubKit

@Suite("The plan of a delivery")
struct DeliveryPlanTests {
  private static let paces: [BodyPace] = [
    .atOnce, .over(.milliseconds(300)), .bytesPerSecond(50), .pieces(every: .milliseconds(70), first: .milliseconds(5)),
    .recorded([.milliseconds(10), .milliseconds(90)], end: .milliseconds(250)),
  ]
  private static let cuts: [BodyCut] = [.asPaced, .every(4), .at([3, 9, 20])]
  private static let endings: [DeliveryPlan.Ending] = [
    .finish, .failure, .silence,
    .interruption(afterBytes: 0), .interruption(afterBytes: 1), .interruption(afterBytes: 7),
    .interruption(afterBytes: .max), .stall(afterBytes: 0), .stall(afterBytes: 7), .stall(afterBytes: .max),
  ]

  /// A body of 20 bytes after a request of 10, and an empty one.
  private static func plans(_ pace: BodyPace, _ ending: DeliveryPlan.Ending) -> [DeliveryPlan] {
    cuts.flatMap { cut in
      [0, 20].flatMap { length in
        [nil, 100].map { rate in
          DeliveryPlan(
            requestLength: 10, uplink: 1_000, delay: .milliseconds(40), bodyLength: length, pace: pace, cut: cut,
            downlink: rate, ending: ending)
        }
      }
    }
  }

  @Test("says before it is played when the response ends, and of one that stalls that it doesn't", arguments: paces)
  func duration(pace: BodyPace) {
    for plan in Self.endings.flatMap({ Self.plans(pace, $0) }) {
      let last = plan.map { $0 }.last
      let endTime: Duration? = last?.step == .finish || last?.step == .fail ? last?.time : nil
      #expect(plan.duration == endTime, "\(plan)")
    }
  }

  @Test("doesn't say when a response ends whose gate is opened by the test, or whose body is a stream")
  func unknown() {
    #expect(DeliveryPlan(isGated: true).duration == nil)
    #expect(DeliveryPlan(bodyLength: nil).duration == nil)
  }

  @Test("says when a body of a billion pieces breaks off, without a look at each")
  func many() {
    let plan = DeliveryPlan(
      bodyLength: 1_000_000_000, pace: .bytesPerSecond(1_000_000), cut: .every(1),
      ending: .interruption(afterBytes: 500_000_000))
    #expect(plan.duration == .seconds(500))
  }
}
