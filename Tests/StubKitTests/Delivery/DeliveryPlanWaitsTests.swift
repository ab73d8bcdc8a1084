import TestSupport
import Testing

@testable import StubKit

@Suite("A delivery plan that waits", .inTurn)
struct DeliveryPlanWaitsTests {
  @Test(
    "comes to its gate after the delay; how long that holds, everything else comes later",
    arguments: [
      (DeliveryPlan.Ending.finish, 0, ["10 gate", "10 head", "10 0..<2", "30 2..<4", "30 finish"]),
      (.finish, 500, ["10 gate", "510 head", "510 0..<2", "530 2..<4", "530 finish"]),
      (.failure, 500, ["10 gate", "510 fail"]),
      (.interruption(afterBytes: 3), 90, ["10 gate", "100 head", "100 0..<2", "120 2..<3", "120 fail"]),
    ] as [(DeliveryPlan.Ending, Int, [String])])
  func gate(ending: DeliveryPlan.Ending, opens: Int, expected: [String]) {
    let schedule = DeliveryPlan(
      delay: .milliseconds(10), isGated: true, body: .bytes(4), pace: .pieces(every: .milliseconds(20)), cut: .every(2),
      ending: ending)
    #expect(played(schedule, gateOpens: opens) == expected)
  }

  @Test("sends the request's body before it comes to its gate")
  func gateAfterSending() {
    let schedule = DeliveryPlan(requestLength: 100, uplink: 10_000, delay: .milliseconds(5), isGated: true)
    #expect(played(schedule, gateOpens: 7) == ["10 sent 0..<100", "15 gate", "22 head", "22 finish"])
  }

  @Test(
    "pulls a stream's chunks one after the other",
    arguments: [
      ([], 12, ["3 head", "3 pull", "12 finish"]),
      ([(3, 5), (2, 9)], 12, ["3 head", "3 pull", "5 0..<3", "5 pull", "9 3..<5", "9 pull", "12 finish"]),
      ([(3, 0), (2, 0)], 0, ["3 head", "3 pull", "3 0..<3", "3 pull", "3 3..<5", "3 pull", "3 finish"]),
      ([(0, 5), (2, 9)], nil, ["3 head", "3 pull", "3 pull", "9 0..<2", "9 pull"]),
    ] as [([(Int, Int)], Int?, [String])])
  func stream(chunks: [(Int, Int)], ends: Int?, expected: [String]) {
    let schedule = DeliveryPlan(delay: .milliseconds(3), body: .stream)
    #expect(played(schedule, chunks: chunks.map { ($0, $1) }, streamEnds: ends) == expected)
  }

  @Test("spreads a stream over no time: it takes its own")
  func spreadStream() {
    let schedule = DeliveryPlan(body: .stream, pace: .over(.seconds(5)))
    #expect(played(schedule, chunks: [(3, 5)], streamEnds: 6) == ["0 head", "0 pull", "5 0..<3", "5 pull", "6 finish"])
  }

  @Test(
    "tells a stream's chunks no faster than the network or their own pace",
    arguments: [
      // The second chunk was there long before the first one had come.
      (
        BodyPace.atOnce, BodyCut.asPaced, 1_000.0,
        ["25 0..<20", "45 20..<40", "45 pull", "60 40..<55", "60 pull", "60 finish"]
      ),
      (
        .bytesPerSecond(1_000), .every(30), 1e9,
        ["35 0..<30", "45 30..<40", "45 pull", "60 40..<55", "60 pull", "60 finish"]
      ),
      (
        .pieces(every: .milliseconds(10)), .every(20), nil,
        ["5 0..<20", "15 20..<40", "15 pull", "25 40..<55", "25 pull", "25 finish"]
      ),
      (.atOnce, .every(25), nil, ["5 0..<25", "5 25..<40", "5 pull", "20 40..<55", "20 pull", "20 finish"]),
    ] as [(BodyPace, BodyCut, Double?, [String])])
  func pacedStream(pace: BodyPace, cut: BodyCut, downlink: Double?, expected: [String]) {
    let schedule = DeliveryPlan(body: .stream, pace: pace, cut: cut, downlink: downlink)
    let lines = played(schedule, chunks: [(40, 5), (15, 20)], streamEnds: 20)
    #expect(Array(lines.dropFirst(2)) == expected)
  }

  @Test(
    "breaks a stream off after so many bytes, and pulls no more than it needs",
    arguments: [
      (0, ["0 head", "0 fail"]), (3, ["0 head", "0 pull", "5 0..<3", "5 fail"]),
      (4, ["0 head", "0 pull", "5 0..<3", "5 pull", "6 3..<4", "6 fail"]),
      (9, ["0 head", "0 pull", "5 0..<3", "5 pull", "6 3..<6", "6 pull", "8 fail"]),
    ])
  func interruptedStream(count: Int, expected: [String]) {
    let schedule = DeliveryPlan(body: .stream, ending: .interruption(afterBytes: count))
    #expect(played(schedule, chunks: [(3, 5), (3, 6)], streamEnds: 8) == expected)
  }

  @Test("of silence says that the request was sent, and no more")
  func silence() {
    #expect(played(DeliveryPlan(requestLength: 3, delay: .seconds(1), ending: .silence)) == ["0 sent 0..<3"])
  }
}

@Suite("A delivery plan for a client that does not wait for ever", .inTurn)
struct DeliveryPlanLimitsTests {
  @Test(
    "joins the pieces of a body that no delegate hears, and times out where one of them is too late",
    arguments: [
      (BodyPace.over(.milliseconds(300)), BodyCut.every(1), nil, ["0 head", "300 0..<3", "300 finish"]),
      (.over(.milliseconds(300)), .every(1), 100, ["0 head", "300 0..<3", "300 finish"]),
      (.over(.milliseconds(300)), .every(1), 99, ["0 head", "99 timeOut"]),
      (
        .recorded([.zero, .milliseconds(50), .milliseconds(250)], end: .milliseconds(260)), .at([1, 2, 3]), 100,
        ["0 head", "50 0..<2", "150 timeOut"]
      ),
    ] as [(BodyPace, BodyCut, Int?, [String])])
  func joined(pace: BodyPace, cut: BodyCut, idle: Int?, expected: [String]) {
    let schedule = DeliveryPlan(
      body: .bytes(3), pace: pace, cut: cut, joinsPieces: true, limits: idle.map { Self.limits(idle: $0) })
    #expect(played(schedule) == expected)
  }

  @Test("joins at most ten thousand pieces, and the pieces of one chunk")
  func longJoins() {
    let schedule = DeliveryPlan(body: .bytes(25_000), cut: .every(1), joinsPieces: true)
    #expect(played(schedule) == ["0 head", "0 0..<10000", "0 10000..<20000", "0 20000..<25000", "0 finish"])
    let stream = DeliveryPlan(body: .stream, cut: .every(1), joinsPieces: true)
    #expect(
      played(stream, chunks: [(2, 5), (3, 6)], streamEnds: 7)
        == ["0 head", "0 pull", "5 0..<2", "5 pull", "6 2..<5", "6 pull", "7 finish"])
  }

  private static func limits(idle: Int? = nil, silence: Int = 0, whole: Int? = nil) -> DeliveryPlan.Limits {
    DeliveryPlan.Limits(
      idle: idle.map { .milliseconds($0) }, silence: .milliseconds(silence), whole: whole.map { .milliseconds($0) })
  }

  @Test(
    "times out instead of news that comes too late, and not instead of such as comes at that very moment",
    arguments: [
      (DeliveryPlan(delay: .milliseconds(100)), limits(idle: 100), ["100 head", "100 finish"]),
      (DeliveryPlan(delay: .milliseconds(101)), limits(idle: 100), ["100 timeOut"]),
      (DeliveryPlan(delay: .milliseconds(60)), limits(idle: 100, silence: 40), ["60 head", "60 finish"]),
      (DeliveryPlan(delay: .milliseconds(61)), limits(idle: 100, silence: 40), ["60 timeOut"]),
      (DeliveryPlan(delay: .milliseconds(101), ending: .failure), limits(idle: 100), ["100 timeOut"]),
      (DeliveryPlan(delay: .milliseconds(99), ending: .failure), limits(idle: 100), ["99 fail"]),
      (DeliveryPlan(ending: .silence), limits(idle: 100), ["100 timeOut"]),
      (
        DeliveryPlan(requestLength: 4, uplink: 1_000, ending: .silence), limits(idle: 100),
        ["4 sent 0..<4", "104 timeOut"]
      ),
      (DeliveryPlan(ending: .silence), limits(whole: 70), ["70 timeOut"]),
      (DeliveryPlan(ending: .silence), limits(idle: 100, whole: 70), ["70 timeOut"]),
      (DeliveryPlan(ending: .silence), limits(), []),
      (
        DeliveryPlan(body: .bytes(2), pace: .pieces(every: .milliseconds(101)), cut: .every(1)), limits(idle: 100),
        ["0 head", "0 0..<1", "100 timeOut"]
      ),
      (
        DeliveryPlan(body: .bytes(2), pace: .pieces(every: .milliseconds(100)), cut: .every(1)), limits(idle: 100),
        ["0 head", "0 0..<1", "100 1..<2", "100 finish"]
      ),
      (
        DeliveryPlan(body: .bytes(5), pace: .over(.milliseconds(100))), limits(idle: 100, whole: 50),
        ["0 head", "20 0..<1", "40 1..<2", "50 timeOut"]
      ),
      (
        DeliveryPlan(requestLength: 131_072, uplink: 655_360, delay: .milliseconds(100)), limits(idle: 100),
        ["100 sent 0..<65536", "200 sent 65536..<131072", "300 head", "300 finish"]
      ),
      (
        DeliveryPlan(requestLength: 131_072, uplink: 600_000), limits(idle: 100), ["100 timeOut"]
      ),
      (DeliveryPlan(body: .bytes(0), pace: .over(.milliseconds(101))), limits(idle: 100), ["0 head", "100 timeOut"]),
      (DeliveryPlan(delay: .milliseconds(5)), limits(idle: 100, whole: 0), ["0 timeOut"]),
      (DeliveryPlan(), limits(idle: 100, whole: 0), ["0 head", "0 finish"]),
    ] as [(DeliveryPlan, DeliveryPlan.Limits, [String])])
  func timesOut(schedule: DeliveryPlan, limits: DeliveryPlan.Limits, expected: [String]) {
    var schedule = schedule
    schedule.limits = limits
    #expect(played(schedule) == expected)
  }

  @Test(
    "counts the time at the gate",
    arguments: [
      (90, limits(idle: 100), ["10 gate", "100 head", "100 finish"]),
      (91, limits(idle: 100), ["10 gate", "100 timeOut"]), (0, limits(idle: 9), ["9 timeOut"]),
      (41, limits(idle: 100, whole: 50), ["10 gate", "50 timeOut"]),
    ])
  func gate(opens: Int, limits: DeliveryPlan.Limits, expected: [String]) {
    let schedule = DeliveryPlan(delay: .milliseconds(10), isGated: true, limits: limits)
    #expect(played(schedule, gateOpens: opens) == expected)
  }

  @Test("says when it would time out while it waits for a gate or a stream")
  func timeOutTime() {
    var gated = DeliveryPlan(
      delay: .milliseconds(10), isGated: true, limits: Self.limits(idle: 100, silence: 30, whole: 200)
    ).makeIterator()
    #expect(gated.next()?.step == .gate)
    #expect(gated.timeOutTime == .milliseconds(70))

    var stream = DeliveryPlan(body: .stream, limits: Self.limits(idle: 100, whole: 220)).makeIterator()
    #expect(stream.next()?.step == .head && stream.next()?.step == .pull)
    #expect(stream.timeOutTime == .milliseconds(100))
    stream.received(1, at: .milliseconds(60))
    #expect(stream.next()?.step == .piece(0..<1) && stream.next()?.step == .pull)
    #expect(stream.timeOutTime == .milliseconds(160))
    // Until then a busy delegate had not asked.
    stream.pulled(at: .milliseconds(90))
    #expect(stream.timeOutTime == .milliseconds(190))
    stream.received(0, at: .milliseconds(150))
    #expect(stream.next()?.step == .pull)
    #expect(stream.timeOutTime == .milliseconds(190))
    stream.pulled(at: .milliseconds(150))
    #expect(stream.timeOutTime == .milliseconds(220))

    #expect(DeliveryPlan(isGated: true).makeIterator().timeOutTime == nil)
    #expect(DeliveryPlan(limits: Self.limits(whole: 7)).makeIterator().timeOutTime == .milliseconds(7))
  }

  @Test("ends with its timeout")
  func over() {
    var plan = DeliveryPlan(delay: .seconds(1), limits: Self.limits(idle: 1)).makeIterator()
    #expect(plan.next()?.step == .timeOut)
    #expect(plan.next() == nil && plan.next() == nil)
    var silent = DeliveryPlan(limits: Self.limits(idle: 1)).makeIterator()
    #expect(silent.next()?.step == .head && silent.next()?.step == .finish && silent.next() == nil)
  }
}
