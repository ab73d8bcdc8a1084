import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The mode of a recording", .inTurn)
struct RecordingModeTests {
  private let folder: RecordingFolder

  init() throws { folder = try RecordingFolder() }

  private static let names: [(String, RecordingMode)] = [
    ("replay", .replay), ("none", .replay), ("once", .once), ("newEpisodes", .newEpisodes),
    ("new_episodes", .newEpisodes), ("all", .all), ("live", .live), ("check", .check),
  ]

  @Test("has a name, and that of other tools", arguments: names)
  func named(name: String, mode: RecordingMode) { #expect(RecordingMode(name) == mode) }

  @Test("is replay by default, else the code's, and the environment's before both")
  func precedence() throws {
    func mode(_ mode: RecordingMode?, _ environment: [String: String]) throws -> RecordingMode {
      try RecordingSurroundings(environment: environment) { _ in }.mode(of: folder.recording("a", mode))
    }
    #expect(try mode(nil, [:]) == .replay)
    #expect(try mode(.once, [:]) == .once)
    #expect(try mode(.once, ["STUBKIT_RECORD": "all"]) == .all)
    #expect(try mode(.once, ["STUBKIT_RECORD": "none"]) == .replay)
    #expect(try mode(.once, ["STUBKIT_RECORD": ""]) == .once)
  }

  @Test("is an error that lists the modes, if the environment names none")
  func unknown() async throws {
    let error = try #require(await folder.error(of: folder.recording(), ["STUBKIT_RECORD": "yes"]))
    #expect(error.reason == .unknownMode)
    #expect(
      error.description
        == "STUBKIT_RECORD=yes is not a recording mode. The modes are replay (or none), once, newEpisodes (or new_episodes), "
        + "all, live, check.")
  }

  /// What a mode does with a request that is in the recording, and with another one.
  struct Row: CustomTestStringConvertible {
    let mode: RecordingMode
    let isThere: Bool
    /// Nil for a mode that lets the request go to the network.
    let known: String?
    let goesOut: Bool
    /// What is in the file afterwards; nil for no file.
    let after: [String]?

    var testDescription: String { "\(mode), \(isThere ? "with" : "without") a file" }
  }

  private static let rows: [Row] = [
    Row(mode: .replay, isThere: true, known: "old", goesOut: false, after: ["old"]),
    Row(mode: .once, isThere: true, known: "old", goesOut: false, after: ["old"]),
    Row(mode: .once, isThere: false, known: nil, goesOut: true, after: ["new"]),
    Row(mode: .newEpisodes, isThere: true, known: "old", goesOut: true, after: ["old", "new"]),
    Row(mode: .newEpisodes, isThere: false, known: nil, goesOut: true, after: ["new"]),
    Row(mode: .all, isThere: true, known: nil, goesOut: true, after: ["new"]),
    Row(mode: .all, isThere: false, known: nil, goesOut: true, after: ["new"]),
    Row(mode: .live, isThere: true, known: nil, goesOut: true, after: ["old"]),
    Row(mode: .live, isThere: false, known: nil, goesOut: true, after: nil),
  ]

  @Test("says what is answered, what goes out, and what is written", arguments: rows)
  func effects(row: Row) async throws {
    if row.isThere { try folder.write(entry("http://a.example/old", "old")) }
    try await folder.with {
      try await withRecording(folder.recording("users", row.mode)) {
        let registry = StubRegistry.current
        if let known = row.known {
          let text = try await URLSession.shared.fetch("http://a.example/old").text
          #expect(text == known)
        } else {
          #expect(registry.stub(matching: request("http://a.example/old")) == nil)
        }
        if case .passThrough = registry.unmatched.kind {
          #expect(row.goesOut)
        } else {
          #expect(!row.goesOut)
          #expect(await URLSession.shared.failure(of: "http://a.example/new") is UnmatchedRequestError)
        }
        answerFromNetwork("http://a.example/new", "new")
      }
    }
    #expect(row.after == (try? folder.texts()))
    #expect(folder.said.isEmpty == (row.after?.contains("new") != true))
    #expect(folder.names == (row.after == nil ? [] : ["users.har"]), "nothing else is left")
  }

  @Test("never lets a replayed test reach the network, and gives the policy back afterwards")
  func replaying() async throws {
    try folder.write(entry("http://a.example/", "a"))
    try await folder.with {
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        try await withRecording(folder.recording()) {
          #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/") is UnmatchedRequestError)
        }
        guard case .passThrough = HTTPStubs.unmatched.kind else { return #expect(Bool(false), "not given back") }
      }
    }
  }
}
