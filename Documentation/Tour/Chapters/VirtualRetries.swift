import Foundation
import StubKit

extension Chapter {
  static let virtualRetries = Chapter(
    "A flaky endpoint, and retries without waiting",
    code: #"""
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(condition: isPath("/feed"), response: .json(["news": 3])
             .delay(.seconds(2)).flaky(rate: 0.8, seed: 5),
           name: "feed")
      let attempts = try await clock.run { try await loadFeed(on: clock) }
      """#
  ) { page in
    let clock = ManualClock()
    HTTPStubs.clock = clock
    stub(
      condition: isPath("/feed"),
      response: .json(["news": 3]).delay(.seconds(2)).flaky(rate: 0.8, seed: 5),
      name: "feed")
    let attempts = try await clock.run { try await loadFeed(on: clock) }

    page.show("The client pauses for 1, 2, 4 … seconds on the clock that it shares with the network:\n")
    for (number, attempt) in zip(1..., attempts) {
      page.show("\(Terminal.seconds(attempt.start))  attempt \(number): \(attempt.outcome)")
    }
    page.show("\(Terminal.seconds(clock.elapsed))  done")
    page.expect(attempts.last?.outcome == "200", "a response at the end")
    page.expect(
      attempts.dropLast().allSatisfy { $0.outcome == "the connection was lost" }, "lost connections before that")
    // Each takes 2 seconds, and the pauses add up to one less than a power of two.
    let expected = attempts.indices.map { (number: Int) in Duration.seconds(2 * number + (1 << number) - 1) }
    page.expect(attempts.map(\.start) == expected, "each attempt at exactly its time")
    page.expect(clock.elapsed == expected.last.map { $0 + .seconds(2) }, "no additional time on the clock")
  }

  private static func loadFeed(on clock: ManualClock) async throws -> [(start: Duration, outcome: String)] {
    var attempts: [(start: Duration, outcome: String)] = []
    var pause = Duration.seconds(1)
    while true {
      let start = clock.elapsed
      do {
        let reply = try await Reply.get("https://api.example.com/feed")
        return attempts + [(start, String(reply.status))]
      } catch let error as URLError where error.code == .networkConnectionLost {
        attempts.append((start, "the connection was lost"))
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
  }
}
