import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The time that a replayed response takes", .inTurn)
struct ReplayTimingTests {
  private static let response = HTTPArchive.Response(headers: ["Content-Length": "4"], body: Data("1234".utf8))

  private static func entry(
    _ response: HTTPArchive.Response?, head: Duration?, end: Duration, error: URLError.Code? = nil,
    pieces: [(Int, Duration)] = []
  ) -> HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      request: request("http://a.com/"), response: response, error: error.map { URLError($0) }, duration: end,
      timeToResponse: head)
    entry.pieces = pieces.map { .init(end: $0.0, time: $0.1) }
    return entry
  }

  /// What is told of an entry, and when.
  private static func events(of entry: HTTPArchive.Entry, _ timing: ReplayTiming) throws -> [String] {
    let response = HTTPArchive(entries: [entry]).answer(ofEntryAt: 0, timing)
    let body = try response.body.opened(by: nil).get()
    let randomness = CallRandomness(stub: nil, call: 1)
    return response.schedule(for: "GET", of: body, randomness: randomness).plan.map { event in
      "\(event.step) at \(event.time)"
    }
  }

  private static let streams: [(text: String, ends: [Int])] = [
    ("data: 1\n\ndata: 2\n\ndata: 3\n\n", [9, 18, 27]), ("data: 1\r\n\r\ndata: 2\r\r", [11, 20]),
    ("data: a\ndata: b\n\n\n\n: comment\n\n", [19, 30]), ("data: 1\n\ndata: half", [9, 19]), ("half", [4]), ("", []),
    ("\n\n", [2]),
  ]

  @Test("is cut between events where the pieces of an event stream are not known")
  func events() throws {
    for (text, ends) in Self.streams {
      #expect(Data(text.utf8).endsOfEvents == ends, "\(text)")
      let response = HTTPArchive.Response(headers: ["Content-Type": "text/event-stream"], body: Data(text.utf8))
      let entry = Self.entry(response, head: .seconds(1), end: .seconds(1 + 10 * max(1, ends.count)))
      let events = try Self.events(of: entry, .recorded)
      let pieces = zip([0] + ends, ends).enumerated().map { index, piece in
        "piece(Range(\(piece.0)..<\(piece.1))) at \(Duration.seconds(1 + 10 * (index + 1)))"
      }
      #expect(events.first == "head at 1.0 seconds" && events.dropFirst().dropLast() == pieces[...], "\(text)")
    }
  }

  @Test("is that of the recording, or none by default")
  func recorded() throws {
    let whole = Self.entry(
      Self.response, head: .seconds(2), end: .seconds(5), pieces: [(1, .seconds(3)), (4, .seconds(4))])
    for (entry, expected) in [
      (whole, "head at 2.0, piece(Range(0..<1)) at 3.0, piece(Range(1..<4)) at 4.0, finish at 5.0"),
      (Self.entry(nil, head: nil, end: .seconds(3), error: .timedOut), "fail at 3.0"),
      (
        Self.entry(Self.response, head: nil, end: .seconds(3)),
        "head at 3.0, piece(Range(0..<4)) at 3.0, finish at 3.0"
      ),
      (Self.entry(.init(status: 200), head: .seconds(1), end: .seconds(3)), "head at 1.0, finish at 3.0"),
      (
        Self.entry(
          Self.response, head: .seconds(1), end: .seconds(9), error: .networkConnectionLost, pieces: [(4, .seconds(2))]),
        "head at 1.0, piece(Range(0..<4)) at 2.0, fail at 9.0"
      ),
      // Times that make no sense, as in an archive that was edited.
      (
        Self.entry(Self.response, head: .seconds(5), end: .seconds(-1), pieces: [(3, .seconds(4)), (2, .seconds(9))]),
        "head at 0.0, piece(Range(0..<3)) at 4.0, piece(Range(3..<4)) at 4.0, finish at 4.0"
      ),
    ] {
      #expect(try Self.events(of: entry, .recorded).joined(separator: ", ").replacing(" seconds", with: "") == expected)
    }
    #expect(try Self.events(of: whole, .atOnce).allSatisfy { $0.hasSuffix("at 0.0 seconds") })
    // A body whose pieces are not known is spread over the rest of its time.
    let spread = try Self.events(of: Self.entry(Self.response, head: .seconds(1), end: .seconds(3)), .recorded)
    #expect(spread.first == "head at 1.0 seconds" && spread.last == "finish at 3.0 seconds")
  }

  @Test("passes on a manual clock")
  func manualClock() async throws {
    let registry = StubRegistry()
    let clock = ManualClock()
    registry.clock = clock
    replay(
      HTTPArchive(entries: [Self.entry(Self.response, head: .seconds(20), end: .seconds(50))]), timing: .recorded,
      in: registry)
    let start = clock.now
    let session = registry.makeSession()
    let text = try await clock.run { try await session.fetch("http://a.com/").text }
    #expect(text == "1234" && start.duration(to: clock.now) == .seconds(50))
  }
}
