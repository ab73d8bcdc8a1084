/// A group of measurements that can be asked for by name.
enum Suite: String, CaseIterable {
  case matching, matchers, growth, registration, requests, bodies, timers, clock, memory, first, archives, server

  var summary: String {
    switch self {
    case .matching: "finding the stub for a request, 1 to 100,000 stubs of nine styles"
    case .matchers: "each matcher alone"
    case .growth: "requests with 1,000 and with 10,000 items, parsed and reported"
    case .registration: "adding and removing stubs"
    case .requests: "whole requests through URLSession, beside a bare URLProtocol"
    case .bodies: "large bodies: time and resident memory"
    case .timers: "how punctual a thousand delays at once are"
    case .clock: "what virtual time costs: steps, retries, a slow download, beside busy tasks"
    case .memory: "what a stub costs in memory"
    case .first: "what the first stub of a process costs"
    case .archives: "reading, writing and replaying HTTP Archives"
    case .server: "a server of stubs under load, beside a bare one"
    }
  }

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
