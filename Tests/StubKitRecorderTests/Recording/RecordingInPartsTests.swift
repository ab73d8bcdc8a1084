import Foundation
import StubKitRecording
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("Each part of a test that records", .inTurn)
struct RecordingInPartsTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  @Test(
    "adds to the file that the parts share, which is written at the end of the test",
    arguments: [
      (.all, "old", ["1", "2", "4"]), (.newEpisodes, "old", ["old", "1", "2", "4"]), (.once, nil, ["1", "2", "4"]),
    ] as [(RecordingMode, String?, [String])])
  func parts(mode: RecordingMode, before: String?, after: [String]) async throws {
    let test = try #require(Test.current)
    if let before { try folder.write(entry("http://a.example/old", before)) }
    let (folder, names) = (folder, folder.names)
    @Sendable func record(_ text: String) throws {
      try withRecording(folder.recording("users", mode)) { answerFromNetwork(text) }
    }
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try record("1")
        try withStubs { try record("2") }
        try withRecording(folder.recording("other", .once)) { try record("4") }
        #expect(folder.said.isEmpty)
        #expect(folder.names == names)
      }
    }
    #expect(try folder.texts() == after)
    #expect(folder.names == ["other.har", "users.har"])
    #expect(folder.said.count == 2, "\(folder.said)")
  }

  /// Records a text in a part with a name.
  private func record(_ name: String, _ text: String, redacting: [Redaction] = .standard) throws {
    var recording = folder.recording(name, .all)
    recording.redacting = redacting
    try withRecording(recording) { answerFromNetwork(text) }
  }

  private func expectConflict(_ name: String, redacting: [Redaction] = .standard) {
    let error = #expect(throws: RecordingError.self) { try record(name, "no", redacting: redacting) }
    #expect(error?.reason == .conflicting)
  }

  /// Runs a test with the traits `.stubbed` and `.recorded("whole")`.
  private func inRecordedTest(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current)
    let recorded: RecordedTrait = .recorded("whole", in: folder.url, mode: .all)
    try await folder.with {
      try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
        try await recorded.provideScope(for: test, testCase: nil, performing: body)
      }
    }
  }

  @Test("can have a file of its own, which two parts with the same rules share")
  func ownFile() async throws {
    try await inRecordedTest { [self] in
      answerFromNetwork("0")
      try withStubs { try record("part", "1") }
      try record("part", "2")
    }
    #expect(try folder.texts("whole") == ["0"])
    #expect(try folder.texts("part") == ["1", "2"])
  }

  @Test("is refused if it names the file of the recording around it from another scope")
  func fileOfWhole() async throws {
    try await inRecordedTest { [self] in
      answerFromNetwork("0")
      withStubs { expectConflict("whole") }
    }
    #expect(try folder.texts("whole") == ["0"])
  }

  @Test("is refused if it begins beside another one that hasn't ended")
  func beside() async throws {
    try await inRecordedTest { [self] in
      try await withStubs {
        let (begun, isRefused) = (Latch(), Latch())
        async let other: Void = withRecording(folder.recording("beside", .once)) {
          begun.open()
          try await until("this one was refused") { isRefused.isOpen }
        }
        try await until("the other one has begun") { begun.isOpen }
        expectConflict("part")
        isRefused.open()
        try await other
      }
    }
  }

  @Test("is refused if it has other rules than an earlier one with the same file")
  func otherRules() async throws {
    try await inRecordedTest { [self] in
      try withStubs { try record("part", "1") }
      expectConflict("part", redacting: [.secret("x")])
    }
    #expect(try folder.texts("part") == ["1"])
  }

  @Test("can be recorded by a task after the test, and leaves all files free")
  func afterTest() async throws {
    let late = Locked<Task<Void, any Error>?>(nil)
    try await folder.with {
      try await inRecordedTest { [self] in
        answerFromNetwork("0")
        let after = Task {
          try await until("the test is over") { folder.names.contains("whole.har") }
          try record("after", "3")
        }
        late.withLock { $0 = after }
      }
      try await late.withLock { $0 }?.value
      for name in ["whole", "after"] {
        try withRecording(folder.recording(name, .newEpisodes)) { answerFromNetwork("4") }
      }
    }
    #expect(try folder.texts("whole") == ["0", "4"])
    #expect(try folder.texts("after") == ["3", "4"])
  }

  @Test(
    "plays what an earlier part has recorded, although the file is written only at the end of the test",
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

  @Test("adds to what the same test has recorded before, on whatever line, and not to what another one has")
  func oneTest() async throws {
    let all = folder.recording("users", .all)
    let elsewhere = "OtherTests/Other.swift"
    try await folder.with {
      try folder.write(entry("http://a.example/old", "old"))
      try withRecording(all) { answerFromNetwork("1") }
      try withRecording(all) { answerFromNetwork("2") }
      for text in ["3", "4"] { try withRecording(all) { answerFromNetwork(text) } }
      try withRecording(all) {}
      #expect(try folder.texts() == ["1", "2", "3", "4"])
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

  @Test("is an error if it replaces, in mode .all, what the trait of another test of the process has recorded")
  func oneTraitAfterTheOther() async throws { try await expectOneAfterTheOther(isTrait: true) }

  @Test("is an error if it replaces, in mode .all, what a function that another test calls, too, has recorded there")
  func oneCallAfterTheOther() async throws { try await expectOneAfterTheOther(isTrait: false) }

  private func expectOneAfterTheOther(isTrait: Bool) async throws {
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

  @Test("is refused if it is a case of a test whose other case records to the file at the same time")
  func casesAtATime() throws {
    let file = try RecordingFile(folder.recording("users", .all))
    let user = RecordingUser(
      location: StubLocation("App/Tests.swift", "", 1, 1), test: "Tests/loads", isFunction: false)
    #expect(try RecordingClaims.claim(file, .all, by: user, isCase: true) == .replaces)
    let error = #expect(throws: RecordingError.self) { try RecordingClaims.claim(file, .all, by: user, isCase: true) }
    #expect(
      error?.description.contains(
        /Two cases of a test record .* at the same time: .*Run them one after the other, with \.serialized/) == true,
      "\(error as Any)")
    RecordingClaims.release(file)
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
}
