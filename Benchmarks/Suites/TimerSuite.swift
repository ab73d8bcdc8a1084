import Foundation
import StubKit

/// The punctuality of delays that run at the same time. It is measured from `resume()` to the completion handler, so
/// the request's own time is part of the lateness. A bare URLProtocol with a dispatch timer is measured beside it.
struct TimerSuite {
  let effort: Effort
  let report: Report

  static let count = 1_000
  static let delay = 0.1

  func run() async throws {
    let requesters = [
      Requester.stubKit(registry(delay: .milliseconds(100))),
      Requester(
        name: "floor", session: Requester.session(DelayedFloorProtocol.self, isCached: false),
        registry: Requester.trap(), body: FloorProtocol.body, isStubbed: false),
    ]
    // The time of the same requests without a delay.
    let undelayed = Requester.stubKit(registry(delay: .zero), name: "StubKit, no delay")
    var lateness = [[Double]](repeating: [], count: requesters.count)
    var overhead: [Double] = []
    for round in 0...effort.delayRounds {

      for (index, requester) in requesters.enumerated() {
        Terminal.progress("timers: \(requester.name)")
        let times = try await Delays(requester, count: Self.count).run()
        try requester.audit(requests: Self.count)
        // The first round warms up.
        if round > 0 { lateness[index] += times.map { ($0 / 1_000_000_000 - Self.delay) * 1_000 } }
      }
      let times = try await Delays(undelayed, count: Self.count).run()
      try undelayed.audit(requests: Self.count)
      if round > 0 { overhead += times.map { $0 / 1_000_000 } }
    }
    for (requester, lateness) in zip(requesters, lateness) {
      report.add(Suite.timers.rawValue, "lateness of 100 ms", requester.name, stubs: 1, unit: "ms", lateness)
      report.add(
        Suite.timers.rawValue, "the earliest of all", requester.name, stubs: 1, unit: "ms",
        [lateness.min() ?? .nan])
    }
    report.add(Suite.timers.rawValue, "the same requests", undelayed.name, stubs: 1, unit: "ms", overhead)
    let statistics = Statistics(lateness[0])
    report.measured("timer-early-ms", max(0, -(lateness[0].min() ?? .nan)))
    report.measured("timer-p50-ms", statistics.median)
    report.measured("timer-p99-ms", statistics.p99)
  }

  private func registry(delay: Duration) -> StubRegistry {
    let registry = StubRegistry()
    let response = StubResponse.data(Requester.stubKitBody).delay(delay)
    stub(condition: isHost(Site.host), response: response, in: registry)
    return registry
  }
}
