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
}
