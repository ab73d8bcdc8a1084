import Foundation
import StubKitRecording
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("withRecording", .inTurn)
struct WithRecordingTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  @Test("makes a scope, or uses the registry of the one that it runs in, whose policy it gives back")
  func scopes() async throws {
    try folder.write(entry("http://a.example/", "recorded"))
    try await folder.with {
      try withRecording(folder.recording()) { #expect(StubRegistry.current !== StubRegistry.global) }
      try await withStubs {
        let registry = StubRegistry.current
        HTTPStubs.unmatched = .passThrough
        try await withRecording(folder.recording()) {
          #expect(StubRegistry.current === registry)
          #expect(registry.stubs.map(\.name) == ["users.har, entry 1"])
          #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/") is UnmatchedRequestError)
          stub(condition: .anything, response: .text("mine"))
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "mine")
        }
        #expect(registry.stubs.map(\.name) == [nil], "Only the code's own stub stays.")
        #expect(registry.unusedStubs.map(\.name) == ["users.har, entry 1"])
        guard case .passThrough = HTTPStubs.unmatched.kind else { return #expect(Bool(false), "not given back") }
      }
    }
  }

  @Test("says of a request that would not be found on replay what was replaced in it, and how to keep it")
  func proof() {
    let url = "http://a.example/1?api_key=\("x7Qm29" + "kLp0aa")"
    let archive = HTTPArchive(entry(url))
    let (redacted, report) = archive.redactedAndReported(.standard)
    // The path is another one, so nothing is found.
    let proof = RedactionProof(
      of: HTTPArchive(entry("http://a.example/2")), against: archive, .standard, report)
    #expect(redacted != archive)
    #expect(proof.problem?.sentence == "entry 1, GET http://a.example/2, doesn't find itself on replay as it was sent.")
    #expect(
      proof.advice == """
        Replaced there:
        request URL: REDACTED (name "api_key")
        Keep what tells the request from others:
            redacting: .standard + [.keep("api_key")]
        """)
  }

  @Test("leaves an entry that would not be found out, names it, and keeps the others aside")
  func failedProof() async throws {
    try folder.write(entry("http://a.example/", "old"))
    var recording = folder.recording("users", .all)
    recording.redacting = [.text(matching: "s[0-9]{7}")]
    let error = await folder.error(of: recording) {
      // The first one answers the last one, too, when nothing is known of what is replaced.
      for path in ["x-s1234567", "s2345678-y", "x-s3456789-y"] { answerFromNetwork(path) }
    }
    let failed = folder.file().appendingPathExtension("failed")
    let text = error?.description ?? ""
    #expect(error?.reason == .unwritable)
    #expect(text.contains("\nentry 3, GET http://a.example/x-REDACTED"), "\(text)")
    #expect(text.contains("\nReplaced there:\nrequest URL: REDACTED"), "\(text)")
    #expect(text.hasSuffix("What it has recorded besides is in \(failed.path)"), "\(text)")
    #expect(try folder.texts() == ["old"])
    #expect(try folder.texts(in: failed).count == 2)
  }

  @Test(
    "is an error if a test replaces in the mode all what another one of the process has recorded",
    arguments: ["by a trait", "by a function that both call"])
  func oneAfterTheOther(way: String) async throws {
    let isTrait = way == "by a trait"
    /// Runs a test that records a text. Returns what it is told.
    func record(_ mode: RecordingMode, _ text: String, by test: String) async -> String {
      let recording = folder.recording("users", mode)
      let begin: TestScope.PendingUse = {
        try RecordingUse(recording, in: $0, at: recording.location, filter: test, isOfTest: true)
      }
      let (findings, error) = await folder.with {
        await TestScope.$pendingUse.withValue(isTrait ? begin : nil) {
          await TestScope(.enclosing, of: test).run {
            if isTrait { answerFromNetwork(text) } else { try withRecording(recording) { answerFromNetwork(text) } }
          }
        }
      }
      return "\(findings) \(error as Any)"
    }
    let nothing = "[] nil"
    #expect(await record(.all, "1", by: "testA") == nothing)
    #expect(await record(.all, "2", by: "testA") == nothing, "A test can run again.")
    let refusal = await record(.all, "3", by: "testB")
    #expect(refusal.contains(/one after the other: testA at .*, and testB at .*Give each test its own/), "\(refusal)")
    #expect(try folder.texts() == ["2"])
    #expect(await record(.newEpisodes, "4", by: "testB") == nothing)
    #expect(try folder.texts() == ["2", "4"])
  }

  @Test("replaces what the same test has recorded before, on whatever line, and not what another one has")
  func oneTest() async throws {
    let all = folder.recording("users", .all)
    let elsewhere = "OtherTests/Other.swift"
    try await folder.with {
      try withRecording(all) { answerFromNetwork("1") }
      try withRecording(all) { answerFromNetwork("2") }
      #expect(try folder.texts() == ["2"])
      for (file, function) in [("\(#fileID)", "otherTest()"), (elsewhere, #function)] {
        let user = RecordingUser(
          location: StubLocation(fileID: file, filePath: file, line: 1, column: 1),
          test: String(function.prefix { $0 != "(" }), isFunction: true)
        let file = try RecordingFile(all)
        let error = #expect(throws: RecordingError.self) { try RecordingClaims.claim(file, .all, by: user) }
        #expect(error?.reason == .conflicting)
      }
    }
  }

  @Test(
    "plays what an earlier part of the same test has recorded, whose file comes at its end",
    arguments: [RecordingMode.replay, .once, .check, nil])
  func laterPart(mode: RecordingMode?) async throws {
    let test = try #require(Test.current)
    let folder = folder
    try folder.write(entry("http://a.example/old", "old"))
    let secret = LateFinding.secret
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try withRecording(folder.recording("users", .all)) {
          answerFromNetwork("http://a.example/1?access_token=\(secret)", "1")
        }
        try await withRecording(folder.recording("users", mode)) {
          if mode == .check { return answerFromNetwork("http://a.example/1?access_token=\(secret)", "1") }
          #expect(StubRegistry.current.stubs.map(\.name) == ["users.har, entry 1"])
          let text = try await URLSession.shared.fetch("http://a.example/1?access_token=\(secret)").text
          #expect(text == "1")
        }
        #expect(try folder.texts() == ["old"])
      }
    }
    #expect(try folder.texts() == ["1"])
    #expect(!folder.said.contains { $0.hasPrefix("warning") }, "\(folder.said)")
  }

  @Test(
    "plays what an earlier part has added to a recording, and adds the rest",
    arguments: [RecordingMode.once, .newEpisodes])
  func laterPartThatAdds(mode: RecordingMode) async throws {
    let test = try #require(Test.current)
    let folder = folder
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try withRecording(folder.recording("users", mode)) { answerFromNetwork("1") }
        try await withRecording(folder.recording("users", mode)) {
          let text = try await URLSession.shared.fetch("http://a.example/1").text
          #expect(text == "1")
          answerFromNetwork("2")
        }
        let error = #expect(throws: RecordingError.self) { try withRecording(folder.recording("users", .all)) {} }
        #expect(error?.reason == .conflicting)
        #expect(error?.description.contains("in two ways by one test") == true, "\(error as Any)")
      }
    }
    #expect(try folder.texts() == ["1", "2"])
  }

  @Test("says of a missing file that it is still being recorded")
  func missingMeanwhile() async throws {
    try await folder.with {
      try withRecording(folder.recording("users", .once)) {
        let error = #expect(throws: RecordingError.self) { try withRecording(folder.recording()) {} }
        #expect(error?.reason == .missing)
        #expect(
          error?.description.contains(/It is still being recorded, by missingMeanwhile at .*\. StubKit writes the file/)
            == true, "\(error as Any)")
      }
    }
  }

  @Test(
    "is an error without a file if no request has ended, and a line if nothing new has",
    arguments: [RecordingMode.once, .newEpisodes, .all])
  func unfinished(mode: RecordingMode) async throws {
    let recording = folder.recording("users", mode)
    let error = await folder.error(of: recording) {
      _ = try #require(StubRegistry.current.tap as? ArchiveRecorder).begin()
    }
    #expect(error?.reason == .empty)
    #expect(
      error?.description == """
        The recording "users" was not written, because no request of the test came back from the network. \
        1 request had not ended. Wait for every response. There is no recording at \(folder.file().path).
        """)
    #expect(folder.names == [])
    guard mode == .newEpisodes else { return }
    try folder.write(entry("http://a.example/", "old"))
    try await folder.with {
      try withRecording(recording) { _ = try #require(StubRegistry.current.tap as? ArchiveRecorder).begin() }
    }
    #expect(
      folder.said == [#"The recording "users" is unchanged. 1 request had not ended. Wait for every response."#])
    #expect(try folder.texts() == ["old"])
  }

  @Test("writes what the parts of a test have recorded to one file together, at the end of the test")
  func parts() async throws {
    let test = try #require(Test.current)
    try folder.write(entry("http://a.example/old", "old"))
    let folder = folder
    @Sendable func record(_ text: String) throws {
      try withRecording(folder.recording("users", .newEpisodes)) { answerFromNetwork(text) }
    }
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try record("1")
        try withStubs { try record("2") }
        try withRecording(folder.recording("other", .once)) { try record("4") }
        #expect(folder.said.isEmpty)
        #expect(try folder.texts() == ["old"])
      }
    }
    #expect(try folder.texts() == ["old", "1", "2", "4"])
    #expect(folder.names == ["other.har", "users.har"])
    #expect(folder.said.count == 2, "\(folder.said)")
  }

  @Test("in a test has a file for itself, gives back what it can't go on with, and writes by itself after the test")
  func partsApart() async throws {
    let test = try #require(Test.current)
    let late = Locked<Task<Void, any Error>?>(nil)
    let folder = folder
    @Sendable func record(_ name: String, _ text: String, redacting: [Redaction] = .standard) throws {
      var recording = folder.recording(name, .all)
      recording.redacting = redacting
      try withRecording(recording) { answerFromNetwork(text) }
    }
    @Sendable func expectConflict(_ name: String, redacting: [Redaction] = .standard) {
      let error = #expect(throws: RecordingError.self) { try record(name, "no", redacting: redacting) }
      #expect(error?.reason == .conflicting, "\(name), \(redacting.count) rules")
    }
    let recorded: RecordedTrait = .recorded("whole", in: folder.url, mode: .all)
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try await recorded.provideScope(for: test, testCase: nil) {
          answerFromNetwork("0")
          withStubs { expectConflict("whole") }
          try withStubs { try record("part", "1") }
          try await withStubs {
            let (begun, isRefused) = (Latch(), Latch())
            async let beside: Void = withRecording(folder.recording("beside", .once)) {
              begun.open()
              try await until("the other one was refused") { isRefused.isOpen }
            }
            try await until("the recording has begun") { begun.isOpen }
            expectConflict("part")
            isRefused.open()
            try await beside
          }
          expectConflict("part", redacting: [.secret("x")])
          try record("part", "2")
          let after = Task {
            try await until("the test is over") { folder.names.contains("whole.har") }
            try record("after", "3")
          }
          late.withLock { $0 = after }
        }
      }
      try await late.withLock { $0 }?.value
      // All files are free.
      for name in ["whole", "part", "beside", "after"] {
        try withRecording(folder.recording(name, .newEpisodes)) { answerFromNetwork("4") }
      }
    }
    let texts = try ["whole", "part", "after"].map { try folder.texts($0) }
    #expect(texts == [["0", "4"], ["1", "2", "4"], ["3", "4"]])
  }

  @Test("keeps what was recorded in the folder for temporary files, if its own folder can't be written")
  func unwritableFolder() async throws {
    let name = "kept-\(UUID().uuidString)"
    try Data().write(to: folder.url.appendingPathComponent("file"))
    let error = await folder.error(of: folder.recording("file/\(name)", .all)) {
      answerFromNetwork("new")
    }
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).har.failed")
    defer { unlink(place.path) }
    #expect(error?.reason == .unwritable)
    #expect(error?.description.contains("file/\(name).har") == true)
    #expect(error?.description.hasSuffix("What it has recorded is in \(place.path)") == true, "\(error as Any)")
    #expect(try folder.texts(in: place) == ["new"])
  }

  /// FailingTestTests say so of one that records.
  @Test("shows no secret of a request in a report while it plays")
  func reports() async throws {
    try folder.write(entry("http://a.example/users", "old"))
    let secret = LateFinding.secret
    try await folder.with {
      try await withRecording(folder.recording()) {
        stub(condition: isPath("/posts"), response: .ok)
        let error = await URLSession.shared.failure(of: "http://a.example/other?access_token=\(secret)")
        #expect(error is UnmatchedRequestError)
        #expect(!"\(error as Any)".contains(secret), "\(error as Any)")
      }
    }
  }

  @Test(
    "writes all but the requests whose bodies are too long, and is then an error that names them",
    arguments: [
      (.newEpisodes, ["b"], ["old", "b"]), (.all, [], ["old"]),
    ] as [(RecordingMode, [String], [String])])
  func longBodies(mode: RecordingMode, others: [String], texts: [String]) async throws {
    try folder.write(entry("http://a.example/", "old"))
    let error = await folder.error(of: folder.recording("users", mode)) {
      for text in others { answerFromNetwork(text) }
      let recorder = try #require(StubRegistry.current.tap as? ArchiveRecorder)
      for name in ["film", "song"] {
        let recording = ExchangeRecording(recorder, request("http://a.example/\(name)?key=secret"))
        recording.setRequestBody(Data(count: 64 << 20 + 1))
        recording.end(error: nil)
      }
    }
    let (film, song, reason) = (
      "GET http://a.example/film", "GET http://a.example/song", "sent a body of more than 64 MB"
    )
    let said = others.isEmpty ? "not written" : "written without \(film), \(song)"
    let sentence =
      "The recording \"users\" was \(said), because \(film) \(reason), and \(song) \(reason), which is the most"
    #expect(error?.reason == .unwritable)
    #expect(error?.description.hasPrefix(sentence) == true, "\(error as Any)")
    #expect(try folder.texts() == texts)
    #expect(folder.names == ["users.har"])
  }

  @Test(
    "is an error that names both, if two tests record to one file at a time, whichever its path",
    arguments: [RecordingMode.once, .newEpisodes, .all])
  func conflict(mode: RecordingMode) async throws {
    let link = temporaryPlace()
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    defer { removePlace(link) }
    try await folder.with {
      let first = #line + 1
      try withRecording(folder.recording("users", mode)) {
        for same in [folder.url, link] {
          let again = Recording("users", in: same, mode: mode)
          let error = #expect(throws: RecordingError.self, "\(same)") { try withRecording(again) {} }
          #expect(error?.reason == .conflicting, "\(same)")
          let lines = error?.description.matches(of: /WithRecordingTests.swift:(\d+)/).map { Int($0.1) }
          // Those of the two calls.
          #expect(lines == [first, first + 3], "\(same): \(error as Any)")
        }
        try withRecording(folder.recording("other", mode)) {}
      }
    }
  }

  @Test("is named in a verification with the requests that were not made")
  func unused() async throws {
    try folder.write(entry("http://a.example/users?page=2", "old"))
    try await folder.with {
      try withRecording(folder.recording()) {
        let error = #expect(throws: VerificationError.self) { try HTTPStubs.verifyAllStubsUsed() }
        let lines = error?.description.split(separator: "\n") ?? []
        let line = lines.first { $0.contains("users.har, entry 1") } ?? ""
        #expect(line.hasSuffix(" for GET http://a.example/users?page=2"), "\(error as Any)")
      }
    }
  }

  @Test("plays one recording for several tests at a time")
  func shared() async throws {
    try folder.write(entry("http://a.example/", "1"), entry("http://a.example/", "2"))
    let folder = folder
    let texts = try await (1...8).atOnce { _ in
      try await withRecording(folder.recording()) {
        let session = URLSession.shared
        return [try await session.fetch("http://a.example/").text, try await session.fetch("http://a.example/").text]
      }
    }
    #expect(texts == Array(repeating: ["1", "2"], count: 8))
  }

  @Test("waits for a process that is writing, on its thread or suspended", arguments: [true, false])
  func locked(isSynchronous: Bool) async throws {
    let folder = folder
    let descriptor = open(folder.url.path, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let order = Locked<[String]>([])
    let count = isSynchronous ? 1 : 64
    let quiet = RecordingSurroundings(environment: [:]) { _ in }
    // More tasks than Swift's pool has threads. If one of them blocked its thread, the last body would never run.
    let written = (1...count).map { number in
      Task {
        let recording = folder.recording("\(number)", .newEpisodes)
        @Sendable func body() {
          answerFromNetwork("\(number)")
          order.withLock { $0.append("over") }
        }
        // A thread of its own has no task-local values.
        if isSynchronous {
          try await onOwnThread {
            try RecordingSurroundings.$current.withValue(quiet) { try withRecording(recording) { body() } }
          }
        } else {
          try await RecordingSurroundings.$current.withValue(quiet) {
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
    #expect(try folder.texts("\(count)") == ["\(count)"])
    #expect(!folder.names.contains { $0.contains("lock") })
  }

  @Test("replays at the recorded times, and by the parts that the recording names")
  func options() async throws {
    var slow = entry("http://a.example/?token=1", "slow")
    slow.duration = .seconds(9)
    try folder.write(slow)
    var recording = folder.recording()
    (recording.matching, recording.timing) = ([.method, .path], .recorded)
    let clock = ManualClock()
    try await folder.with {
      try await withRecording(recording) {
        StubRegistry.current.clock = clock
        let text = try await clock.run { try await URLSession.shared.fetch("http://b.example/?token=2").text }
        #expect(text == "slow")
        #expect(clock.now.offset == .seconds(9))
      }
    }
  }
}
