import Foundation
import StubKit

/// The punctuality of delays that run at the same time, beside a bare URLProtocol with a timer of Dispatch's. It is
/// measured from `resume()` to the completion handler, so the request's own time is part of the lateness.
extension Run {
  func measureTimers() async throws {
    // One is resumed each 180 µs. A request takes up to 150 µs, so with a thousand the lateness would be that of a
    // queue.
    let (count, delay) = (500, 100.0)
    let registry = StubRegistry()
    let response = StubResponse.data(Requester.stubKitBody).delay(.milliseconds(100))
    stub(condition: isHost(Site.host), response: response, in: registry)
    let requesters = [Requester.delayedFloor(), .stubKit(registry)]
    var lateness: [[[Double]]] = [[], []]
    for round in 0...effort.delayRounds {
      for (index, requester) in requesters.enumerated() {
        let times = try await Delays(count).run(requester)
        try requester.audit(requests: count)
        // The first round warms up.
        if round > 0 { lateness[index].append(times.map { $0 / 1_000_000 - delay }) }
      }
    }
    for (requester, lateness) in zip(requesters, lateness) {
      report.add(.timers, "lateness of 100 ms", requester.name, stubs: 1, unit: "ms", lateness.flatMap(\.self))
    }
    func ratio(_ quantile: Double) -> Double {
      Statistics.median(
        zip(lateness[1], lateness[0]).map {
          Statistics.quantile(quantile, of: $0) / Statistics.quantile(quantile, of: $1)
        })
    }
    report.measured("timer-early-ms", max(0, -(lateness[1].flatMap(\.self).min() ?? .nan)))
    report.measured("timer-p50-over-dispatch", ratio(0.5))
    report.measured("timer-p99-over-dispatch", ratio(0.99))
  }
}

/// Requests whose delays all run at the same time. They start one after the other, all of them before the first ends.
/// If they started at one instant, they would measure how long the machine takes to start them.
private final class Delays: @unchecked Sendable {
  // @unchecked holds because what changes is touched under the lock only.
  private let lock = NSLock()
  private var starts: [UInt64]
  private var times: [Double] = []

  init(_ count: Int) { starts = Array(repeating: 0, count: count) }

  /// The nanoseconds of each request.
  func run(_ requester: Requester) async throws -> [Double] {
    let count = lock.withLock { starts.count }
    return try await withStubs(registry: requester.registry) {
      try await withCheckedThrowingContinuation { continuation in
        let tasks = (0..<count).map { number in
          requester.session.dataTask(with: Style.path.request(number)) { data, _, _ in
            let end = Nanoseconds.now()
            precondition(data == requester.body, "Another body arrived than the stub's.")
            let times = self.lock.withLock {
              self.times.append(Double(end - self.starts[number]))
              return self.times
            }
            if times.count == count { continuation.resume(returning: times) }
          }
        }
        let beginning = Nanoseconds.now()
        for (number, task) in tasks.enumerated() {
          let ahead = Double(number) * 0.09 / Double(count) - Nanoseconds.since(beginning) / 1_000_000_000
          if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
          lock.withLock { starts[number] = Nanoseconds.now() }
          task.resume()
        }
      }
    }
  }
}
