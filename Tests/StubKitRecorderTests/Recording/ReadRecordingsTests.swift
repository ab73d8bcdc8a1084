import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A recording that is read several times", .inTurn)
struct ReadRecordingsTests {
  private let folder: RecordingFolder
  private let recordings = ReadRecordings(limit: 100_000)

  init() throws { folder = try RecordingFolder() }

  /// A time at which the clock of the file system has moved on.
  private var later: Date { Date() + 60 }

  private func read(_ name: String = "users", now: Date? = nil) throws -> ReadRecording {
    try recordings.recording(at: folder.file(name), now: now ?? later)
  }

  private func texts(now: Date? = nil) throws -> [String] {
    try read(now: now).archive.entries.compactMap { $0.response?.body.text }
  }

  /// Changes the file, keeps its size and the time of its modification, and waits until its state is another one.
  private func change(_ change: () throws -> Void) async throws {
    let file = folder.file()
    let times = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    let before = FileState(file, now: later)
    try await until("the clock of the file system has moved on") {
      try change()
      try FileManager.default.setAttributes([.modificationDate: times as Any], ofItemAtPath: file.path)
      return FileState(file, now: later) != before
    }
  }

  @Test("is read once, with what its entries compare, while its file is the same")
  func once() throws {
    try folder.write(entry("http://a.example/", "1"))
    let first = try read()
    #expect(try read() === first)
    #expect(first.sequences(ReplayComparison(.default)) === first.sequences(ReplayComparison(.default)))
    let ignored = ReplayComparison(.default, ignoring: [.queryItem("ts")])
    #expect(first.sequences(ignored) !== first.sequences(ReplayComparison(.default)))
    #expect(first.sequences(ReplayComparison([.method])).all[0].condition.description == "isMethod(.get)")
  }

  @Test(
    "is read again when its file has changed, although size and date are the same",
    arguments: ["replaced", "written over"])
  func changed(way: String) async throws {
    try folder.write(entry("http://a.example/", "one"))
    #expect(try texts() == ["one"])
    let new = try String(contentsOf: folder.file(), encoding: .utf8).replacing("one", with: "two")
    try await change {
      try Data(new.utf8).write(to: folder.file(), options: way == "replaced" ? .atomic : [])
    }
    #expect(try texts() == ["two"])
  }

  @Test("is read again as long as a change could leave the dates of its file as they are")
  func justWritten() throws {
    try folder.write(entry("http://a.example/", "one"))
    let first = try read(now: Date())
    #expect(try read(now: Date()) !== first)
    // What was read so early says nothing later, either.
    let second = try read()
    #expect(second !== first)
    #expect(try read() === second)
  }

  @Test("is read again each time if a body is in a file beside it, which can change alone")
  func bodyInFile() throws {
    let body = folder.url.appendingPathComponent("body.txt")
    try Data("one".utf8).write(to: body)
    try Data(
      #"""
      {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "http://a.example/"},
        "response": {"status": 200, "content": {"_file": "body.txt"}}}]}}
      """#.utf8
    ).write(to: folder.file())
    #expect(try texts() == ["one"])
    try Data("two".utf8).write(to: body)
    #expect(try texts() == ["two"])
  }

  @Test("is no longer kept when others that were used later fill the memory")
  func bounded() throws {
    for name in ["a", "b", "c"] {
      try folder.write(entry("http://a.example/", String(repeating: name, count: 40_000)), name: name)
    }
    let (first, second) = (try read("a"), try read("b"))
    #expect(try read("a") === first)
    _ = try read("c")
    #expect(try read("a") === first)
    #expect(try read("b") !== second)
  }

  @Test("is an error each time if its file can't be read, and is read when that is mended")
  func mended() throws {
    #expect(throws: (any Error).self) { try read() }
    try Data("{".utf8).write(to: folder.file())
    #expect(throws: HTTPArchiveError.self) { try read() }
    try folder.write(entry("http://a.example/", "1"))
    #expect(try texts() == ["1"])
  }

  @Test("plays to each test from its beginning")
  func turns() async throws {
    try folder.write(entry("http://a.example/", "1"), entry("http://a.example/", "2"))
    for _ in 0..<2 {
      let texts = try await folder.with {
        try await withRecording(folder.recording()) {
          [
            try await URLSession.shared.fetch("http://a.example/").text,
            try await URLSession.shared.fetch("http://a.example/").text,
          ]
        }
      }
      #expect(texts == ["1", "2"])
    }
  }
}
