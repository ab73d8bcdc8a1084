import Foundation
import StubKit

extension Chapter {
  static let journal = Chapter(
    "The journal of all requests",
    code: #"""
      let journal = HTTPStubs.journal
      HTTPStubs.network = NetworkConditions(
        latency: .milliseconds(25), downlink: .kilobytesPerSecond(400))
      """#
  ) { page in
    let journal = HTTPStubs.journal
    HTTPStubs.network = NetworkConditions(
      latency: .milliseconds(25), downlink: .kilobytesPerSecond(400))
    let earlier = journal.entries

    page.show("An app starts on this network. These are its requests, with their start and their duration:\n")
    try await launch()
    let launched = Array(journal.entries.dropFirst(earlier.count))
    for line in Waterfall(launched).lines { page.show(line) }
    page.expect(
      launched.first?.stub?.name == "config" && launched.count == 4, "four requests, the first one for the config")
    page.expect(
      launched.allSatisfy { ($0.duration ?? .zero) >= .milliseconds(25) }, "no request to be faster than the network")
    page.expect(
      launched.dropFirst().allSatisfy {
        $0.startedAt.timeIntervalSince(launched[0].startedAt) >= (launched[0].duration ?? .zero) / .seconds(1) - 0.001
      }, "the other requests to follow the first one")

    guard page.isInWholeTour else { return }
    page.show("\nThe requests of the earlier chapters, each on the clock of its chapter:\n")
    page.show(row("stub", "path", "outcome", "time"))
    for entry in earlier {
      page.show(
        row(
          entry.stub?.name ?? "–", entry.request.url?.path ?? "", outcome(of: entry),
          entry.duration?.inWords ?? "–"))
    }
    // Chance determines how often the feed was requested.
    let names = earlier.map(\.stub?.name)
    page.expect(
      names.filter { $0 != "feed" } == [
        "user", "users", "slow", "job", "job", "job", "post", "post", "v1 me", "v1 news", "empty", "add",
        "full", "song", "song", "login", "film", "cdn", "map", "quotes", "outage",
        nil,
      ], "the requests of the tour, in order")
    page.expect(names.contains("feed"), "the requests for the feed among them")
    let unmatched = journal.unmatchedRequests.map(\.request.url?.path)
    page.expect(unmatched == ["/users"], "/users to be the only unmatched request")
    page.expect(journal.entries.allSatisfy { $0.duration != nil }, "a duration for each")
  }

  /// The app requests its config first, and then what it shows.
  private static func launch() async throws {
    stub(condition: isPath("/config"), response: .json(["version": 2]), name: "config")
    stub(condition: isPath("/me"), response: .json(["name": "Ann"]).delay(.milliseconds(20)), name: "me")
    stub(condition: isPath("/news"), response: .json(["news": 3]).delay(.milliseconds(60)), name: "news")
    stub(condition: isPath("/photo"), response: .data(Data(count: 40_000)), name: "photo")
    _ = try await Reply.get("https://api.example.com/config")
    async let me = Reply.get("https://api.example.com/me")
    async let news = Reply.get("https://api.example.com/news")
    async let photo = Reply.get("https://api.example.com/photo")
    _ = try await (me, news, photo)
  }

  private static func row(_ stub: String, _ path: String, _ outcome: String, _ duration: String) -> String {
    let time = String(repeating: " ", count: max(0, 12 - duration.count)) + duration
    return Terminal.column(stub, 9) + Terminal.column(path, 26) + Terminal.column(outcome, 20) + time
  }

  private static func outcome(of entry: RecordedRequest) -> String {
    if let status = entry.outcome.status { return "\(status)" }
    if entry.outcome.error is UnmatchedRequestError { return "unmatched" }
    return (entry.outcome.error as? URLError).map { "URLError \($0.code.rawValue)" } ?? entry.outcome.description
  }
}
