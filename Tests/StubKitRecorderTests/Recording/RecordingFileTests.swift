import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

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
    "has a name that is a path below its folder, without extension",
    arguments: [
      ("/tmp/users", "is an absolute path"), ("~/users", "is an absolute path"),
      ("../users", "leaves the recordings folder"),
      ("a/../../b", "leaves the recordings folder"), ("", "is not a valid path"), ("a//b", "is not a valid path"),
      ("a/", "is not a valid path"),
      ("./a", "is not a valid path"), ("a\0b", "is not a valid path"), ("users.har", "has an extension"),
    ])
  func invalidName(name: String, problem: String) async throws {
    for mode in [RecordingMode.replay, .all] {
      let error = try #require(await folder.error(of: folder.recording(name, mode)))
      #expect(error.reason == .invalidName && error.description.contains("\(name.debugDescription) \(problem)."))
    }
    #expect(folder.names == [])
  }

  @Test("is looked for where the error says that it is missing, which has the command that makes it")
  func missing() async throws {
    let error = try #require(await folder.error(of: folder.recording()))
    #expect(error.reason == .missing && error.name == "users" && error.localizedDescription == error.description)
    #expect(
      error.description == """
        There is no recording "users". StubKit looked for \(folder.file().path).
        To record it from the network, run the test once with
            STUBKIT_RECORD=once swift test --filter error
        """)
    let quoted = try RecordingFile(folder.recording()).missing(filter: "Users/a user's test").description
    #expect(quoted.hasSuffix(#"swift test --filter 'Users/a user'\''s test'"#))
    #expect(try RecordingFile(folder.recording()).missing(filter: nil).description.hasSuffix("once swift test"))
  }

  @Test(
    "is read from a bundle, in a folder Recordings there or without one",
    arguments: ["Recordings/api/", "Recordings/", ""])
  func bundle(place: String) async throws {
    let resources = folder.url.appendingPathComponent("Some.bundle")
    let file = resources.appendingPathComponent(place + "users.har")
    try HTTPArchive(entries: [entry("http://a.example/", "bundled")]).write(to: file)
    let bundle: Bundle? = Bundle(url: resources)
    let elsewhere = folder.url.appendingPathComponent("nowhere")
    let recording = Recording("api/users", in: elsewhere, bundle: bundle)
    try await folder.with {
      try await withRecording(recording) {
        let text = try await URLSession.shared.fetch("http://a.example/").text
        #expect(text == "bundled")
      }
    }
    let missing = try #require(await folder.error(of: Recording("other", in: elsewhere, bundle: bundle)))
    #expect(missing.description.contains("Some.bundle/Recordings/other.har"))
    #expect(missing.description.contains("nowhere/other.har"))
  }

  @Test("is written to the folder, also where the bundle has one")
  func bundleStays() async throws {
    let resources = folder.url.appendingPathComponent("Some.bundle")
    try HTTPArchive(entries: [entry("http://a.example/", "bundled")]).write(
      to: resources.appendingPathComponent("users.har"))
    let bundle: Bundle? = Bundle(url: resources)
    let recording = Recording("users", in: folder.url, bundle: bundle, mode: .newEpisodes)
    try await folder.with {
      try withRecording(recording) { answerFromNetwork("http://a.example/new", "new") }
    }
    #expect(try folder.texts() == ["bundled", "new"])
    #expect(try folder.texts("Some.bundle/users") == ["bundled"])
  }

  @Test("is an error that says what is wrong, if it can't be read")
  func unreadable() async throws {
    try Data("{\"log\": ".utf8).write(to: folder.file())
    for mode in [RecordingMode.replay, .once, .newEpisodes] {
      let error = try #require(await folder.error(of: folder.recording("users", mode)))
      #expect(error.reason == .unreadable)
      #expect(error.description.contains(folder.file().path) && error.description.contains("STUBKIT_RECORD=all"))
    }
    // The claim was given back.
    #expect(
      await folder.error(of: folder.recording("users", .all)) { answerFromNetwork("http://a.example/", "a") } == nil)
  }

  @Test("is an error that says what is wrong, if it can't be written")
  func unwritable() async throws {
    try Data().write(to: folder.url.appendingPathComponent("file"))
    let error = try #require(await folder.error(of: folder.recording("file/users", .all)))
    #expect(error.reason == .unwritable && error.description.contains("file/users.har"))
  }
}
