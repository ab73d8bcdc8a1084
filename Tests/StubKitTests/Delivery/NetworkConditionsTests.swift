import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Network conditions and gates", .inTurn)
struct NetworkConditionsTests {
  @Test(
    "have speeds in bytes and in bits",
    arguments: [
      (.bytesPerSecond(7), 7), (.bytesPerSecond(0.5), 0.5), (.kilobytesPerSecond(16), 16_000),
      (.kilobitsPerSecond(64), 8_000), (.kilobitsPerSecond(50), 6_250), (.megabitsPerSecond(12), 1_500_000),
    ] as [(Bandwidth, Double)])
  func bandwidth(bandwidth: Bandwidth, bytesPerSecond: Double) { #expect(bandwidth.bytesPerSecond == bytesPerSecond) }

  @Test("have presets, each of which is slower than the next")
  func presets() {
    let ordered: [NetworkConditions] = [.verySlow, .gprs, .edge, .threeG, .threeGPlus, .lte, .wifi]
    for (worse, better) in zip(ordered, ordered.dropFirst()) {
      #expect(worse.latency >= better.latency, "\(better)")
      #expect(worse.uplink?.bytesPerSecond ?? 0 < better.uplink?.bytesPerSecond ?? 0, "\(better)")
    }
  }

  @Test("have the preset .gprs as fast as that of OHHTTPStubs")
  func gprs() { #expect(NetworkConditions.gprs.downlink == .kilobytesPerSecond(7)) }

  /// A preset with changes, and conditions with a negative latency, which is none.
  private static let (varied, flat) = { () -> (NetworkConditions, NetworkConditions) in
    var varied = NetworkConditions.threeG
    (varied.lossRate, varied.jitter, varied.seed) = (0.1, .milliseconds(-1), 7)
    return (varied, NetworkConditions(latency: .seconds(-1), jitter: .milliseconds(1_500), uplink: .bytesPerSecond(8)))
  }()

  @Test("can be varied, and take a negative time for none")
  func variation() {
    #expect(Self.varied != .threeG)
    #expect(Self.varied.jitter == .zero)
    var flat = Self.flat
    #expect(flat.latency == .zero)
    flat.latency = .seconds(-2)
    #expect(flat.latency == .zero)
  }

  @Test(
    "print as Swift source",
    arguments: [
      (.edge, ".edge"), (.offline, ".offline"), (NetworkConditions(), "NetworkConditions()"),
      (
        varied,
        "NetworkConditions(latency: .milliseconds(100), downlink: .kilobytesPerSecond(400.0), "
          + "uplink: .kilobytesPerSecond(31.25), lossRate: 0.1, seed: 7)"
      ),
      (flat, "NetworkConditions(jitter: .milliseconds(1500), uplink: .bytesPerSecond(8.0))"),
      (NetworkConditions(latency: .seconds(2)), "NetworkConditions(latency: .seconds(2))"),
      (NetworkConditions(latency: .microseconds(1)), "NetworkConditions(latency: .seconds(1e-06))"),
    ] as [(NetworkConditions, String)])
  func descriptions(conditions: NetworkConditions, text: String) { #expect("\(conditions)" == text) }

  private static let impossible: [StubResponse] =
    [
      NetworkConditions(downlink: .bytesPerSecond(0)), NetworkConditions(uplink: .kilobitsPerSecond(-1)),
      NetworkConditions(downlink: .megabitsPerSecond(.nan)),
      NetworkConditions(downlink: .kilobytesPerSecond(.greatestFiniteMagnitude)), NetworkConditions(lossRate: 1.5),
      NetworkConditions(lossRate: -0.1),
    ].map { StubResponse.status(204).network($0) } + [2, Double.nan].map { StubResponse.status(204).flaky(rate: $0) }

  @Test(
    "that are impossible fail the request, and are a mistake of its stub, with what to write", arguments: impossible)
  func refused(response: StubResponse) async {
    await withStubs {
      let stub = stub(condition: .anything, response: response)
      #expect(stub.mistake?.contains("Write ") == true, "\(stub.mistake as Any)")
      let error = await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError
      #expect(error?.stub?.location == stub.location)
      let sentence = error?.description ?? "no error"
      #expect(sentence.contains("has impossible conditions: ") && sentence.contains("Write "), "\(sentence)")
    }
  }

  @Test("that are impossible are an issue of the test that gives them to its registry, and fail each request")
  func impossibleForRegistry() async {
    await withStubs {
      stub(condition: .anything, response: .status(204))
      let issues = await takingIssues { StubRegistry.current.network = NetworkConditions(lossRate: 7) }.issues
      #expect(issues.map { $0.text.contains("NetworkConditions(lossRate: 7.0) is not a valid share") } == [true])
      let error = await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError
      #expect(error?.description.contains("NetworkConditions(lossRate: 7.0)") == true)
    }
  }

  @Test("with a seed draw the same random numbers on every machine")
  func reproducible() {
    let location = StubLocation(fileID: "Tests/A.swift", filePath: "/somewhere/A.swift", line: 12, column: 5)
    func draw(call: Int) -> CallRandomness {
      CallRandomness(stub: StubReference(name: nil, location: location, id: 1), callNumber: call)
    }
    let fates = (1...20).map { draw(call: $0).number(for: .loss, seed: 7) < 0.3 ? "x" : "." }
    #expect(fates.joined() == ".xxx....x.x.........")
    #expect(draw(call: 1).number(for: .jitter, seed: 7) == 0.7062807470722527)
    #expect(CallRandomness(stub: nil, callNumber: 1).number(for: .loss, seed: 7) == 0.2586615358790906)
  }

  @Test("let go of what waits at a gate in its order, once the gate opens, but not of what has given up")
  func gate() {
    let (gate, passed) = (ResponseGate(), Protected<[Int]>([]))
    for number in 1...20 {
      let ticket = gate.wait { passed.withLock { $0.append(number) } }
      if number == 7, let ticket { gate.forget(ticket) }
    }
    #expect(gate.waitingCount == 19)
    #expect(passed.withLock { $0 } == [])
    for _ in 1...2 { gate.open() }
    #expect(gate.waitingCount == 0)
    #expect(passed.withLock { $0 } == Array(1...6) + Array(8...20))
  }

  @Test("let nothing wait at a gate that is open, until it is closed again")
  func openGate() {
    let gate = ResponseGate()
    gate.open()
    #expect(gate.isOpen)
    #expect(gate.wait {} == nil)
    for _ in 1...2 { gate.close() }
    #expect(!gate.isOpen)
    #expect(gate.wait {} != nil)
  }
}
