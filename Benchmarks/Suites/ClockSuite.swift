import Foundation
import StubKit

/// The cost of virtual time in real time: retries beside the same without a clock, and deadlines beside busy tasks.
extension Run {
  func measureClock() async throws {
    let retries = try await microseconds("100 retries with back-off", "StubKit", timeOfRetries)
    let failures = try await microseconds("100 retries with back-off", "floor, no pauses", timeOfFailures)
    report.measured("manual-clock-retries-over-none", retries / failures)
    let alone = try await microseconds("three deadlines", "StubKit", timeOfDeadlines)
    let busy = BusyTasks()
    let beside = try await microseconds("three deadlines", "StubKit, beside 100 busy tasks", timeOfDeadlines)
    await busy.stop()
    report.measured("manual-clock-beside-100-over-alone", beside / alone)
  }

  /// Returns the median. The first round warms up: beside busy tasks, the clock finds out that tasks are always ready.
  private func microseconds(_ name: String, _ contender: String, _ time: () async throws -> Double) async throws
    -> Double
  {
    _ = try await time()
    var samples: [Double] = []
    for _ in 0..<effort.clockRounds { samples.append(try await time() / 1_000) }
    report.add(.clock, name, contender, stubs: 1, unit: "µs", samples)
    return Statistics.median(samples)
  }

  private static let retries = 100

  /// Measured in the body, because the way there and back is the runtime's own.
  private func timeOfDeadlines() async -> Double {
    let clock = ManualClock()
    return await clock.run {
      let start = Nanoseconds.now()
      for _ in 0..<3 { try? await clock.sleep(for: .seconds(1)) }
      return Nanoseconds.since(start)
    }
  }

  /// Requests to a bare URLProtocol that fails, one after the other.
  private func timeOfFailures() async -> Double {
    let session = Requester.failing().session
    defer { session.finishTasksAndInvalidate() }
    let start = Nanoseconds.now()
    for _ in 0..<Self.retries {
      let data = try? await session.data(for: Style.path.request(0))
      precondition(data == nil)
    }
    return Nanoseconds.since(start)
  }

  /// A client tries again after pauses that double, up to a minute.
  private func timeOfRetries() async throws -> Double {
    let (clock, registry) = (ManualClock(), StubRegistry())
    registry.clock = clock
    stub(
      condition: isHost(Site.host),
      responses: Array(repeating: .failure(.timedOut), count: Self.retries) + [.text("there")],
      in: registry)
    let session = registry.makeSession()
    let start = Nanoseconds.now()
    try await clock.run {
      var pause = 1
      while (try? await session.data(for: Style.path.request(0))) == nil {
        try await clock.sleep(for: .seconds(pause))
        pause = min(60, pause * 2)
      }
    }
    let time = Nanoseconds.since(start)
    precondition(registry.journal.entries.count == Self.retries + 1, "The client gave up.")
    return time
  }
}

/// Tasks that have nothing to do with a clock: each computes for a millisecond, and lets the others have their turns.
private struct BusyTasks {
  private let tasks: [Task<Void, Never>]

  init() {
    tasks = (0..<100).map { _ in
      Task.detached {
        while !Task.isCancelled {
          let start = Nanoseconds.now()
          var value = 1.0
          while Nanoseconds.since(start) < 1_000_000 { value = (value + 1).squareRoot() }
          precondition(value > 0)
          await Task.yield()
        }
      }
    }
  }

  func stop() async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
