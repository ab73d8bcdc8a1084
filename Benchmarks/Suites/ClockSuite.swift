import Foundation
import StubKit

/// The cost of virtual time in real time: a step from deadline to deadline, retries, and a slow download.
struct ClockSuite {
  let effort: Effort
  let report: Report

  private static let stepCount = 1_000
  private static let retryCount = 100
  private static let hopCount = 2_000
  /// The number of bytes that takes twenty seconds over EDGE.
  private static let downloadLength = 20 * 16_000

  func run() async throws {
    var (steps, retries, downloads): ([Double], [Double], [Double]) = ([], [], [])
    // The first round warms up.
    for round in 0...effort.clockRounds {
      Terminal.progress("clock: round \(round)")
      let step = await microsecondsOfStep()
      let retry = try await millisecondsOfRetries()
      let download = try await millisecondsOfDownload()
      guard round > 0 else { continue }
      steps.append(step)
      retries.append(retry)
      downloads.append(download)
    }
    add("a step to the next deadline", "manual-clock-step-us", steps, unit: "µs")
    add("\(Self.retryCount) retries with back-off", "manual-clock-retries-ms", retries, unit: "ms")
    add("20 s over EDGE", "manual-clock-download-ms", downloads, unit: "ms")
    try await runBesideOthers()
  }

  private func runBesideOthers() async throws {
    var (alone, plainAlone, hops, hopsBesideClock): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for round in 0...effort.clockRounds {
      Terminal.progress("clock: alone, round \(round)")
      let time = await microsecondsOfDeadlines()
      let plainTime = await microsecondsOfDeadlinesOfPlainTask()
      let besideClock = await nanosecondsOfHop(beside: ManualClock())
      let hop = await nanosecondsOfHop(beside: nil)
      guard round > 0 else { continue }
      alone.append(time)
      plainAlone.append(plainTime)
      hops.append(hop)
      hopsBesideClock.append(besideClock)
    }
    let busy = BusyTasks(100)
    var (beside, plain): ([Double], [Double]) = ([], [])
    // In the first round, the clock finds out that tasks are always ready.
    for round in 0..<4 {
      Terminal.progress("clock: beside busy tasks, round \(round)")
      let (time, plainTime) = (await microsecondsOfDeadlines(), await microsecondsOfDeadlinesOfPlainTask())
      guard round > 0 else { continue }
      beside.append(time)
      plain.append(plainTime)
    }
    await busy.stop()
    let suite = Suite.clock.rawValue
    report.add(suite, "three deadlines, alone", "StubKit", stubs: 1, unit: "µs", alone)
    report.add(suite, "three deadlines beside 100 busy tasks", "StubKit", stubs: 1, unit: "µs", beside)
    report.add(suite, "a plain task and advance(by:), alone", "StubKit", stubs: 1, unit: "µs", plainAlone)
    report.add(suite, "the same beside 100 busy tasks", "StubKit", stubs: 1, unit: "µs", plain)
    report.measured("manual-clock-beside-100-over-alone", Statistics.median(beside) / Statistics.median(alone))
    report.measured(
      "manual-clock-advance-beside-100-over-alone", Statistics.median(plain) / Statistics.median(plainAlone))
    report.add(suite, "a hop of other tasks", "none", stubs: 1, unit: "ns", hops)
    report.add(suite, "a hop of other tasks", "a live clock", stubs: 1, unit: "ns", hopsBesideClock)
    report.measured("manual-clock-hop-over-none", Statistics.median(hopsBesideClock) / Statistics.median(hops))
  }

  /// Measured in the body, because the way there and back is the runtime's own.
  private func microsecondsOfDeadlines() async -> Double {
    let clock = ManualClock()
    return await clock.run {
      let start = Nanoseconds.now()
      for _ in 0..<3 { try? await clock.sleep(for: .seconds(1)) }
      return Nanoseconds.since(start) / 1_000
    }
  }

  private func microsecondsOfDeadlinesOfPlainTask() async -> Double {
    let clock = ManualClock()
    let client = Task { for _ in 0..<3 { try? await clock.sleep(for: .seconds(1)) } }
    await clock.waitForPending()
    let start = Nanoseconds.now()
    await clock.advance(by: .seconds(3))
    let time = Nanoseconds.since(start)
    client.cancel()
    await client.value
    return time / 1_000
  }

  /// - Parameter clock: A clock that another task has used.
  private func nanosecondsOfHop(beside clock: ManualClock?) async -> Double {
    await clock?.advance(by: .seconds(1))
    return await Task.detached {
      let start = Nanoseconds.now()
      for _ in 0..<Self.hopCount { await Task.detached {}.value }
      return withExtendedLifetime(clock) { Nanoseconds.since(start) / Double(Self.hopCount) }
    }.value
  }

  private func add(_ name: String, _ promise: String, _ samples: [Double], unit: String) {
    report.add(Suite.clock.rawValue, name, "StubKit", stubs: 1, unit: unit, samples)
    report.measured(promise, Statistics.median(samples))
  }

  /// A client sleeps again and again, in a task of its own.
  private func microsecondsOfStep() async -> Double {
    let clock = ManualClock()
    let client = Task { for _ in 0..<Self.stepCount { try await clock.sleep(for: .seconds(1)) } }
    await clock.waitForPending()
    let start = Nanoseconds.now()
    await clock.advance(by: .seconds(Self.stepCount))
    let time = Nanoseconds.since(start)
    // A client that was too late on a busy machine sleeps on.
    client.cancel()
    _ = await client.result
    return time / Double(Self.stepCount) / 1_000
  }

  /// A client tries again after pauses that double, up to a minute.
  private func millisecondsOfRetries() async throws -> Double {
    let (clock, registry) = (ManualClock(), StubRegistry())
    registry.clock = clock
    stub(
      condition: isHost(Site.host),
      responses: Array(repeating: .failure(.timedOut), count: Self.retryCount) + [.text("there")], in: registry)
    let session = registry.makeSession()
    let start = Nanoseconds.now()
    let attempts = try await clock.run {
      var (attempts, pause) = (0, 1)
      while true {
        attempts += 1
        do {
          _ = try await session.data(for: Style.path.request(0))
          return attempts
        } catch is URLError {
          try await clock.sleep(for: .seconds(pause))
          pause = min(60, pause * 2)
        }
      }
    }
    let time = Nanoseconds.since(start)
    precondition(attempts == Self.retryCount + 1, "The client gave up after \(attempts) attempts.")
    return time / 1_000_000
  }

  private func millisecondsOfDownload() async throws -> Double {
    let (clock, registry) = (ManualClock(), StubRegistry())
    registry.clock = clock
    let body = Data(repeating: 7, count: Self.downloadLength)
    stub(condition: isHost(Site.host), response: .data(body).network(.edge), in: registry)
    let session = registry.makeSession()
    let start = Nanoseconds.now()
    let data = try await clock.run { try await session.data(for: Style.path.request(0)).0 }
    let time = Nanoseconds.since(start)
    precondition(data == body && clock.elapsed >= .seconds(20), "\(data.count) bytes after \(clock.elapsed)")
    return time / 1_000_000
  }
}
