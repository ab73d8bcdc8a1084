import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("withRecording", .inTurn)
struct WithRecordingTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  private struct Wrong: Error {}

  @Test("makes a scope, or uses the registry of the one that it runs in")
  func scopes() async throws {
    try folder.write(entry("http://a.example/", "recorded"))
    try await folder.with {
      let own = try withRecording(folder.recording()) {
        #expect(StubRegistry.current !== StubRegistry.global)
        return StubRegistry.current
      }
      #expect(own !== StubRegistry.current)
      try await withStubs {
        let registry = StubRegistry.current
        try await withRecording(folder.recording()) {
          #expect(StubRegistry.current === registry && registry.stubs.count == 1)
          stub(condition: .anything, response: .text("mine"))
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "mine")
        }
        #expect(registry.stubs.count == 1, "the recording's own stub is gone")
        #expect(registry.unusedStubs.map(\.name) == ["users.har, entry 1"])
      }
    }
  }

  @Test("fails before it begins if a rule for its secrets can't be applied")
  func mistakenRule() async {
    await folder.with {
      var recording = folder.recording("new", .once)
      recording.redacting.append(.text(matching: "("))
      let mistaken = recording
      let error = await #expect(throws: RecordingError.self) {
        try await withRecording(mistaken) { _ = try await URLSession.shared.fetch("http://a.example/") }
      }
      #expect(error?.reason == .invalidRedaction && error?.errorCode == 10)
      #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("new.har").path))
    }
  }

  @Test("has a synchronous form")
  func synchronous() async throws {
    try folder.write(entry("http://a.example/", "recorded"))
    let folder = folder
    try await folder.with {
      func use() throws -> Int {
        try withRecording(folder.recording()) { StubRegistry.current.stubs.count }
      }
      #expect(try use() == 1)
      func record() throws {
        try withRecording(folder.recording("new", .once)) { answerFromNetwork("http://a.example/", "new") }
      }
      try record()
      func fail() throws { try withRecording(folder.recording("new", .all)) { throw Wrong() } }
      #expect(throws: Wrong.self) { try fail() }
      #expect(try folder.texts("new") == ["new"])
      let inner = try withStubs { try use() }
      #expect(inner == 1)
    }
  }

  @Test("says what it has recorded, and how many requests were not over")
  func told() async throws {
    try await folder.with {
      try withRecording(folder.recording("one", .once)) {
        answerFromNetwork("http://a.example/", "a")
        _ = (StubRegistry.current.tap as? ArchiveRecorder)?.begin()
      }
      try withRecording(folder.recording("two", .once)) {
        answerFromNetwork("http://a.example/", "a")
        answerFromNetwork("http://a.example/", "b")
      }
    }
    #expect(
      folder.said == [
        "Recorded 1 request to \(folder.file("one").path) (0 values redacted, 1 request left out as unfinished)",
        "Recorded 2 requests to \(folder.file("two").path) (0 values redacted)",
      ])
  }

  @Test("takes secrets out of all that it writes, and counts them")
  func redacted() async throws {
    try await folder.with {
      try withRecording(folder.recording("users", .once)) {
        let recorder = StubRegistry.current.tap as? ArchiveRecorder
        recorder?.end(
          recorder!.begin(),
          [entry(request("http://a.example/?token=s3cret", headers: ["Authorization": "s3cret"]), "a")])
      }
    }
    let text = try String(contentsOf: folder.file(), encoding: .utf8)
    #expect(
      !text.contains("s3cret")
        && folder.said == ["Recorded 1 request to \(folder.file().path) (2 values redacted: 2 by name)"])
  }

  @Test("writes nothing that would not be found on replay, and says which entry and why")
  func proof() throws {
    let one = entry(request("http://a.example/1"))
    let broken = HTTPArchive(entries: [entry(request("http://a.example/2"))])
    let none = HTTPArchive(entries: []).redactedAndReported([]).report
    let proof = RedactionProof(of: broken, against: HTTPArchive(entries: [one]), [], none)
    #expect(proof.problem?.entry == 1)
    #expect(proof.problem?.sentence == "entry 1, GET /2, doesn't find itself on replay as it was sent.")
    #expect(RedactionProof(of: broken, against: broken, [], none).problem == nil)
    let secret = HTTPArchive(entries: [entry(request("http://a.example/1?api_key=\("x7Qm29" + "kLp0aa")"))])
    let report = secret.redactedAndReported(.standard).report
    #expect(
      RedactionProof(of: broken, against: secret, .standard, report).advice
        == """
        Keep the value that tells the request from others. Replaced there:
        request URL (name "api_key"): .keep("api_key")
        """)
    let other = HTTPArchive(entries: [entry(request("http://a.example/1", headers: ["Cookie": "a=x7Qm29kLp0aa"]))])
    let advice = RedactionProof(
      of: broken, against: other, [.text(matching: "x7[a-zA-Z0-9]+")],
      other.redactedAndReported([.text(matching: "x7[a-zA-Z0-9]+")]).report
    ).advice
    #expect(advice.contains("Replaced there:\nrequest header Cookie (text(") && !advice.contains("x7Q"))
  }

  @Test("keeps the old file if the code throws, and says so")
  func thrown() async throws {
    try folder.write(entry("http://a.example/", "old"))
    for name in ["users", "new"] {
      await #expect(throws: Wrong.self) {
        try await folder.with {
          try withRecording(folder.recording(name, .all)) {
            answerFromNetwork("http://a.example/", "new")
            throw Wrong()
          }
        }
      }
    }
    #expect(try folder.texts() == ["old"])
    #expect(folder.names == ["new.har.failed", "users.har", "users.har.failed"])
    let failed = folder.file().appendingPathExtension("failed")
    #expect(try HTTPArchive(contentsOf: failed).entries.map { $0.response?.body } == [Data("new".utf8)])
    #expect(
      folder.said == [
        "The recording \"users\" was not written, because its test failed. The existing recording is unchanged: "
          + "\(folder.file().path). What it has recorded is in \(failed.path)",
        "The recording \"new\" was not written, because its test failed. There is no recording at "
          + "\(folder.file("new").path). What it has recorded is in \(folder.file("new").path).failed",
      ])
    let recording = folder.recording("users", .all)
    #expect(
      await folder.error(of: recording) { answerFromNetwork("http://a.example/", "newer") } == nil, "the file is free")
    #expect(try folder.texts() == ["newer"] && folder.names == ["new.har.failed", "users.har"])
  }

  @Test("is an error if it would replace a recording with nothing")
  func empty() async throws {
    try folder.write(entry("http://a.example/", "old"))
    let error = await folder.error(of: folder.recording("users", .all)) {
      _ = (StubRegistry.current.tap as? ArchiveRecorder)?.begin()
    }
    #expect(error?.reason == .empty && error?.description.contains("1 request had not ended") == true)
    #expect(try folder.texts() == ["old"])
  }

  struct LongBody: CustomTestStringConvertible {
    let mode: RecordingMode
    let others: [String]
    let texts: [String]
    let said: String
    var testDescription: String { "\(mode), beside \(others)" }
  }

  @Test(
    "writes all but a request whose body is too long, and is then an error that names it",
    arguments: [
      LongBody(mode: .all, others: ["new"], texts: ["new"], said: "written without GET http://a.example/film"),
      LongBody(
        mode: .newEpisodes, others: ["b"], texts: ["old", "b"], said: "written without GET http://a.example/film"),
      LongBody(mode: .all, others: [], texts: ["old"], said: "not written"),
      LongBody(mode: .newEpisodes, others: [], texts: ["old"], said: "not written"),
    ])
  func longBody(row: LongBody) async throws {
    try folder.write(entry("http://a.example/", "old"))
    let error = await folder.error(of: folder.recording("users", row.mode)) {
      for text in row.others { answerFromNetwork("http://a.example/\(text)", text) }
      let recorder = try #require(StubRegistry.current.tap as? ArchiveRecorder)
      let film = ArchiveRecording(recorder, request("http://a.example/film?key=secret"))
      film.setRequestBody(Data(count: 64 << 20 + 1))
      film.end(error: nil)
    }
    #expect(
      error?.description
        == "The recording \"users\" was \(row.said), because GET http://a.example/film sent a body of more than 64 MB, which is "
        + "the most that a recording keeps. Let the test ask for less, or register a stub for that request.")
    #expect(try error?.reason == .unwritable && folder.texts() == row.texts && folder.names == ["users.har"])
  }

  @Test("leaves a file alone to which nothing new has come")
  func nothingNew() async throws {
    try folder.write(entry("http://a.example/", "old"))
    // Bytes that no writer would write.
    let bytes = try Data(contentsOf: folder.file()) + Data("\n\n".utf8)
    try bytes.write(to: folder.file())
    #expect(await folder.error(of: folder.recording("users", .newEpisodes)) == nil)
    #expect(try Data(contentsOf: folder.file()) == bytes && folder.said.isEmpty)
  }

  @Test(
    "is an error that names both, if two tests record to one file at a time",
    arguments: [RecordingMode.once, .newEpisodes, .all])
  func conflict(mode: RecordingMode) async throws {
    let first = #line + 2
    try await folder.with {
      try withRecording(folder.recording("users", mode)) {
        let link = folder.url.deletingLastPathComponent().appendingPathComponent("link-\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        defer { unlink(link.path) }
        for same in [folder.url, link] {
          do {
            try withRecording(Recording("users", in: same, mode: mode)) {}
            Issue.record("recorded twice")
          } catch let error as RecordingError {
            #expect(error.reason == .conflicting)
            #expect(error.description.contains("StubKitRecorderTests/WithRecordingTests.swift:\(first)"))
            #expect(error.description.contains("StubKitRecorderTests/WithRecordingTests.swift:\(first + 6)"))
          }
        }
        try withRecording(folder.recording("other", mode)) {}
      }
    }
  }

  @Test("plays one recording for several tests at a time")
  func shared() async throws {
    try folder.write(entry("http://a.example/", "1"), entry("http://a.example/", "2"))
    let folder = folder
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 1...8 {
        group.addTask {
          try await withRecording(folder.recording()) {
            let first = try await URLSession.shared.fetch("http://a.example/").text
            return [first, try await URLSession.shared.fetch("http://a.example/").text]
          }
        }
      }
      for try await texts in group { #expect(texts == ["1", "2"]) }
    }
  }

  @Test("makes recordings at the same time, each its own")
  func parallel() async throws {
    let folder = folder
    try await folder.with {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...8 {
          group.addTask {
            try withRecording(folder.recording("\(number)", .once)) {
              answerFromNetwork("http://a.example/", "\(number)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
    for number in 1...8 { #expect(try folder.texts("\(number)") == ["\(number)"]) }
  }

  @Test("adds to what another process has written meanwhile")
  func meanwhile() async throws {
    try folder.write(entry("http://a.example/1", "1"))
    try await folder.with {
      try withRecording(folder.recording("users", .newEpisodes)) {
        try folder.write(entry("http://a.example/1", "1"), entry("http://a.example/2", "2"))
        answerFromNetwork("http://a.example/3", "3")
      }
    }
    #expect(try folder.texts() == ["1", "2", "3"])
  }

  @Test("waits for a process that is writing, on its thread or suspended", arguments: [true, false])
  func locked(isSynchronous: Bool) async throws {
    let folder = folder
    try folder.write(entry("http://a.example/", "1"))
    let descriptor = open(folder.url.path, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let order = Locked<[String]>([])
    let count = isSynchronous ? 1 : 64
    // More tasks than Swift's pool has threads. If one of them blocked its thread, the last body would never run.
    let written = (1...count).map { number in
      Task {
        let quiet = RecordingSurroundings(environment: [:]) { _ in }
        try await RecordingSurroundings.$current.withValue(quiet) {
          let recording = folder.recording(count == 1 ? "users" : "\(number)", .newEpisodes)
          @Sendable func body() {
            answerFromNetwork("http://a.example/\(number)", "a")
            order.withLock { $0.append("over") }
          }
          if isSynchronous {
            // A thread of its own has no task-local values.
            try await onOwnThread {
              try RecordingSurroundings.$current.withValue(quiet) { try withRecording(recording) { body() } }
            }
          } else {
            try await withRecording(recording) { () async in body() }
          }
        }
        order.withLock { $0.append("written") }
      }
    }
    // A lock belongs to the open file, so this process is as another one to itself.
    try await until("the bodies are over") { order.withLock { $0.count == count } }
    order.withLock { $0.append("unlocked") }
    flock(descriptor, LOCK_UN)
    close(descriptor)
    for task in written { try await task.value }
    let over = Array(repeating: "over", count: count)
    #expect(order.withLock { $0 } == over + ["unlocked"] + over.map { _ in "written" })
    #expect(try folder.texts(isSynchronous ? "users" : "7") == (isSynchronous ? ["1", "a"] : ["a"]))
    #expect(!folder.names.contains { $0.contains("lock") })
  }

  @Test("loses nothing that others write to its file at the same moment")
  func contended() async throws {
    let folder = folder
    try folder.write(entry("http://a.example/", "0"))
    try await folder.with {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...12 {
          // As from another process, because this one doesn't know that a link leads to the same file.
          let link = folder.file("link\(number)")
          try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
          group.addTask {
            try await withRecording(folder.recording("link\(number)", .newEpisodes)) { () async in
              answerFromNetwork("http://a.example/\(number)", "\(number)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(Set(try folder.texts()) == Set((0...12).map { "\($0)" }))
  }

  @Test("replays at the recorded times, and by the parts that the recording names")
  func options() async throws {
    var slow = entry("http://a.example/?token=1", "slow")
    slow.duration = .seconds(9)
    try folder.write(slow)
    var recording = folder.recording()
    recording.matching = [.method, .path]
    recording.timing = .recorded
    let clock = ManualClock()
    try await folder.with {
      try await withRecording(recording) {
        StubRegistry.current.clock = clock
        let text = try await clock.run { try await URLSession.shared.fetch("http://b.example/?token=2").text }
        #expect(text == "slow" && clock.now.offset == .seconds(9))
      }
    }
  }
}
