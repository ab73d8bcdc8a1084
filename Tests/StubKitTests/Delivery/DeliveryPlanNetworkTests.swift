import TestSupport
import Testing

@testable import StubKit

@Suite("A delivery plan over a network", .inTurn)
struct DeliveryPlanNetworkTests {
  @Test(
    "sends the request's body as fast as the uplink carries it, and the response waits for that",
    arguments: [
      (65_536, 65_536.0, 500, ["1000 sent 0..<65536", "1500 head", "1500 finish"]),
      (
        140_000, 65_536.0, 0,
        ["1000 sent 0..<65536", "2000 sent 65536..<131072", "2136 sent 131072..<140000", "2136 head", "2136 finish"]
      ),
      (10, 1_000.0, 7, ["10 sent 0..<10", "17 head", "17 finish"]), (0, 1_000.0, 7, ["7 head", "7 finish"]),
    ] as [(Int, Double, Int, [String])])
  func uplink(length: Int, uplink: Double, delay: Int, expected: [String]) {
    #expect(
      played(DeliveryPlan(requestLength: length, uplink: uplink, delay: .milliseconds(delay))) == expected)
  }

  @Test(
    "tells a piece at the later of its own time and the downlink's",
    arguments: [
      (1_000, BodyPace.atOnce, BodyCut.asPaced, 20_000.0, ["25 0..<500", "50 500..<1000"]),
      (10, .atOnce, .every(4), 100, ["40 0..<4", "80 4..<8", "100 8..<10"]),
      (10, .over(.milliseconds(1_000)), .every(5), 100, ["500 0..<5", "1000 5..<10"]),
      (10, .over(.milliseconds(50)), .every(5), 100, ["50 0..<5", "100 5..<10"]),
      (10, .pieces(every: .milliseconds(5)), .every(4), 100, ["40 0..<4", "80 4..<8", "100 8..<10"]),
      (10, .pieces(every: .milliseconds(60)), .every(4), 100, ["40 0..<4", "80 4..<8", "120 8..<10"]),
      (10, .bytesPerSecond(50), .every(5), 100, ["100 0..<5", "200 5..<10"]),
      (10, .atOnce, .at([1, 4, 10]), 1_000, ["1 0..<1", "4 1..<4", "10 4..<10"]),
    ] as [(Int, BodyPace, BodyCut, Double, [String])])
  func downlink(length: Int, pace: BodyPace, cut: BodyCut, downlink: Double, expected: [String]) throws {
    let lines = played(DeliveryPlan(body: .bytes(length), pace: pace, cut: cut, downlink: downlink))
    #expect(lines.first == "0 head")
    #expect(Array(lines.dropFirst().dropLast()) == expected)
    let last = try #require(expected.last)
    #expect(lines.last == "\(last.prefix { $0 != " " }) finish")
  }

  @Test("takes the downlink's time for an empty body too: none")
  func emptyBody() {
    #expect(played(DeliveryPlan(body: .bytes(0), downlink: 1)) == ["0 head", "0 finish"])
  }

  @Test(
    "cuts a body where it is told to, at its end at the latest",
    arguments: [
      (5, [2, 3, 5], [0..<2, 2..<3, 3..<5]), (4, [2, 3, 5], [0..<2, 2..<3, 3..<4]), (2, [2, 3, 5], [0..<2]),
      (1, [2, 3, 5], [0..<1]), (0, [2, 3, 5], []), (0, [], []), (7, [2, 3], [0..<2, 2..<3, 3..<7]),
    ] as [(Int, [Int], [Range<Int>])])
  func cuts(length: Int, ends: [Int], expected: [Range<Int>]) {
    let plan = DeliveryPlan(body: .bytes(length), cut: .at(ends))
    #expect(plan.compactMap { if case .piece(let range) = $0.step { range } else { nil } } == expected)
  }

  @Test("loses and doubles no byte and never goes back in time, whatever it is made of")
  func random() {
    var random = SplitMix64(seed: 20)
    for round in 0..<2_000 {
      let length = random.below(random.pick([2, 100, 5_000]))
      let gap = Time.milliseconds(random.below(40))
      let schedule = DeliveryPlan(
        requestLength: random.below(200_000),
        uplink: random.chance(percent: 50) ? Double(1 + random.below(90_000)) : nil,
        delay: .milliseconds(random.below(3)), isGated: random.chance(percent: 20), body: .bytes(length),
        pace: random.pick([.atOnce, .over(gap), .bytesPerSecond(1 + gap / .milliseconds(1)), .pieces(every: gap)]),
        cut: random.pick([
          .asPaced, .every(1 + random.below(3_000)), .at([random.below(50) + 1, 60, 70 + random.below(9)]),
        ]),
        longestPiece: random.pick([nil, 1 + random.below(500)]),
        downlink: random.chance(percent: 50) ? Double(1 + random.below(9_000)) : nil,
        ending: random.pick([.finish, .interruption(afterBytes: random.below(6_000))]))
      let end = if case .interruption(let count) = schedule.ending { min(count, length) } else { length }
      var (sent, position, time) = (0, 0, Time.zero)
      for event in schedule {
        #expect(event.time >= time, "round \(round)")
        time = event.time
        switch event.step {
        case .sent(let range):
          #expect(range.lowerBound == sent && !range.isEmpty, "round \(round)")
          sent = range.upperBound
        case .piece(let range):
          #expect(range.lowerBound == position && !range.isEmpty, "round \(round)")
          position = range.upperBound
        default: break
        }
      }
      #expect(sent == schedule.requestLength && position == end, "round \(round)")
    }
  }

  @Test("of a slowness beyond all numbers does not crash")
  func endless() {
    let lines = Array(
      DeliveryPlan(requestLength: .max, uplink: 1e-300, body: .bytes(.max), downlink: 1e-300).prefix(3))
    #expect(lines.count == 3)
    let last = Array(DeliveryPlan(body: .bytes(3), cut: .every(1), downlink: 1e-300)).last
    #expect(last?.step == .finish)
  }
}
