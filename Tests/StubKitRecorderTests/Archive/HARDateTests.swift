import Foundation
import TestSupport
import Testing

@testable import StubKitArchive

@Suite("A date of an archive", .inTurn)
struct HARDateTests {
  private static let rows: [(text: String, utc: String?)] = [
    ("2026-11-21T12:30:00.000Z", "2026-11-21T12:30:00.000Z"), ("2026-11-21T12:30:05Z", "2026-11-21T12:30:05.000Z"),
    ("2026-11-21T12:30:00.25+01:00", "2026-11-21T11:30:00.250Z"),
    ("2026-11-21T12:30:05.123999-0130", "2026-11-21T14:00:05.123Z"),
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"), ("2026-11-21T12:30:00+25:99", nil), ("2026-11-21T12", nil),
    ("2026-11-21", nil), ("yesterday", nil), ("", nil),
  ]

  @Test("is read with any fraction and offset, and written in milliseconds and the years that ISO 8601 has")
  func dates() {
    for (text, utc) in Self.rows { #expect(Date(archived: text)?.archived == utc, "\(text)") }
    for (seconds, text) in [
      (1_772_368_200.1229, "2026-03-01T12:30:00.123Z"), (-1.5, "1969-12-31T23:59:58.500Z"),
      (.infinity, "9999-12-31T23:59:59.000Z"),
    ] { #expect(Date(timeIntervalSince1970: seconds).archived == text) }
  }

  private static func archive(_ starts: String...) -> Data {
    let entries = starts.map { start in
      #"""
      {"startedDateTime": "\#(start)", "time": 1,
       "request": {"method": "GET", "url": "http://a.example/", "headers": []},
       "response": {"status": 204, "headers": [], "content": {"size": 0}}}
      """#
    }
    return Data(#"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#.utf8)
  }

  @Test("is kept as text if it can't be read, and its entry starts when a neighbor does")
  func unreadable() throws {
    let archive = try HTTPArchive(Self.archive("soon", "2026-11-21T12:30:00Z", "later"))
    let start = Date(archived: "2026-11-21T12:30:00Z")
    #expect(archive.entries.map(\.startedAt) == [start, start, start])
    #expect(archive.entries.map(\.unreadableStart) == ["soon", nil, "later"])
    let written = archive.data.text
    #expect(written.contains(#""startedDateTime" : "soon""#) && written.contains(#""startedDateTime" : "later""#))
    #expect(try HTTPArchive(archive.data) == archive)
    #expect(ArchiveTable(archive).lines.filter { $0.contains("which is not a date") }.count == 2)
    // Without a neighbour, it is now.
    let alone = try HTTPArchive(Self.archive("soon"))
    #expect(alone.entries[0].startedAt.timeIntervalSinceNow > -3_600)
    #expect(try HTTPArchive(alone.data) == alone)
    var changed = alone
    changed.entries[0].startedAt = Date(timeIntervalSince1970: 0)
    #expect(changed.data.text.contains("1970-01-01T00:00:00.000Z") && changed != alone)
  }
}
