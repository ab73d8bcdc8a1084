/// A group of measurements that can be asked for by name.
enum Suite: String, CaseIterable {
  case matching, growth, registration, requests, bodies, clock, first, replay, server
}

/// A run of the benchmarks: how much it measures, and where it reports to.
struct Run {
  let effort: Effort
  let report: Report

  func measure(_ suite: Suite) async throws {
    switch suite {
    case .matching: measureMatching()
    case .growth: measureGrowth()
    case .registration: measureRegistration()
    case .requests:
      measureLookingBack()
      try await measureRequests()
    case .bodies: try measureBodies()
    case .clock: try await measureClock()
    case .first: try measureFirstStub()
    case .replay: try await measureReplaying()
    case .server: try await measureServer()
    }
  }

  /// A value of a promise.
  struct Finding {
    let promise: String
    let value: Double
  }

  /// Measures something, and again if it keeps no promise or is worse than in the earlier run, because other work can
  /// interrupt a measurement. What keeps no promise three times doesn't keep it. Reports the last findings.
  func measureUntilKept<Result>(_ measure: () throws -> (Result, [Finding])) rethrows -> Result {
    var (result, findings) = try measure()
    for _ in 0..<2 where !findings.allSatisfy({ report.isKept($0.promise, by: $0.value) }) {
      (result, findings) = try measure()
    }
    for finding in findings { report.measured(finding.promise, finding.value) }
    return result
  }
}
