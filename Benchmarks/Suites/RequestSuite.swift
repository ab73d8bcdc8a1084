import Foundation
import StubKit

/// Whole requests through URLSession. The contenders take turns, one request at a time.
extension Run {
  func measureRequests() async throws {
    let counts = effort.stubCounts.filter { $0 <= 10_000 }
    let (fewest, most) = (counts[0], counts[counts.count - 1])
    for stubs in counts {
      try await measure(
        "one at a time",
        [
          .floor(), .stubKit(constants(stubs)), .stubKit(closures(stubs), name: "StubKit, closure"),
          .stubKit(besideClosure(stubs), name: "StubKit, beside a closure"),
          .scan(interval: stubs < 1_000 ? 1 : 20),
        ], stubs: stubs,
        promise: [fewest: "request-over-floor-1", most: "request-over-floor-10000"][stubs],
        ofClosures: "closure-request-over-floor", besideClosure: "request-beside-closure-over-alone")
    }
    try await measure(
      "one at a time, async",
      [
        .floor(by: .async), .stubKit(constants(fewest), by: .async),
        .stubKit(closures(fewest), name: "StubKit, closure", by: .async),
      ], stubs: fewest, promise: "request-over-floor-async", ofClosures: "closure-request-over-floor-async")
    for stubs in [fewest, 100] {
      try await measure(
        "one at a time, beside a mock", [.mock(), .stubKit(constants(stubs))], stubs: stubs,
        promise: "debug-request-over-mock")
    }
    for stubs in [fewest, most] {
      try await measure(
        "64 at once, each", [.floor(), .stubKit(constants(stubs, times: .manyRequests))], stubs: stubs, atOnce: 64,
        promise: "request-over-floor-64-tasks")
      try await measure(
        "64 at once, each, async",
        [.floor(by: .async), .stubKit(constants(stubs, times: .manyRequests), by: .async)], stubs: stubs, atOnce: 64,
        promise: "request-over-floor-async-64-tasks")
    }
  }

  /// A verification of a registry that has answered a hundred requests: alone, and right after 64 tasks were resumed.
  func measureLookingBack() {
    let registry = constants(1)
    let session = registry.makeSession()
    let request = Style.path.request(0)
    @Sendable func resume(_ count: Int) -> DispatchGroup {
      let group = DispatchGroup()
      for _ in 0..<count {
        group.enter()
        session.dataTask(with: request) { _, _, _ in group.leave() }.resume()
      }
      return group
    }
    func isUnmet() -> Bool { (try? verify(isPath("/none"), called: .once, in: registry)) == nil }
    resume(100).wait()
    let beside = [false, true].map { verifies in
      Contender(name: verifies ? "64 tasks and a verification" : "64 tasks", stubs: 1) { count in
        (0..<count).count { _ in
          registry.journal.clear()
          let group = resume(64)
          let isRight = !verifies || isUnmet()
          group.wait()
          return isRight
        }
      }
    }
    let comparison = Comparison(beside, effort: effort, by: CLOCK_PROCESS_CPUTIME_ID)
    report.add(.requests, "a verification beside 64 tasks", comparison)
    report.measured("verification-beside-64-tasks", comparison.ratio(1, over: 0))
  }

  private func constants(_ stubs: Int, times: Int? = nil) -> StubRegistry {
    Style.path.registry(stubs: stubs, times: times)
  }

  private func besideClosure(_ stubs: Int) -> StubRegistry {
    let registry = constants(stubs)
    stub(condition: isHost(Site.host) && isPath("/closure"), in: registry) { _ in .status(204) }
    return registry
  }

  private func closures(_ stubs: Int) -> StubRegistry {
    let registry = StubRegistry()
    let response = StubResponse.data(Requester.stubKitBody, headers: Style.responseHeaders)
    for number in 0..<stubs { stub(condition: Style.path.condition(number), in: registry) { _ in response } }
    return registry
  }

  private func measure(
    _ name: String, _ requesters: [Requester], stubs: Int, atOnce: Int = 1, promise: String?,
    ofClosures closurePromise: String? = nil, besideClosure: String? = nil
  ) async throws {
    ScanProtocol.stubs = ScanStubs(count: stubs)
    let requests = (0..<max(atOnce, min(stubs, 1_024))).map { _ in Style.path.request(Int.random(in: 0..<stubs)) }
    let rounds = atOnce == 1 ? effort.requestsPerBlock : effort.requestsPerBlock / 16
    let blocks = try await Blocks(requesters, effort, rounds: rounds, requestsAtOnce: atOnce) { requester in
      guard atOnce == 1 else { return try await requester.performTogether(Array(requests.prefix(atOnce))) }
      return try await requester.perform(requests[Int.random(in: requests.indices)])
    }
    report.add(.requests, name, blocks, stubs: stubs)
    if let promise { report.measured(promise, blocks.ratio("StubKit", over: requesters[0].name)) }
    if let besideClosure {
      report.measured(besideClosure, blocks.ratio("StubKit, beside a closure", over: "StubKit"))
    }
    if let closurePromise { report.measured(closurePromise, blocks.ratio("StubKit, closure", over: "floor")) }
  }
}

/// The times of requesters that take turns, in an order that is drawn anew for each round. The blocks are so short that
/// the machine is the same throughout each of them.
struct Blocks {
  let names: [String]
  private var times: [[[Double]]] = []

  /// - Parameter turn: Makes the requests of one turn, and returns the nanoseconds that they took together.
  init(
    _ requesters: [Requester], _ effort: Effort, rounds: Int, requestsAtOnce: Int = 1,
    turn: (Requester) async throws -> Double
  ) async throws {
    names = requesters.map(\.name)
    defer { for requester in requesters { requester.session.finishTasksAndInvalidate() } }
    let start = Nanoseconds.now()
    // The first block warms up.
    for block in 0...effort.blocks where block < 3 || Nanoseconds.since(start) < effort.blockPatience {
      var times = [[Double]](repeating: [], count: requesters.count)
      for round in 0..<rounds {
        for index in requesters.indices.shuffled()
        where round.isMultiple(of: requesters[index].interval) {
          times[index].append(try await turn(requesters[index]) / Double(requestsAtOnce))
        }
      }
      for (requester, times) in zip(requesters, times) {
        try requester.audit(requests: times.count * requestsAtOnce)
      }
      if block > 0 { self.times.append(times) }
    }
  }

  func samples(_ index: Int) -> [Double] { times.flatMap { $0[index] } }

  /// The median, over all blocks, of the ratios of one requester's median to another's.
  func ratio(_ name: String, over other: String) -> Double {
    guard let index = names.firstIndex(of: name), let base = names.firstIndex(of: other) else { return .nan }
    return Statistics.median(times.map { Statistics.median($0[index]) / Statistics.median($0[base]) })
  }
}
