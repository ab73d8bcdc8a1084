import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder
@testable import StubKitRecording

@Suite("The file of a recording", .inTurn)
struct RecordingFileTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  @Test("is in a folder Recordings beside the source file, or in the folder that is named")
  func places() throws {
    #expect(
      try RecordingFile(Recording("a/b")).url.path.hasSuffix("Tests/StubKitRecorderTests/Recording/Recordings/a/b.har"))
    #expect(try RecordingFile(folder.recording("v1.2")).url.path == folder.url.path + "/v1.2.har")
    #expect(
      try RecordingFile(Recording("a", filePath: "/x/Tests/UserTests.swift")).url.path == "/x/Tests/Recordings/a.har")
  }

  @Test(
    "has a name that must be a path below its folder, without an extension",
    arguments: [
      ("/tmp/users", "is an absolute path"), ("~/users", "is an absolute path"), ("", "is not a valid path"),
      ("../users", "leaves the recordings folder"), ("a/../../b", "leaves the recordings folder"),
      ("a//b", "is not a valid path"), ("a/", "is not a valid path"), ("./a", "is not a valid path"),
      ("a\0b", "is not a valid path"), ("users.har", "has an extension"),
    ])
  func invalidName(name: String, problem: String) async throws {
    for mode in [RecordingMode.replay, .all] {
      let error = try #require(await folder.error(of: folder.recording(name, mode)))
      #expect(error.reason == .invalidName, "\(mode)")
      #expect(error.description.contains("\(name.debugDescription) \(problem)."), "\(mode)")
    }
    #expect(folder.names == [])
  }

  @Test("keeps the name of a test that a file can have")
  func keptNames() {
    for name in ["loads users-", "loads users", "lädt 1_a"] { #expect(name.fitForFileName == name) }
  }

  @Test("has a different name for each test, even where a file name allows fewer characters or ignores case")
  func testNames() {
    let names = ["loads users-", "loads users", "lädt 1_a", "loads users?", "loads users!", "Loads users?"]
    let files = names.map { $0.fitForFileName.lowercased() }
    #expect(Set(files).count == names.count, "\(files)")
    // A hash tells it from others of which the same is left.
    #expect("loads users?".fitForFileName.wholeMatch(of: /loads users--[a-z0-9]{1,7}/) != nil)
  }

  @Test("isn't shared with a recording whose name differs only in case, even where the disk ignores case")
  func namesakes() async throws {
    let file = try RecordingFile(folder.recording("in/Users"))
    #expect(file.namesake(among: ["users.har", "posts.har"]) == "users.har")
    #expect(file.namesake(among: ["Users.har", "users.har"]) == nil)
    #expect(file.namesake(among: ["a.har"]) == nil)
    try folder.write(entry("http://a.example/", "old"))
    let error = await folder.error(of: folder.recording("Users", .all)) {
      answerFromNetwork("new")
    }
    // On a disk where case counts, it is a file of its own.
    #expect((error == nil) == folder.names.contains("Users.har"), "\(error as Any)")
    #expect(try folder.texts() == ["old"])
  }

  @Test("can have a name that begins with a tilde, which isn't read as a home folder", arguments: ["~users", "~x/a"])
  func tilde(name: String) async throws {
    try await folder.with { try withRecording(folder.recording(name, .once)) { answerFromNetwork("new") } }
    #expect(try folder.texts(name) == ["new"])
  }

  @Test("is reported as missing with the command that records it, quoted for a shell")
  func missing() throws {
    let quoted = try RecordingFile(folder.recording()).missing(filter: "Users/a user's test")
    #expect(quoted.description.hasSuffix(#"swift test --filter 'Users/a user'\''s test'"#))
    #expect(quoted.localizedDescription == quoted.description)
    #expect(try RecordingFile(folder.recording()).missing(filter: nil).description.hasSuffix("once swift test"))
  }

  @Test(
    "is read from a bundle, in a folder Recordings there or without one",
    arguments: ["Recordings/api/", "Recordings/", ""])
  func bundle(place: String) async throws {
    let (recording, _) = try bundled(in: place)
    try await folder.with {
      let text = try await withRecording(recording) { try await URLSession.shared.fetch("http://a.example/").text }
      #expect(text == "bundled")
    }
  }

  /// A recording with an entry in a bundle, and the name of its file there.
  private func bundled(in place: String) throws -> (recording: Recording, file: String) {
    let file = "Some.bundle/\(place)users"
    try folder.write(entry("http://a.example/", "bundled"), name: file)
    let bundle = Bundle(url: folder.url.appendingPathComponent("Some.bundle"))
    return (Recording("api/users", in: folder.url, bundle: bundle), file)
  }

  @Test("is written to its folder if it was read from a bundle, with the entries that it had there")
  func writtenBesideBundle() async throws {
    var (recording, file) = try bundled(in: "Recordings/")
    try await folder.with {
      recording.mode = .newEpisodes
      try withRecording(recording) { answerFromNetwork("new") }
      // The folder has the newer file.
      recording.mode = .once
      let new = try await withRecording(recording) { try await URLSession.shared.fetch("http://a.example/new").text }
      #expect(new == "new")
    }
    #expect(try folder.texts("api/users") == ["bundled", "new"])
    #expect(try folder.texts(file) == ["bundled"])
  }

  @Test("is only replayed from a bundle, even if its folder has a newer file")
  func replayedFromBundle() async throws {
    var (recording, _) = try bundled(in: "Recordings/")
    try await folder.with {
      recording.mode = .newEpisodes
      try withRecording(recording) { answerFromNetwork("new") }
      recording.mode = .replay
      await #expect(throws: UnmatchedRequestError.self) {
        try await withRecording(recording) { try await URLSession.shared.fetch("http://a.example/new") }
      }
    }
  }

  @Test("that is missing from a bundle and from its folder names both places")
  func missingInBundle() async throws {
    _ = try bundled(in: "Recordings/")
    let bundle = Bundle(url: folder.url.appendingPathComponent("Some.bundle"))
    let error = try #require(await folder.error(of: Recording("other", in: folder.url, bundle: bundle)))
    for path in ["Some.bundle/Recordings/other.har", "\(folder.url.path)/other.har"] {
      #expect(error.description.contains(path), "\(path)")
    }
  }

  @Test("is reported with advice that helps if a folder is in its place")
  func isFolder() async throws {
    let path = folder.url.appendingPathComponent("users.har")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    let error = try #require(await folder.error(of: folder.recording("users", .replay)))
    #expect(error.reason == .unreadable)
    #expect(error.description.hasSuffix(" Remove it, or give the recording another name."), "\(error)")
    // That would fail again.
    #expect(!error.description.contains("record it again"))
  }
}
