import Foundation
import StubKitTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct FeedClient {
  func feed() async throws -> [String] {
    let feed = URL(string: "https://api.example.com/feed")!
    return try JSONDecoder().decode([String].self, from: await URLSession.shared.data(from: feed).0)
  }
}

private let client = FeedClient()

@Suite(.stubbed(clock: .immediate)) struct FeedTests {
  @Test func waitsInRealTime() async throws {
    HTTPStubs.clock = .real
    stub(.get, "/feed", response: .json([]).delay(.milliseconds(20)))
    let start = ContinuousClock.now
    _ = try await client.feed()
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }
}

@Suite(.stubbed(clock: .immediate)) private struct TimeoutTests {
  @Test func timesOutWhenTheTestSaysSo() async throws {
    let clock = ManualClock()
    HTTPStubs.clock = clock
    stub(.get, "/feed", response: .noAnswer)
    await #expect(throws: URLError.self) { try await clock.run { try await client.feed() } }
    #expect(clock.elapsed == .seconds(60))
  }
}
