/// A group of measurements that can be asked for by name.
enum Suite: String, CaseIterable {
  case matching, matchers, growth, registration, requests, bodies, timers, clock, memory, first, archives, server

  func run(effort: Effort, report: Report) async throws {
    switch self {
    case .matching: MatchingSuite(effort: effort, report: report).run()
    case .matchers: MatcherSuite(effort: effort, report: report).run()
    case .growth: GrowthSuite(effort: effort, report: report).run()
    case .registration: RegistrationSuite(effort: effort, report: report).run()
    case .requests: try await RequestSuite(effort: effort, report: report).run()
    case .bodies: try BodySuite(effort: effort, report: report).run()
    case .timers: try await TimerSuite(effort: effort, report: report).run()
    case .clock: try await ClockSuite(effort: effort, report: report).run()
    case .memory: try MemorySuite(effort: effort, report: report).run()
    case .first: try FirstStubSuite(effort: effort, report: report).run()
    case .archives: try await ArchiveSuite(effort: effort, report: report).run()
    case .server: try await ServerSuite(effort: effort, report: report).run()
    }
  }
}
