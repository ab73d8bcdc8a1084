import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A delivery plan", .inTurn)
struct DeliveryPlanTests {
  @Test("tells head, body and end at once when nothing takes time")
  func atOnce() {
    #expect(played(DeliveryPlan(body: .bytes(5))) == ["0 head", "0 0..<5", "0 finish"])
  }

  @Test("has no piece for an empty body, which still takes its time")
  func emptyBody() {
    #expect(played(DeliveryPlan(delay: .seconds(1), pace: .over(.seconds(2)))) == ["1000 head", "3000 finish"])
  }

  @Test("spreads a body evenly: half of it by half of its time")
  func evenness() throws {
    let plan = DeliveryPlan(body: .bytes(1_000), pace: .over(.seconds(10)))
    let half = Array(plan).last { event in
      if case .piece = event.step { event.time <= .seconds(5) } else { false }
    }
    guard case .piece(let range)? = half?.step else { return #expect(Bool(false), "no piece by half time") }
    #expect(range.upperBound == 500)
  }

  @Test(
    "takes as long as the pace says",
    arguments: [
      (BodyPace.atOnce, 1_000_000, Time.zero), (.over(.seconds(3)), 10, .seconds(3)),
      (.bytesPerSecond(1_000), 2_500, .milliseconds(2_500)), (.bytesPerSecond(1_000), 0, .zero),
    ])
  func pace(pace: BodyPace, bytes: Int, duration: Time) {
    #expect(BodyPieces(bodyLength: bytes, pace: pace, cut: .asPaced).duration == duration)
  }

  @Test("is generated lazily: a huge body over a huge time costs nothing to plan")
  func laziness() {
    var events = DeliveryPlan(body: .bytes(.max), pace: .over(.seconds(1_000_000_000))).makeIterator()
    #expect(events.next()?.step == .head)
    #expect(events.next() != nil)
  }

  @Test(
    "cuts a body into pieces of a length, the last one of what is left",
    arguments: [
      (10, 4, BodyPace.atOnce, ["0 head", "0 0..<4", "0 4..<8", "0 8..<10", "0 finish"]),
      (8, 4, .atOnce, ["0 head", "0 0..<4", "0 4..<8", "0 finish"]),
      (3, 4, .atOnce, ["0 head", "0 0..<3", "0 finish"]),
      (0, 4, .atOnce, ["0 head", "0 finish"]),
      (10, 4, .over(.milliseconds(100)), ["0 head", "40 0..<4", "80 4..<8", "100 8..<10", "100 finish"]),
      (10, 4, .bytesPerSecond(100), ["0 head", "40 0..<4", "80 4..<8", "100 8..<10", "100 finish"]),
      (10, 4, .pieces(every: .milliseconds(5)), ["0 head", "0 0..<4", "5 4..<8", "10 8..<10", "10 finish"]),
      (0, 4, .pieces(every: .milliseconds(5)), ["0 head", "0 finish"]),
      (2, .max, .pieces(every: .milliseconds(5)), ["0 head", "0 0..<2", "0 finish"]),
    ] as [(Int, Int, BodyPace, [String])])
  func pieceLengths(length: Int, pieceLength: Int, pace: BodyPace, expected: [String]) {
    #expect(played(DeliveryPlan(body: .bytes(length), pace: pace, cut: .every(pieceLength))) == expected)
  }

  @Test(
    "breaks off after so many bytes, at the time of the last of them",
    arguments: [
      (10, 5, nil, BodyPace.atOnce, ["7 head", "7 0..<5", "7 fail"]),
      (10, 0, nil, .over(.seconds(1)), ["7 head", "7 fail"]),
      (10, 10, nil, .atOnce, ["7 head", "7 0..<10", "7 fail"]),
      (10, .max, nil, .over(.milliseconds(20)), ["7 head", "27 0..<10", "27 fail"]),
      (0, 5, nil, .over(.milliseconds(20)), ["7 head", "27 fail"]),
      (10, 5, 4, .atOnce, ["7 head", "7 0..<4", "7 4..<5", "7 fail"]),
      (10, 8, 4, .atOnce, ["7 head", "7 0..<4", "7 4..<8", "7 fail"]),
      (10, 5, 4, .over(.milliseconds(100)), ["7 head", "47 0..<4", "57 4..<5", "57 fail"]),
      (10, 9, 4, .pieces(every: .milliseconds(5)), ["7 head", "7 0..<4", "12 4..<8", "17 8..<9", "17 fail"]),
    ] as [(Int, Int, Int?, BodyPace, [String])])
  func interruption(length: Int, count: Int, pieceLength: Int?, pace: BodyPace, expected: [String]) {
    let plan = DeliveryPlan(
      delay: .milliseconds(7), body: .bytes(length), pace: pace, cut: pieceLength.map { .every($0) } ?? .asPaced,
      ending: .interruption(afterBytes: count))
    #expect(played(plan) == expected)
  }

  @Test(
    "says that the request's body was sent before the delay",
    arguments: [
      (5, DeliveryPlan.Ending.finish, ["0 sent 0..<5", "7 head", "7 finish"]),
      (0, .finish, ["7 head", "7 finish"]),
      (
        140_000, .interruption(afterBytes: 0),
        ["0 sent 0..<65536", "0 sent 65536..<131072", "0 sent 131072..<140000", "7 head", "7 fail"]
      ),
      (5, .failure, ["0 sent 0..<5", "7 fail"]), (0, .failure, ["7 fail"]),
    ] as [(Int, DeliveryPlan.Ending, [String])])
  func sent(requestLength: Int, ending: DeliveryPlan.Ending, expected: [String]) {
    let plan = DeliveryPlan(requestLength: requestLength, delay: .milliseconds(7), ending: ending)
    #expect(played(plan) == expected)
  }

  @Test(
    "cuts no longer pieces than it may, whatever the pace asks for",
    arguments: [
      (10, nil, BodyPace.atOnce, [0..<3, 3..<6, 6..<10]), (4, nil, .atOnce, [0..<2, 2..<4]),
      (10, nil, .over(.milliseconds(100)), [0..<2, 2..<4, 4..<6, 6..<8, 8..<10]), (10, 7, .atOnce, [0..<7, 7..<10]),
    ] as [(Int, Int?, BodyPace, [Range<Int>])])
  func longestPiece(length: Int, pieceLength: Int?, pace: BodyPace, expected: [Range<Int>]) {
    let plan = DeliveryPlan(
      body: .bytes(length), pace: pace, cut: pieceLength.map { .every($0) } ?? .asPaced, longestPiece: 4)
    let pieces = plan.compactMap { if case .piece(let range) = $0.step { range } else { nil } }
    #expect(pieces == expected)
  }

  @Test("with more time between its pieces than a clock can count does not crash")
  func endlessGaps() {
    let gap = Time.seconds(Int64.max)
    let events = Array(DeliveryPlan(body: .bytes(3), pace: .pieces(every: gap), cut: .every(1)))
    #expect(events.count == 5)
    #expect(events.last.map { $0.time > .seconds(1_000_000_000) } == true)
  }
}
