import Foundation
import TestSupport
import Testing

@testable import StubKitArchive

@Suite("A date of an archive", .inTurn)
struct HARDateTests {
  @Test(
    "is read with any fraction of a second and any offset from UTC",
    arguments: [
      ("2026-11-21T12:30:00.000Z", "2026-11-21T12:30:00.000Z"), ("2026-11-21T12:30:05Z", "2026-11-21T12:30:05.000Z"),
      ("2026-11-21T12:30:00.25+01:00", "2026-11-21T11:30:00.250Z"),
      ("2026-11-21T12:30:05.123999-0130", "2026-11-21T14:00:05.123Z"),
      ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    ])
  func read(text: String, inUTC: String) { #expect(Date(archived: text)?.archived == inUTC) }

  @Test(
    "is not what lacks a time, has an impossible offset or is no date at all",
    arguments: ["2026-11-21T12:30:00+25:99", "2026-11-21T12", "2026-11-21", "yesterday", ""])
  func refused(text: String) { #expect(Date(archived: text) == nil) }

  @Test(
    "is written in milliseconds, and at most as the last second of the year 9999",
    arguments: [
      (1_772_368_200.1229, "2026-03-01T12:30:00.123Z"), (-1.5, "1969-12-31T23:59:58.500Z"),
      (.infinity, "9999-12-31T23:59:59.000Z"),
    ] as [(TimeInterval, String)])
  func written(secondsSince1970: TimeInterval, text: String) {
    #expect(Date(timeIntervalSince1970: secondsSince1970).archived == text)
  }

  /// An archive with an entry for each start.
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

  @Test("that can't be read is kept as text, also in the file that is written")
  func unreadable() throws {
    let archive = try HTTPArchive(Self.archive("soon", "2026-11-21T12:30:00Z", "later"))
    #expect(archive.entries.map(\.unreadableStart) == ["soon", nil, "later"])
    let written = archive.data.text
    #expect(written.contains(#""startedDateTime" : "soon""#))
    #expect(written.contains(#""startedDateTime" : "later""#))
    #expect(try HTTPArchive(archive.data) == archive)
  }

  @Test("that can't be read is that of a neighbor, or now if the entry has none")
  func startOfUnreadable() throws {
    let archive = try HTTPArchive(Self.archive("soon", "2026-11-21T12:30:00Z", "later"))
    let start = Date(archived: "2026-11-21T12:30:00Z")
    #expect(archive.entries.map(\.startedAt) == [start, start, start])
    let before = Date()
    let alone = try HTTPArchive(Self.archive("soon")).entries[0].startedAt
    #expect(before <= alone && alone <= Date(), "\(alone)")
  }

  @Test("that can't be read is named in the table of the archive")
  func unreadableInTable() throws {
    let table = ArchiveTable(try HTTPArchive(Self.archive("soon", "2026-11-21T12:30:00Z")))
    #expect(table.lines.filter { $0.contains("which is not a date") }.count == 1, "\(table.lines)")
  }

  @Test("replaces one that couldn't be read when the entry is given another start")
  func replaced() throws {
    var archive = try HTTPArchive(Self.archive("soon"))
    archive.entries[0].startedAt = Date(timeIntervalSince1970: 0)
    #expect(archive.data.text.contains(#""startedDateTime" : "1970-01-01T00:00:00.000Z""#), "\(archive.data.text)")
  }
}
