import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What becomes of a response for one request", .inTurn)
struct TransmissionTests {
  private static let stub = StubReference(
    name: "map", location: StubLocation(fileID: "Tests/A.swift", filePath: "/A.swift", line: 12, column: 5), id: 1)

  private func sent(
    _ response: StubResponse, method: String = "GET", conditions: NetworkConditions? = nil, call: Int = 1
  ) throws -> Transmission {
    response.transmission(
      for: method, of: try response.body.opened(by: nil).get(), conditions: conditions,
      randomness: CallRandomness(stub: Self.stub, call: call))
  }

  private static let body = StubResponse.data(Data(count: 100))

  @Test(
    "is that it takes its own time and the network's",
    arguments: [
      (body, nil, ["0 head", "0 0..<100", "0 finish"]),
      (body.delay(.milliseconds(7)), nil, ["7 head", "7 0..<100", "7 finish"]),
      (
        body.delay(.milliseconds(7)), NetworkConditions(latency: .milliseconds(30)),
        ["37 head", "37 0..<100", "37 finish"]
      ),
      (
        body.chunked(by: 50), NetworkConditions(downlink: .bytesPerSecond(1_000), uplink: .bytesPerSecond(1_000)),
        ["50 sent 0..<50", "50 head", "100 0..<50", "150 50..<100", "150 finish"]
      ),
      (
        body.network(NetworkConditions(latency: .milliseconds(1))), NetworkConditions(latency: .milliseconds(30)),
        ["1 head", "1 0..<100", "1 finish"]
      ), (body.network(NetworkConditions()), .offline, ["0 head", "0 0..<100", "0 finish"]),
      (.failure(.timedOut), NetworkConditions(latency: .milliseconds(30)), ["30 fail"]),
      (body.failing(afterBytes: 30), .init(latency: .milliseconds(30)), ["30 head", "30 0..<30", "30 fail"]),
      (body.delay(.seconds(5)).held(by: ResponseGate()), .offline, ["0 fail"]), (.noAnswer, .offline, ["0 fail"]),
      (.noAnswer.delay(.seconds(1)), nil, []),
      (
        body.delay(.milliseconds(7)).held(by: ResponseGate()), NetworkConditions(latency: .milliseconds(3)),
        ["10 gate", "10 head", "10 0..<100", "10 finish"]
      ),
    ] as [(StubResponse, NetworkConditions?, [String])])
  func times(response: StubResponse, conditions: NetworkConditions?, expected: [String]) throws {
    let sent = try sent(response, conditions: conditions)
    var plan = sent.plan
    if plan.uplink != nil { plan.requestLength = 50 }
    #expect(played(plan) == expected)
  }

  @Test("is that its latency varies by the jitter, and is never below zero")
  func jitter() throws {
    let conditions = NetworkConditions(latency: .milliseconds(100), jitter: .milliseconds(40), seed: 7)
    let delays = try (1...500).map { try sent(Self.body, conditions: conditions, call: $0).plan.delay }
    #expect(delays.allSatisfy { (.milliseconds(60)..<(.milliseconds(140))).contains($0) })
    #expect(delays.min()! < .milliseconds(62) && delays.max()! > .milliseconds(138))
    #expect(Set(delays).count == 500)
    let wild = NetworkConditions(latency: .milliseconds(1), jitter: .seconds(1), seed: 7)
    let wildDelays = try (1...100).map { try sent(Self.body, conditions: wild, call: $0).plan.delay }
    #expect(wildDelays.min() == .zero && wildDelays.max()! > .milliseconds(800))
  }

  @Test("is that its connection is lost as often as the rate says, half of the time in the middle of the body")
  func loss() throws {
    let conditions = NetworkConditions(lossRate: 0.2, seed: 11)
    var endings: [DeliveryPlan.Ending: Int] = [:]
    for call in 1...2_000 {
      endings[try sent(Self.body, conditions: conditions, call: call).plan.ending, default: 0] += 1
    }
    let lost = endings.filter { $0.key != .finish }.values.reduce(0, +)
    #expect((330...470).contains(lost))
    #expect((150...250).contains(endings[.failure] ?? 0))
    let points = endings.keys.compactMap { if case .interruption(let count) = $0 { count } else { nil } }
    #expect(points.allSatisfy { (0..<100).contains($0) } && points.count > 50)
    #expect(
      try (1...50).allSatisfy {
        try sent(Self.body, conditions: NetworkConditions(lossRate: 1), call: $0).failure != nil
      })
    #expect(try (1...50).allSatisfy { try sent(Self.body, conditions: NetworkConditions(), call: $0).failure == nil })
  }

  @Test("is an error that says which seed to write to see it again", arguments: [7, nil] as [UInt64?])
  func seeds(seed: UInt64?) throws {
    let lost = try sent(Self.body, conditions: NetworkConditions(lossRate: 1, seed: seed), call: 3)
    let error = try #require(lost.failure as? URLError)
    #expect(error.code == .networkConnectionLost)
    #expect(
      error.localizedDescription == """
        The connection was lost at random: 100.0% of the requests to the stub "map" (Tests/A.swift:12) fail (call 3). \
        To repeat this run, write seed: \(seed ?? CallRandomness.seedOfProcess) in NetworkConditions.
        """)
    let flaky = try sent(Self.body.flaky(1, with: .timedOut, seed: seed))
    let failure = try #require(flaky.failure as? URLError)
    #expect(failure.code == .timedOut && flaky.plan.ending == .failure)
    #expect(failure.localizedDescription.contains("write seed: \(seed ?? CallRandomness.seedOfProcess) in .flaky(…)."))
  }

  @Test("is that it fails as often as it is flaky, the same calls each time")
  func flakiness() throws {
    func failing(seed: UInt64) throws -> [Int] {
      try (1...1_000).filter { try sent(Self.body.flaky(0.3, seed: seed), call: $0).plan.ending == .failure }
    }
    let calls = try failing(seed: 7)
    #expect((240...360).contains(calls.count))
    #expect(calls.prefix(2) == [1, 7])
    #expect(try failing(seed: 7) == calls)
    #expect(try failing(seed: 8) != calls)
    #expect(try sent(Self.body.flaky(0, seed: 7)).plan.ending == .finish)
    // After the delay, like any other failure.
    #expect(played(try sent(Self.body.delay(.milliseconds(9)).flaky(1)).plan) == ["9 fail"])
  }

  @Test("is that what is lost before its own failure comes fails of the loss, and otherwise not")
  func lossAndInterruption() throws {
    let conditions = NetworkConditions(lossRate: 1, seed: 3)
    for call in 1...200 {
      let sent = try sent(
        Self.body.failing(afterBytes: 50, with: .badServerResponse), conditions: conditions, call: call)
      let code = (sent.failure as? URLError)?.code
      switch sent.plan.ending {
      case .interruption(let count): #expect(code == (count < 50 ? .networkConnectionLost : .badServerResponse))
      default: #expect(sent.plan.ending == .failure && code == .networkConnectionLost)
      }
    }
  }

  @Test(
    "is that its body is as long as its own Content-Length says, or breaks off",
    arguments: [
      ("GET", body.header("Content-Length", "100"), ["0 head", "0 0..<100", "0 finish"]),
      ("GET", body.header("content-length", "120"), ["0 head", "0 0..<100", "0 fail"]),
      ("GET", body.header("Content-Length", "40"), ["0 head", "0 0..<40", "0 finish"]),
      ("GET", body.header("Content-Length", "0"), ["0 head", "0 finish"]),
      ("GET", .empty(status: 200, headers: ["Content-Length": "5"]), ["0 head", "0 fail"]),
      ("HEAD", body.header("Content-Length", "120"), ["0 head", "0 finish"]),
      ("GET", .data(Data(count: 3), status: 304, headers: ["Content-Length": "7"]), ["0 head", "0 finish"]),
      ("GET", .empty(headers: ["Content-Length": "7"]), ["0 head", "0 finish"]),
      (
        "GET", body.header("Content-Length", "40").header("Content-Encoding", "gzip"),
        ["0 head", "0 0..<100", "0 finish"]
      ),
      (
        "GET", body.header("Content-Length", "40").header("Transfer-Encoding", "chunked"),
        ["0 head", "0 0..<100", "0 finish"]
      ), ("GET", body.header("Content-Length", "many"), ["0 head", "0 0..<100", "0 finish"]),
      ("GET", body.header("Content-Length", "120").failing(afterBytes: 30), ["0 head", "0 0..<30", "0 fail"]),
      ("GET", body.header("Content-Length", "40").chunked(by: 30), ["0 head", "0 0..<30", "0 30..<40", "0 finish"]),
      (
        "GET", StubResponse.events(["a", "b"]).header("Content-Length", "12"),
        ["0 head", "0 0..<9", "0 9..<12", "0 finish"]
      ),
    ] as [(String, StubResponse, [String])])
  func lengths(method: String, response: StubResponse, expected: [String]) throws {
    let sent = try sent(response, method: method)
    #expect(played(sent.plan) == expected)
    if case .bytes(let count) = sent.plan.body { #expect(sent.body.count == count) }
  }

  @Test("is that a truncated body's error names both numbers")
  func truncation() throws {
    let sent = try sent(Self.body.header("Content-Length", "120"))
    let error = try #require(sent.failure as? URLError)
    #expect(error.code == .networkConnectionLost)
    #expect(error.localizedDescription.contains("100 of 120 bytes"))
  }

  @Test(
    "is that it comes at once, or that something may come between its parts",
    arguments: [
      (body, true), (body.delay(.seconds(1)), true), (body.chunked(by: 3), false),
      (body.bodyDuration(.seconds(1)), false),
      (body.failing(afterBytes: 3), false), (body.network(.edge), false), (body.network(NetworkConditions()), true),
      (body.header("Content-Length", "120"), false), (.events(["a"]), false),
      (.stream { AsyncStream { $0.finish() } }, false),
    ] as [(StubResponse, Bool)])
  func comesAtOnce(response: StubResponse, expected: Bool) throws {
    #expect(try sent(response).comesAtOnce == expected)
  }

  @Test(
    "is that its request is sent to a server, also if that then fails, or that there is none",
    arguments: [
      (body, true), (body.network(.offline), false), (body.flaky(1), true),
      (body.flaky(1, with: .cannotFindHost), false),
      (.failure(.cannotConnectToHost), false), (.failure(.timedOut), true), (.noAnswer, true),
      (body.failing(afterBytes: 0, with: .cannotFindHost), true), (body.network(NetworkConditions(lossRate: 1)), true),
    ] as [(StubResponse, Bool)])
  func reachesServer(response: StubResponse, expected: Bool) throws {
    #expect(try sent(response).reachesServer == expected)
  }
}
