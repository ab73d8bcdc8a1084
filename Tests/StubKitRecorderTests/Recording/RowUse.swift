import Foundation
import TestSupport
import Testing
import XCTest

@testable import StubKitRecorder

/// One use of a recording, as a row has it.
struct RowUse: Sendable {
  /// What came of it.
  struct Outcome: Equatable {
    var answers: [String]
    /// The texts of the file, or the text of one that is no archive.
    var after: [String]?
    var aside: [String]?
    var said: [String]
    /// What the caller or the test is told.
    var problems: [String]
    /// Whether the file has other bytes.
    var hasWritten: Bool
  }

  private struct Wrong: Error {}

  private let row: RecordingRow
  private let server: LoopbackServer
  private let folder: RecordingFolder
  private let answers = Locked<[String]>([])
  private let problems = Locked<[String]>([])
  private let bytes: Data?

  init(_ row: RecordingRow, _ server: LoopbackServer) throws {
    (self.row, self.server) = (row, server)
    folder = try RecordingFolder()
    let file = folder.file()
    if let before = row.before {
      try Self.write(before, server, to: file)
      // Lines at the end, as no writer leaves them.
      try (Data(contentsOf: file) + Data("\n\n".utf8)).write(to: file)
    }
    bytes = try? Data(contentsOf: file)
  }

  private static func write(_ texts: [String], _ server: LoopbackServer, to file: URL) throws {
    // A file that is cut off.
    if texts == ["{"] { return try Data("{".utf8).write(to: file) }
    try HTTPArchive(entries: texts.map { entry("\(server.url("/old"))", $0) }).write(to: file)
  }

  var recording: Recording {
    var recording = folder.recording("users", row.mode)
    recording.redacting = row.redacting
    return recording
  }
  var surroundings: RecordingSurroundings {
    let environment = ["STUBKIT_RECORD": row.record, "STUBKIT_DRIFT": row.drift].compactMapValues(\.self)
    var surroundings = folder.surroundings(environment)
    if !row.hasWarnings { surroundings.warn = { _, _ in false } }
    return surroundings
  }

  func expected(by door: RecordingRow.Door) -> Outcome {
    let isWrong = [.throwing, .failing, .failingBefore].contains(row.end)
    return Outcome(
      answers: row.answers, after: row.after ?? row.before, aside: row.aside, said: said(by: door),
      problems: (isWrong ? ["wrong"] : []) + (row.reason == nil ? [] : [row.error]),
      hasWritten: row.said.contains { $0.hasPrefix("Recorded") })
  }

  /// Whoever catches an error doesn't fail the test.
  private func said(by door: RecordingRow.Door) -> [String] {
    guard row.end == .throwing, ![.trait, .traitInTest, .testCase].contains(door) else { return row.said }
    return row.said.map { $0.replacing("its test failed", with: "its code threw an error") }
  }

  func outcome(_ filter: String) throws -> Outcome {
    func told(_ text: String) -> String {
      text.replacing(folder.url.path, with: "DIR").replacing("127.0.0.1:\(server.port)", with: "HOST")
        .replacing(" --filter \(filter)", with: " --filter FILTER")
    }
    let text = try? String(contentsOf: folder.file(), encoding: .utf8)
    var outcome = Outcome(
      answers: answers.withLock(\.self),
      after: (try? folder.texts()) ?? text.map { [$0.trimmingCharacters(in: .newlines)] },
      aside: try? folder.texts(in: folder.file().appendingPathExtension("failed")), said: folder.said.map(told),
      problems: problems.withLock(\.self).map(told), hasWritten: (try? Data(contentsOf: folder.file())) != bytes)
    if text?.contains("s3cret") == true { outcome.problems.append("has a secret") }
    // The file is free again, and nothing else is left beside it.
    try? FileManager.default.removeItem(at: folder.file())
    try RecordingSurroundings.$current.withValue(folder.surroundings()) {
      try withRecording(folder.recording("users", .all)) { answerFromNetwork("later") }
    }
    if try folder.names != ["users.har"] || folder.texts() != ["later"] { outcome.problems.append("is not free") }
    return outcome
  }

  private func problem(_ text: String) { problems.withLock { $0.append(text) } }

  /// Keeps what a test is told.
  func hear(_ text: String) {
    // Nor what stands beside a failure.
    if text.hasPrefix("No stub matches") || text.contains("made to http://") { return }
    problem(text.lowercased().contains("wrong") ? "wrong" : text)
  }

  func hear(_ error: any Error) {
    guard let error = error as? RecordingError else { return hear("\(error)") }
    problem(error.reason == row.reason ? error.description : "\(error.reason): \(error)")
  }

  /// What the code does, but for its requests.
  private func url(_ step: RecordingRow.Step) throws -> URL? {
    switch step {
    case .hang: _ = (StubRegistry.current.tap as? ArchiveRecorder)?.begin()
    case .fail: StubRegistry.current.tap?.begin(request("http://a.example/down")).end(error: URLError(.timedOut))
    case .cancel: StubRegistry.current.tap?.begin(request("http://a.example/slow")).end(error: URLError(.cancelled))
    case .otherProcess: try Self.write(["old", "other"], server, to: folder.file())
    case .get(let path): return server.url(path)
    }
    return nil
  }

  private func keep(_ answer: String) { answers.withLock { $0.append(answer) } }

  func run() async throws {
    for step in row.asks {
      guard let url = try url(step) else { continue }
      do {
        keep(try await URLSession.patient.fetch("\(url)").text)
      } catch is UnmatchedRequestError {
        keep("unmatched")
      }
    }
    try end { Issue.record("wrong") }
  }

  /// The same without suspending. A test of Swift Testing is not to block its thread, so the network is played.
  func run(_ answer: (URL) -> String, _ fail: () -> Void) throws {
    for step in row.asks { try url(step).map { keep(answer($0)) } }
    try end(fail)
  }

  func playedAnswer(_ url: URL) -> String {
    if StubRegistry.current.answerer(of: URLRequest(url: url)) != nil { return "old" }
    guard case .passThrough = StubRegistry.current.unmatched.kind else { return "unmatched" }
    answerFromNetwork("\(url)", "new")
    return "new"
  }

  private func end(_ fail: () -> Void) throws {
    switch row.end {
    case .well, .failingBefore: break
    case .skipping: throw XCTSkip("Not today.")
    case .throwing: throw Wrong()
    case .failing: fail()
    case .withKnownIssue: withKnownIssue { fail() }
    }
  }

  func failBefore() { if row.end == .failingBefore { Issue.record("wrong") } }
}
