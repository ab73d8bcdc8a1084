import Foundation
import StubKitRecording
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("What can't be recorded", .inTurn)
struct UnwritableRecordingTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  @Test(
    "is an error, and no file is written, if no request has ended",
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
  }

  @Test("leaves a file unchanged, and says so on standard error, if nothing new has ended")
  func unchanged() async throws {
    let recording = folder.recording("users", .newEpisodes)
    try folder.write(entry("http://a.example/", "old"))
    try await folder.with {
      try withRecording(recording) { _ = try #require(StubRegistry.current.tap as? ArchiveRecorder).begin() }
    }
    #expect(
      folder.said == [#"The recording "users" is unchanged. 1 request had not ended. Wait for every response."#])
    #expect(try folder.texts() == ["old"])
  }

  @Test(
    "is a request with too long a body: an error names it, and any others are written",
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

  @Test("is kept in the folder for temporary files, if its own folder can't be written")
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

  @Test("is an entry that its request would not find on replay: an error names it, and the others are kept")
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

  @Test("is no redacted entry that its own request still finds")
  func proven() {
    let archive = HTTPArchive(entry("http://a.example/1?api_key=\("x7Qm29" + "kLp0aa")"))
    let (redacted, report) = archive.redactedAndReported(.standard)
    #expect(redacted != archive)
    #expect(RedactionProof(of: redacted, against: archive, .standard, report).problem == nil)
  }

  @Test(
    "is no entry whose query has a random value without a name, which any other one meets on replay",
    arguments: ["", "a=1&"])
  func namelessItem(before: String) throws {
    let url = { (value: String) in "http://a.example/app.js?\(before)\(value)" }
    let (value, other) = ("k7Rw2xQ9" + "Zt4Vb8Nm", "d41d8cd98f00b204" + "e9800998ecf8427e")
    let archive = HTTPArchive(entry(url(value)))
    let (redacted, report) = archive.redactedAndReported(.standard)
    #expect(redacted != archive)
    #expect(RedactionProof(of: redacted, against: archive, .standard, report).problem?.sentence == nil)
    let registry = StubRegistry()
    let stubs = replay(redacted, in: registry)
    #expect(registry.answerer(of: request(url(other))) === stubs[0])
    #expect(registry.answerer(of: request(url("\(other)=1"))) == nil)
    #expect(registry.answerer(of: request("http://a.example/app.js?\(before)")) == nil)
  }

  @Test("is explained by the user's rule that has replaced something, and not by what it was")
  func ownRule() {
    let headers = ["Cookie": "a=x7Qm29kLp0aa"]
    let archive = HTTPArchive(entry(request("http://a.example/1", headers: headers)))
    let rules = [Redaction.text(matching: "x7[a-zA-Z0-9]+")]
    let (_, report) = archive.redactedAndReported(rules)
    // The path is another one, so nothing is found.
    let advice = RedactionProof(of: HTTPArchive(entry("http://a.example/2")), against: archive, rules, report).advice
    #expect(advice.contains("Replaced there:\nrequest header Cookie: REDACTED (text("), "\(advice)")
    #expect(!advice.contains("x7Q"), "\(advice)")
  }

  @Test("is explained, for a request that replay would not find, by what was replaced, and how to keep it")
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
}
