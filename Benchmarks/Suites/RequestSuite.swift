import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whole requests through URLSession. Each contender makes one after the other in turn; ratios are those of the medians of a
/// block, taken block by block. A second floor shows how far the same may seem to differ.
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
    let requests = (0..<min(stubs, 1_024)).map { _ in
      Style.path.request(Int.random(in: 0..<stubs, using: &generator))
    }
    var blocks = Blocks(requesters.map(\.name))
    for block in 0...effort.blocks {
      var times = [[Double]](repeating: [], count: requesters.count)
      for round in 0..<effort.requestsPerBlock {
        for index in requesters.indices.shuffled(using: &generator)
        where round.isMultiple(of: requesters[index].interval) {
          let request = requests[Int.random(in: requests.indices, using: &generator)]
          times[index].append(try await requesters[index].perform(request))
        }
      }
      for (requester, times) in zip(requesters, times) { try requester.audit(requests: times.count) }
      // The first block warms up.
      if block > 0 { blocks.add(times) }
    }
    return blocks
  }

  private func concurrent(_ requesters: [Requester], stubs: Int) async throws -> Blocks {
    var generator = SplitMix64(seed: 5)
    let requests = (0..<64).map { _ in Style.path.request(Int.random(in: 0..<stubs, using: &generator)) }
    var blocks = Blocks(requesters.map(\.name))
    for block in 0...effort.blocks {
      var times = [[Double]](repeating: [], count: requesters.count)
      for _ in 0..<max(5, effort.requestsPerBlock / 16) {
        for index in requesters.indices.shuffled(using: &generator) {
          let time = try await requesters[index].performTogether(requests)
          times[index].append(time / Double(requests.count))
        }
      }
      for (requester, times) in zip(requesters, times) {
        try requester.audit(requests: times.count * requests.count)
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
  }
}
