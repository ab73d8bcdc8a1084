import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("The time that a replayed response takes", .inTurn)
struct ReplayTimingTests {
  /// An entry of some seconds.
  private static func entry(
    _ body: String?, head: Int? = nil, end: Int, error: URLError.Code? = nil, pieces: [(end: Int, time: Int)] = [],
    type: String? = nil
  ) -> HTTPArchive.Entry {
    let response = body.map { body in
      HTTPArchive.Response(headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8))
    }
    var entry = HTTPArchive.Entry(
      request: request("http://a.com/"), response: response, error: error.map { URLError($0) },
      duration: .seconds(end), timeToResponse: head.map { .seconds($0) })
    entry.pieces = pieces.map { .init(end: $0.end, time: .seconds($0.time)) }
    return entry
  }

  private static func stream(_ body: String, end: Int) -> HTTPArchive.Entry {
    entry(body, head: 1, end: end, type: "text/event-stream")
  }

  /// Entries, and what is told of each at which second.
  private static let rows = [
    (entry("1234", head: 2, end: 5, pieces: [(1, 3), (4, 4)]), "head at 2, 0..<1 at 3, 1..<4 at 4, finish at 5"),
    (entry("1234", end: 3), "head at 3, 0..<4 at 3, finish at 3"),
    (entry("", head: 1, end: 3), "head at 1, finish at 3"),
    (entry(nil, end: 3, error: .timedOut), "fail at 3"),
    (
      entry("1234", head: 1, end: 9, error: .networkConnectionLost, pieces: [(4, 2)]),
      "head at 1, 0..<4 at 2, fail at 9"
    ),
    // Times that make no sense, as in an archive that was edited.
    (entry("1234", head: 5, end: -1, pieces: [(3, 4), (2, 9)]), "head at 0, 0..<3 at 4, 3..<4 at 4, finish at 4"),
    // A stream whose pieces are not known is cut between its events, which come evenly.
    (
      stream("data: 1\n\ndata: 2\n\ndata: 3\n\n", end: 31),
      "head at 1, 0..<9 at 11, 9..<18 at 21, 18..<27 at 31, finish at 31"
    ),
    (stream("data: 1\r\n\r\ndata: 2\r\r", end: 21), "head at 1, 0..<11 at 11, 11..<20 at 21, finish at 21"),
    (stream("data: a\ndata: b\n\n\n\n: c\n\n", end: 21), "head at 1, 0..<19 at 11, 19..<24 at 21, finish at 21"),
    (stream("data: 1\n\ndata: half", end: 21), "head at 1, 0..<9 at 11, 9..<19 at 21, finish at 21"),
    (stream("\n\n", end: 11), "head at 1, 0..<2 at 11, finish at 11"), (stream("", end: 11), "head at 1, finish at 11"),
  ]

  /// What is told of an entry, and at which second.
  private func events(of entry: HTTPArchive.Entry, _ timing: ReplayTiming) throws -> String {
    let response = HTTPArchive(entry).answer(ofEntryAt: 0, timing)
    let body = try response.body.opened(by: nil).get()
    let plan = response.schedule(for: "GET", of: body, randomness: CallRandomness(stub: nil, callNumber: 1)).plan
    return plan.map { "\($0.step) at \($0.time)" }.joined(separator: ", ")
      .replacing("piece(Range(", with: "").replacing("))", with: "").replacing(".0 seconds", with: "")
  }

  @Test("is that of the recording, or none by default")
  func rows() throws {
    for (entry, expected) in Self.rows {
      #expect(try events(of: entry, .recorded) == expected, "\(expected)")
      #expect(try events(of: entry, .atOnce).matches(of: #/ at [^0]/#).isEmpty, "\(expected)")
    }
    // A body whose pieces are not known is spread over the rest of its time.
    let spread = try events(of: Self.entry("1234", head: 1, end: 3), .recorded)
    #expect(spread.wholeMatch(of: /head at 1, .*, finish at 3/) != nil, "\(spread)")
  }
}
