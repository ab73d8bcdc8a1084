import Foundation
import StubKit

/// Whole requests through URLSession. The contenders take turns, one request at a time. A ratio is that of the medians
/// of a block, taken block by block. A second floor shows how much two equal contenders can seem to differ.
struct RequestSuite {
  let effort: Effort
  let report: Report

  func run() async throws {
    let counts = effort.stubCounts.filter { $0 <= 10_000 }
    for stubs in counts {
      Terminal.progress("requests: \(stubs.grouped) stubs")
      let blocks = try await sequential(
        [
          .floor(), .floor(name: "floor again"), .stubKit(constants(stubs)),
          .stubKit(closures(stubs), name: "StubKit, closure"),
          .scan(interval: stubs < 1_000 ? 1 : 20),
        ], stubs: stubs)
      report.add("one at a time", blocks, stubs: stubs)
      if stubs == counts.first { report.measured("request-over-floor-1", blocks.ratio("StubKit", over: "floor")) }
      if stubs == counts.last { report.measured("request-over-floor-10000", blocks.ratio("StubKit", over: "floor")) }
      report.measured("closure-request-over-floor", blocks.ratio("StubKit, closure", over: "floor"))
    }
    for call in [Requester.Call.async, .delegate] {
      guard let stubs = counts.first else { break }
      Terminal.progress("requests: by \(call)")
      let requesters: [Requester] = [
        .floor(by: call), .stubKit(constants(stubs), by: call),
        .stubKit(closures(stubs), name: "StubKit, closure", by: call),
      ]
      let blocks = try await sequential(requesters, stubs: stubs)
      report.add("one at a time, \(call)", blocks, stubs: stubs)
      if call == .async {
        report.measured("request-over-floor-async", blocks.ratio("StubKit", over: "floor"))
        report.measured("closure-request-over-floor-async", blocks.ratio("StubKit, closure", over: "floor"))
      }
    }
    for stubs in [counts.first, counts.last].compactMap({ $0 }) {
      Terminal.progress("requests: \(stubs.grouped) stubs, with a cache")
      let blocks = try await sequential(
        [.floor(isCached: true), .stubKit(constants(stubs), isCached: true)], stubs: stubs)
      report.add("one at a time, cache", blocks, stubs: stubs)
      report.measured("request-over-floor-cached", blocks.ratio("StubKit", over: "floor"))
    }
    for stubs in [counts.first, counts.last].compactMap({ $0 }) {
      Terminal.progress("requests: 64 at once")
      let blocks = try await concurrent([.floor(), .stubKit(constants(stubs))], stubs: stubs)
      report.add("64 at once, each", blocks, stubs: stubs)
      report.measured("request-over-floor-64-tasks", blocks.ratio("StubKit", over: "floor"))
      Terminal.progress("requests: 64 at once, async")
      let calls = try await concurrent([.floor(by: .async), .stubKit(constants(stubs), by: .async)], stubs: stubs)
      report.add("64 at once, each, async", calls, stubs: stubs)
      report.measured("request-over-floor-async-64-tasks", calls.ratio("StubKit", over: "floor"))
    }
  }

  private func constants(_ stubs: Int) -> StubRegistry { Style.path.registry(stubs: stubs) }

  private func closures(_ stubs: Int) -> StubRegistry {
    let registry = StubRegistry()
    let response = StubResponse.data(Requester.stubKitBody, headers: Style.responseHeaders)
    for number in 0..<stubs { stub(condition: Style.path.condition(number), in: registry) { _ in response } }
    return registry
  }

  private func sequential(_ requesters: [Requester], stubs: Int) async throws -> Blocks {
    ScanProtocol.stubs = ScanStubs(count: stubs)
    var generator = SplitMix64(seed: 3)
    let requests = requests(min(stubs, 1_024), stubs: stubs)
    return try await blocks(requesters, rounds: effort.requestsPerBlock, requestsAtOnce: 1) { requester in
      try await requester.perform(requests[Int.random(in: requests.indices, using: &generator)])
    }
  }

  private func concurrent(_ requesters: [Requester], stubs: Int) async throws -> Blocks {
    let requests = requests(64, stubs: stubs)
    return try await blocks(requesters, rounds: effort.requestsPerBlock / 16, requestsAtOnce: 64) { requester in
      try await requester.performTogether(requests)
    }
  }

  private func requests(_ count: Int, stubs: Int) -> [URLRequest] {
    var generator = SplitMix64(seed: UInt64(stubs))
    return (0..<count).map { _ in Style.path.request(Int.random(in: 0..<stubs, using: &generator)) }
  }

  /// Measures blocks of rounds. Each requester has a turn in a round, in an order that is drawn anew each time.
  func blocks(
    _ requesters: [Requester], rounds: Int, requestsAtOnce: Int, turn: (Requester) async throws -> Double
  ) async throws -> Blocks {
    defer { for requester in requesters { requester.session.finishTasksAndInvalidate() } }
    var generator = SplitMix64(seed: 11)
    var blocks = Blocks(requesters.map(\.name))
    let start = Nanoseconds.now()
    // The first block warms up.
    for block in 0...effort.blocks where block < 3 || Nanoseconds.since(start) < effort.blockPatience {
      var times = [[Double]](repeating: [], count: requesters.count)
      for round in 0..<rounds {
        for index in requesters.indices.shuffled(using: &generator)
        where round.isMultiple(of: requesters[index].interval) {
          times[index].append(try await turn(requesters[index]) / Double(requestsAtOnce))
        }
      }
      for (requester, times) in zip(requesters, times) {
        try requester.audit(requests: times.count * requestsAtOnce)
      }
      if block > 0 { blocks.add(times) }
    }
    return blocks
  }
}

extension Report {
  fileprivate func add(_ case: String, _ blocks: Blocks, stubs: Int) {
    for (index, name) in blocks.names.enumerated() {
      add(Suite.requests.rawValue, `case`, name, stubs: stubs, unit: "µs", blocks.samples(index).map { $0 / 1_000 })
    }
    for name in blocks.names where name != "floor" {
      add(
        Suite.requests.rawValue, "\(`case`), over floor", name, stubs: stubs, unit: "×",
        blocks.ratios(name, over: "floor"))
    }
  }
}
