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
      let own = try withRecording(folder.recording()) {
        #expect(StubRegistry.current !== StubRegistry.global)
        return StubRegistry.current
      }
      #expect(own !== StubRegistry.current)
      try await withStubs {
        let registry = StubRegistry.current
        HTTPStubs.unmatched = .passThrough
        try await withRecording(folder.recording()) {
          #expect(StubRegistry.current === registry && registry.stubs.count == 1)
          #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/") is UnmatchedRequestError)
          stub(condition: .anything, response: .text("mine"))
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "mine")
        }
        #expect(registry.stubs.count == 1, "the recording's own stub is gone")
        #expect(registry.unusedStubs.map(\.name) == ["users.har, entry 1"])
        guard case .passThrough = HTTPStubs.unmatched.kind else { return #expect(Bool(false), "not given back") }
      }
    }
  }

  @Test("writes nothing that would not be found on replay, and says which entry and why")
  func proof() throws {
    func proof(
      _ path: String, _ cookie: String? = nil, redacting: [Redaction] = [], into redacted: String = "/2"
    ) -> RedactionProof {
      let headers = cookie.map { ["Cookie": $0] } ?? [:]
      let archive = HTTPArchive(entries: [entry(request("http://a.example\(path)", headers: headers))])
      return RedactionProof(
        of: HTTPArchive(entries: [entry("http://a.example\(redacted)")]), against: archive, redacting,
        archive.redactedAndReported(redacting).report)
    }
    let problem = proof("/1").problem
    #expect(
      problem?.entry == 1
        && problem?.sentence == "entry 1, GET http://a.example/2, doesn't find itself on replay as it was sent.")
    #expect(proof("/1", into: "/1").problem == nil)
    let advice = """
      Replaced there:
      request URL: REDACTED (name "api_key")
      Keep what tells the request from others:
          redacting: .standard + [.keep("api_key")]
      """
    #expect(proof("/1?api_key=\("x7Qm29" + "kLp0aa")", redacting: .standard).advice == advice)
    let other = proof("/1", "a=x7Qm29kLp0aa", redacting: [.text(matching: "x7[a-zA-Z0-9]+")]).advice
    #expect(other.contains("Replaced there:\nrequest header Cookie: REDACTED (text(") && !other.contains("x7Q"))
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
    let text = error?.description ?? ""
    #expect(error?.reason == .unwritable && text.contains("\nentry 3, GET http://a.example/x-REDACTED"), "\(text)")
    #expect(text.hasSuffix("What it has recorded besides is in \(folder.file().path).failed"), "\(text)")
    let failed = folder.file().appendingPathExtension("failed")
    #expect(try folder.texts() == ["old"] && folder.texts(in: failed).count == 2)
  }

  @Test("is an error if a test replaces in the mode all what another one of the process has recorded")
  func oneAfterTheOther() async throws {
    func record(_ mode: RecordingMode, _ text: String, by filter: String) async throws {
      let registry = StubRegistry()
      try await folder.with { () async throws in
        var thrown: (any Error)?
        let errors = TestVerdict().run(in: registry) {
          do {
            let location = StubLocation(fileID: "A/T.swift", filePath: "/T.swift", line: 7, column: 1)
            let use = try RecordingUse(
              folder.recording("users", mode), in: registry, at: location, filter: filter, isOfTest: true)
            answerFromNetwork(text)
            return (use, nil)
          } catch {
            thrown = error
            return (nil, nil)
          }
        }
        if let error = thrown ?? errors.first { throw error }
      }
    }
    try await record(.all, "1", by: "T/testA")
    // A test can run again.
    try await record(.all, "2", by: "T/testA")
    let error = await #expect(throws: RecordingError.self) { try await record(.all, "3", by: "T/testB") }
    #expect(error?.reason == .conflicting)
    #expect(
      error?.description.contains(
        "one after the other: T/testA at A/T.swift:7, and T/testB at A/T.swift:7. Give each test its own") == true,
      "\(error?.description ?? "")")
    #expect(try folder.texts() == ["2"])
    try await record(.newEpisodes, "4", by: "T/testB")
    #expect(try folder.texts() == ["2", "4"])
    // Nor by a function that both call.
    @Sendable func help(_ text: String) throws {
      try withRecording(folder.recording("help", .all)) { answerFromNetwork(text) }
    }
    for (name, text) in [("a()", "1"), ("a()", "2"), ("b()", "3")] {
      let (_, error) = await folder.with { await TestScope(.enclosing, of: name).run { try help(text) } }
      #expect((error == nil) == (text != "3"), "\(text): \(error as Any)")
    }
    #expect(try folder.texts("help") == ["2"])
  }

  @Test("writes what the parts of a test have recorded to one file together, at the end of the test")
  func parts() async throws {
    let test = try #require(Test.current)
    for (mode, before, after) in [
      (.all, "old", ["1", "2", "4"]), (.newEpisodes, "old", ["old", "1", "2", "4"]), (.once, nil, ["1", "2", "4"]),
    ] as [(RecordingMode, String?, [String])] {
      let folder = try RecordingFolder()
      if let before { try folder.write(entry("http://a.example/old", before)) }
      @Sendable func record(_ text: String) throws {
        try withRecording(folder.recording("users", mode)) { answerFromNetwork(text) }
      }
      let isThere = before != nil
      try await folder.with {
        try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
          try record("1")
          try withStubs { try record("2") }
          try withRecording(folder.recording("other", .once)) { try record("4") }
          #expect(folder.said.isEmpty && folder.names == (isThere ? ["users.har"] : []))
        }
      }
      #expect(try folder.texts() == after && folder.names == ["other.har", "users.har"], "\(mode)")
      #expect(folder.said.count == 2, "\(folder.said)")
    }
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
      #expect(error?.reason == .conflicting)
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
    #expect(try folder.texts("whole") == ["0", "4"] && folder.texts("part") == ["1", "2", "4"])
    #expect(try folder.texts("after") == ["3", "4"])
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
    #expect(error?.reason == .unwritable && error?.description.contains("file/\(name).har") == true)
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
        #expect(error is UnmatchedRequestError && !"\(error as Any)".contains(secret), "\(error as Any)")
      }
    }
  }

  @Test("writes all but the requests whose bodies are too long, and is then an error that names them")
  func longBodies() async throws {
    let (film, song) = ("GET http://a.example/film", "GET http://a.example/song")
    for (mode, others, texts, said) in [
      (.all, ["new"], ["new"], "written without \(film), \(song)"),
      (.newEpisodes, ["b"], ["old", "b"], "written without \(film), \(song)"),
      (.all, [], ["old"], "not written"), (.newEpisodes, [], ["old"], "not written"),
    ] as [(RecordingMode, [String], [String], String)] {
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
      let reason = "sent a body of more than 64 MB"
      #expect(
        error?.description.hasPrefix(
          "The recording \"users\" was \(said), because \(film) \(reason), and \(song) \(reason), which is the most")
          == true, "\(error as Any)")
      #expect(try error?.reason == .unwritable && folder.texts() == texts && folder.names == ["users.har"])
    }
  }

  @Test("is an error that names both, if two tests record to one file at a time")
  func conflict() async throws {
    let link = folder.url.deletingLastPathComponent().appendingPathComponent("link-\(UUID().uuidString)")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    defer { unlink(link.path) }
    for mode in [RecordingMode.once, .newEpisodes, .all] {
      let name = "\(mode)"
      try await folder.with {
        let first = #line + 1
        try withRecording(folder.recording(name, mode)) {
          for same in [folder.url, link] {
            let again = Recording(name, in: same, mode: mode)
            let error = #expect(throws: RecordingError.self) { try withRecording(again) {} }
            #expect(error?.reason == .conflicting)
            for line in [first, first + 3] {
              #expect(error?.description.contains("StubKitRecorderTests/WithRecordingTests.swift:\(line)") == true)
            }
          }
          try withRecording(folder.recording("other \(mode)", mode)) {}
        }
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
        @Sendable func record() throws { try withRecording(recording) { body() } }
        // A thread of its own has no task-local values.
        if isSynchronous {
          try await onOwnThread { try RecordingSurroundings.$current.withValue(quiet) { try record() } }
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
    #expect(try folder.texts("\(count)") == ["\(count)"] && !folder.names.contains { $0.contains("lock") })
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
        #expect(text == "slow" && clock.now.offset == .seconds(9))
      }
    }
  }
}

@Suite("Recordings that overlap in one scope", .inTurn)
struct OverlappingRecordingsTests {
  private let folder: RecordingFolder
  private let server: LoopbackServer

  init() throws {
    folder = try RecordingFolder()
    server = try LoopbackServer()
  }

  private func fetch(_ path: String) async throws { _ = try await URLSession.shared.fetch("\(server.url(path))") }

  @Test("are an error if one begins beside the other", arguments: [RecordingMode.replay, .all])
  func sideBySide(mode: RecordingMode) async throws {
    try folder.write(entry("http://a.example/", "old"), name: "b")
    let (begun, over) = (Latch(), Latch())
    try await folder.with {
      try await withStubs {
        async let first: Void = withRecording(folder.recording("a", .all)) {
          try await fetch("/1")
          begun.open()
          try await until("the other one was refused") { over.isOpen }
          try await fetch("/2")
        }
        try await until("the recording has begun") { begun.isOpen }
        let error = await folder.error(of: folder.recording("b", mode)) { Issue.record("The body ran.") }
        #expect(error?.reason == .conflicting)
        #expect(error?.description.contains(#"The recording "b" begins while another one is in use"#) == true)
        // In a scope of its own, it is beside none.
        try await withStubs { try await withRecording(folder.recording("c", .all)) { try await fetch("/3") } }
        over.open()
        try await first
        try await withRecording(folder.recording("d", .all)) { try await fetch("/4") }
        #expect(await URLSession.shared.failure(of: "\(server.url("/after"))") is UnmatchedRequestError)
      }
    }
    #expect(try folder.texts("a") == ["real GET /1", "real GET /2"])
    #expect(try folder.texts("c") == ["real GET /3"] && folder.texts("d") == ["real GET /4"])
    #expect(try folder.texts("b") == ["old"])
  }

  @Test("give a request to the innermost one, and let one that plays use no network")
  func nested() async throws {
    try folder.write(entry("http://a.example/", "played"), name: "played")
    try await folder.with {
      try await withRecording(folder.recording("outer", .all)) {
        try await fetch("/1")
        try await withRecording(folder.recording("inner", .all)) {
          try await fetch("/2")
          // A queue belongs to no task.
          let session = StubRegistry.current.makeSession()
          try await untilResumed { (end: Resumption<Void>) in
            DispatchQueue.global().async {
              session.dataTask(with: server.url("/queue")) { _, _, _ in end.resume() }.resume()
            }
          }
        }
        try await withRecording(folder.recording("played")) {
          let text = try await URLSession.shared.fetch("http://a.example/").text
          #expect(text == "played")
          #expect(await URLSession.shared.failure(of: "\(server.url("/no"))") is UnmatchedRequestError)
        }
        try await fetch("/3")
      }
    }
    #expect(try folder.texts("outer") == ["real GET /1", "real GET /3"])
    #expect(try folder.texts("inner") == ["real GET /2", "real GET /queue"] && !server.requests.contains("GET /no"))
  }
}
