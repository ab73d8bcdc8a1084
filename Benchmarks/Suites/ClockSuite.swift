import Foundation
import StubKit

/// The cost of virtual time in real time: a step from deadline to deadline, retries, a slow download, and what a clock
/// costs others. Each is measured beside the same without a clock.
extension Run {
  private struct Work {
    let name: String
    let unit: String
    var contender = "StubKit"
    /// Returns the nanoseconds that it took.
    let time: () async throws -> Double
  }

  func measureClock() async throws {
    let deadlines = Work(name: "three deadlines", unit: "µs", time: timeOfDeadlines)
    let plain = Work(name: "a plain task and advance(by:)", unit: "µs", time: { await timeOfSteps(3) })
    let alone = try await medians(
      [
        Work(name: "a step to the next deadline", unit: "µs", time: { await timeOfSteps(1_000) / 1_000 }),
        Work(name: "100 retries with back-off", unit: "ms", time: { try await timeOfRetries(100) }),
        Work(name: "20 s over EDGE", unit: "ms", time: { try await timeOfDownload() }),
        deadlines, plain,
        Work(
          name: "a hop to the main actor and back", unit: "µs", contender: "none", time: { await timeOfMainActorHop() }),
        Work(
          name: "100 retries with back-off", unit: "ms", contender: "floor, no pauses",
          time: { await timeOfFailures(100) }),
        Work(
          name: "20 s over EDGE", unit: "ms", contender: "StubKit, no network",
          time: { try await timeOfDownload(isSlow: false) }),
      ], rounds: effort.clockRounds)
    // A hop takes about 2 or 3 µs, for a while each. So this needs many short rounds.
    let hops = try await medians(
      [
        Work(name: "a hop of other tasks", unit: "ns", contender: "none", time: { await timeOfHop(beside: nil) }),
        Work(
          name: "a hop of other tasks", unit: "ns", contender: "a live clock",
          time: { await timeOfHop(beside: ManualClock()) }),
      ], rounds: effort.clockRounds * 20)
    let busy = BusyTasks(100)
    let beside = try await medians([deadlines, plain], rounds: 3, suffix: ", beside 100 busy tasks")
    await busy.stop()
    report.measured("manual-clock-step-over-hop", alone[0] / alone[5])
    report.measured("manual-clock-retries-over-none", alone[1] / alone[6])
    report.measured("manual-clock-download-over-none", alone[2] / alone[7])
    report.measured("manual-clock-beside-100-over-alone", beside[0] / alone[3])
    report.measured("manual-clock-advance-beside-100-over-alone", beside[1] / alone[4])
    report.measured("manual-clock-hop-over-none", hops[1] / hops[0])
  }

  /// Measures each work in turn, and returns the medians in their units.
  private func medians(_ works: [Work], rounds: Int, suffix: String = "") async throws -> [Double] {
    let units = ["ns": 1.0, "µs": 1_000, "ms": 1_000_000]
    var samples = [[Double]](repeating: [], count: works.count)
    // The first round warms up. Beside busy tasks, the clock finds out in it that tasks are always ready.
    for round in 0...rounds {
      for (index, work) in works.enumerated() {
        let time = try await work.time() / units[work.unit]!
        if round > 0 { samples[index].append(time) }
      }
    }
    for (work, samples) in zip(works, samples) {
      report.add(.clock, work.name + suffix, work.contender, stubs: 1, unit: work.unit, samples)
    }
    return samples.map(Statistics.median)
  }

  /// Measured in the body, because the way there and back is the runtime's own.
  private func timeOfDeadlines() async -> Double {
    let clock = ManualClock()
    return await clock.run {
      let start = Nanoseconds.now()
      for _ in 0..<3 { try? await clock.sleep(for: .seconds(1)) }
      return Nanoseconds.since(start)
    }
  }

  /// A client sleeps again and again, in a task of its own.
  private func timeOfSteps(_ count: Int) async -> Double {
    let clock = ManualClock()
    let client = Task { for _ in 0..<count { try await clock.sleep(for: .seconds(1)) } }
    await clock.waitForPending()
    let start = Nanoseconds.now()
    await clock.advance(by: .seconds(count))
    let time = Nanoseconds.since(start)
    // A client that was too late on a busy machine sleeps on.
    client.cancel()
    _ = await client.result
    return time
  }

  /// - Parameter clock: A clock that another task has used.
  private func timeOfHop(beside clock: ManualClock?) async -> Double {
    let count = 500
    await clock?.advance(by: .seconds(1))
    return await Task.detached {
      let start = Nanoseconds.now()
      for _ in 0..<count { await Task.detached {}.value }
      return withExtendedLifetime(clock) { Nanoseconds.since(start) / Double(count) }
    }.value
  }

  /// A task that hops to the main actor, as a step of a clock gives both their turns.
  private func timeOfMainActorHop() async -> Double {
    let count = 500
    return await Task.detached {
      let start = Nanoseconds.now()
      for _ in 0..<count { await Task.detached { await MainActor.run {} }.value }
      return Nanoseconds.since(start) / Double(count)
    }.value
  }

  /// Requests to a bare URLProtocol that fails, one after the other.
  private func timeOfFailures(_ count: Int) async -> Double {
    let session = Requester.failing().session
    defer { session.finishTasksAndInvalidate() }
    let start = Nanoseconds.now()
    for _ in 0..<count {
      let data = try? await session.data(for: Style.path.request(0))
      precondition(data == nil)
    }
    return Nanoseconds.since(start)
  }

  /// A client tries again after pauses that double, up to a minute.
  private func timeOfRetries(_ count: Int) async throws -> Double {
    let (clock, registry) = (ManualClock(), StubRegistry())
    registry.clock = clock
    stub(
      condition: isHost(Site.host), responses: Array(repeating: .failure(.timedOut), count: count) + [.text("there")],
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
    precondition(registry.journal.entries.count == count + 1, "The client gave up.")
    return time
  }

  /// - Parameter isSlow: Whether the body comes over a slow network, by a manual clock, or at once.
  private func timeOfDownload(isSlow: Bool = true) async throws -> Double {
    let (clock, registry) = (ManualClock(), StubRegistry())
    // The number of bytes that takes twenty seconds over EDGE.
    let body = Data(repeating: 7, count: 20 * 16_000)
    if isSlow { registry.clock = clock }
    stub(condition: isHost(Site.host), response: isSlow ? .data(body).network(.edge) : .data(body), in: registry)
    let session = registry.makeSession()
    let start = Nanoseconds.now()
    let data =
      if isSlow {
        try await clock.run { try await session.data(for: Style.path.request(0)).0 }
      } else {
        try await session.data(for: Style.path.request(0)).0
      }
    let time = Nanoseconds.since(start)
    precondition(
      data == body && (!isSlow || clock.elapsed >= .seconds(20)), "\(data.count) bytes after \(clock.elapsed)")
    return time
  }
}

/// Tasks that have nothing to do with a clock: each computes for a millisecond, and lets the others have their turns.
private struct BusyTasks {
  private let tasks: [Task<Void, Never>]

  init(_ count: Int) {
    tasks = (0..<count).map { _ in
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
