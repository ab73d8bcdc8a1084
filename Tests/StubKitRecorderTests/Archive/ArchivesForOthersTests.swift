import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

/// Writes archives for `.ci/archives`, which reads them with tools that are not StubKit.
@Suite(
  "Archives for other tools", .inTurn,
  .enabled(if: ProcessInfo.processInfo.environment["STUBKIT_WRITE_ARCHIVES"] != nil))
struct ArchivesForOthersTests {
  @Test("are written where they are wanted")
  func write() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["STUBKIT_WRITE_ARCHIVES"])
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    let entries = HTTPArchiveRoundTripTests.entries.map(\.1)
    try HTTPArchive().write(to: folder.appendingPathComponent("empty.har"))
    try HTTPArchive(entries: [entries[0]]).write(to: folder.appendingPathComponent("text.har"))
    try HTTPArchive(entries: entries).write(to: folder.appendingPathComponent("all.har"))
    try HTTPArchive(entries: entries).redacted(.standard).write(to: folder.appendingPathComponent("redacted.har"))
    var long = entries[0]
    long.response?.body = Data(repeating: 0x61, count: 300_000)
    try HTTPArchive(entries: [long]).write(to: folder.appendingPathComponent("long.har"))
    for name in ForeignArchiveTests.tools {
      let file = try ForeignArchiveTests.fixture(name)
      let target = folder.appendingPathComponent("from-\(file.lastPathComponent)")
      try HTTPArchive(contentsOf: file).write(to: target)
    }
    try await withStubs {
      stub(condition: isPath("/old"), response: .redirect(to: "/new"))
      stub(condition: isPath("/new"), response: .json(["a": 1]).addingHeader("Set-Cookie", "a=1; Max-Age=60; Secure"))
      _ = try await URLSession.shared.fetch("http://a.example/old?q=1")
      try StubRegistry.current.journal.har().write(to: folder.appendingPathComponent("journal.har"))
    }
  }
}
