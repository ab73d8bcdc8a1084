import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Network conditions", .inTurn)
struct NetworkConditionsTests {
  @Test(
    "count bandwidth in bytes and bits, a thousand to the kilo",
    arguments: [
      (Bandwidth.bytesPerSecond(7), 7, "7 B/s"), (.bytesPerSecond(0.5), 0.5, "0.5 B/s"),
      (.kilobytesPerSecond(16), 16_000, "16 kB/s"), (.kilobitsPerSecond(128), 16_000, "16 kB/s"),
      (.kilobitsPerSecond(50), 6_250, "6.25 kB/s"), (.megabitsPerSecond(12), 1_500_000, "1500 kB/s"),
    ])
  func bandwidth(bandwidth: Bandwidth, bytes: Double, description: String) {
    #expect(bandwidth.bytesPerSecond == bytes)
    #expect(bandwidth.description == description)
  }

  @Test("are perfect where nothing is said")
  func defaults() {
    let conditions = NetworkConditions()
    #expect(conditions.latency == .zero && conditions.jitter == .zero && conditions.lossRate == 0)
    #expect(conditions.downlink == nil && conditions.uplink == nil && conditions.seed == nil && !conditions.isOffline)
  }

  @Test(
    "have the older library's speeds, and get better from preset to preset",
    arguments: zip(
      [NetworkConditions.verySlow, .gprs, .edge, .threeG, .threeGPlus, .lte, .wifi],
      [1.5, 7, 16, 400, 900, 1_500, 1_500]))
  func presets(conditions: NetworkConditions, kilobytes: Double) {
    #expect(conditions.downlink == .kilobytesPerSecond(kilobytes))
    #expect(conditions.uplink != nil && conditions.latency > .zero && conditions.lossRate == 0)
    let ordered: [NetworkConditions] = [.verySlow, .gprs, .edge, .threeG, .threeGPlus, .lte, .wifi]
    for (worse, better) in zip(ordered, ordered.dropFirst()) {
      #expect(worse.latency >= better.latency)
      #expect(worse.uplink?.bytesPerSecond ?? 0 < better.uplink?.bytesPerSecond ?? 0)
    }
  }

  @Test(
    "are described by their name, or by what they are",
    arguments: [
      (NetworkConditions.edge, "EDGE"), (.offline, "offline"), (NetworkConditions(), "perfect"),
      (
        NetworkConditions(
          latency: .milliseconds(400), jitter: .milliseconds(200), downlink: .kilobitsPerSecond(300),
          uplink: .bytesPerSecond(20), lossRate: 0.25, seed: 7),
        "0.4 seconds ± 0.2 seconds, 37.5 kB/s down, 20 B/s up, 25.0% lost (seed 7)"
      ), (NetworkConditions(latency: .seconds(2)), "2.0 seconds"),
    ])
  func description(conditions: NetworkConditions, expected: String) {
    #expect(conditions.description == expected)
    #expect(
      StubResponse.empty().network(conditions).description.hasSuffix("no body, network: \(expected)"))
  }

  @Test("trap for a bandwidth that carries nothing, with what to write instead")
  func invalidBandwidth() async {
    let traps = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Bandwidth.bytesPerSecond(0)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Bandwidth.kilobitsPerSecond(-1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Bandwidth.megabitsPerSecond(.nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Bandwidth.kilobytesPerSecond(.infinity)
      },
    ]
    for trap in traps {
      #expect(
        trap.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("Write a number above zero") }
          == true)
    }
  }

  @Test("trap for a share that is none, and for times below zero")
  func invalid() async {
    let traps = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NetworkConditions(lossRate: 1.5)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NetworkConditions(lossRate: -0.1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NetworkConditions(lossRate: .nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NetworkConditions(latency: .seconds(-1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NetworkConditions(jitter: .seconds(-1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = StubResponse.empty().flaky(2)
      },
    ]
    for trap in traps {
      #expect(trap.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("Write ") } == true)
    }
  }
}

@Suite("A draw", .inTurn)
struct DrawTests {
  private func draw(call: Int, line: Int = 12, column: Int = 5, file: String = "Tests/A.swift", id: UInt64 = 1) -> Draw
  {
    let location = StubLocation(fileID: file, filePath: "/somewhere/A.swift", line: line, column: column)
    return Draw(stub: StubReference(name: nil, location: location, id: id), call: call)
  }

  @Test("is the same on every machine, at any time")
  func reproducible() {
    let fates = (1...20).map { draw(call: $0).number(for: .loss, seed: 7) < 0.3 ? "x" : "." }
    #expect(fates.joined() == ".xxx....x.x.........")
    #expect(draw(call: 1).number(for: .jitter, seed: 7) == 0.7062807470722527)
    #expect(Draw(stub: nil, call: 1).number(for: .loss, seed: 7) == 0.2586615358790906)
  }

  @Test("goes by seed, place, call and purpose, and by nothing else")
  func independence() {
    let number = draw(call: 3).number(for: .loss, seed: 7)
    #expect(draw(call: 3, id: 99).number(for: .loss, seed: 7) == number)
    let others = [
      draw(call: 4).number(for: .loss, seed: 7), draw(call: 3, line: 13).number(for: .loss, seed: 7),
      draw(call: 3, column: 6).number(for: .loss, seed: 7),
      draw(call: 3, file: "Tests/B.swift").number(for: .loss, seed: 7),
      draw(call: 3).number(for: .loss, seed: 8), draw(call: 3).number(for: .flakiness, seed: 7),
      draw(call: 3).number(for: .jitter, seed: 7), draw(call: 3).number(for: .lossPoint, seed: 7),
    ]
    #expect(!others.contains(number) && Set(others).count == others.count)
    #expect(draw(call: 3).number(for: .loss, seed: nil) == draw(call: 3).number(for: .loss, seed: Draw.seedOfProcess))
  }

  @Test("is spread evenly from 0 to 1", arguments: [Draw.Purpose.jitter, .loss, .lossPoint, .flakiness])
  func evenness(purpose: Draw.Purpose) {
    var tenths = [Int](repeating: 0, count: 10)
    for call in 1...20_000 {
      let number = draw(call: call).number(for: purpose, seed: 42)
      #expect((0..<1).contains(number))
      tenths[Int(number * 10)] += 1
    }
    // Five standard deviations.
    #expect(tenths.allSatisfy { abs($0 - 2_000) < 212 })
  }
}
