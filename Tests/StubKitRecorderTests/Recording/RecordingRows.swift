import Foundation
import StubKitRecording
import TestSupport
import Testing
import XCTest

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

/// What a use of a recording makes of its mode, of the file that is there, and of the way in which its code ends.
struct RecordingRow: Sendable {
  /// A way to use a recording.
  enum Door { case function, synchronous, inTest, trait, traitInTest, testCase, inTestCase }
  enum End { case well, throwing, failing, failingInTask, failingBefore, withKnownIssue }

  static let ofSwiftTesting: [Door] = [.function, .synchronous, .inTest, .trait, .traitInTest]
  static let ofXCTest: [Door] = [.testCase, .inTestCase]

  let name: String
  let doors: [Door]
  let mode: RecordingMode?
  let environment: [String: String]
  let hasWarnings: Bool
  let redacting: [Redaction]
  /// The texts of the file, each for `/old`, or `nil` for no file.
  let before: [String]?
  /// The paths of the requests, which a server answers with "new".
  let asks: [String]
  let end: End
  let answers: [String]
  /// The texts of the file afterwards, and of the one beside it.
  let after: [String]?
  let aside: [String]?
  /// The lines that are said. `DIR` is the folder, and `HOST` is the server.
  let said: [String]
  let reason: RecordingError.Reason?
  let error: String

  /// - Parameters:
  ///   - before: As `asks`, `answers`, `after` and `aside` words, each for one entry or request.
  ///   - environment: What `STUBKIT_RECORD` is, and what `STUBKIT_DRIFT` is.
  private init(
    _ name: String, _ mode: RecordingMode? = nil, _ before: String? = nil, _ asks: String = "", _ answers: String = "",
    after: String? = nil, aside: String? = nil, end: End = .well, doors: [Door] = ofSwiftTesting + ofXCTest,
    record: String? = nil, drift: String? = nil, hasWarnings: Bool = true, redacting: [Redaction] = .standard,
    said: [String] = [], reason: RecordingError.Reason? = nil, error: String = ""
  ) {
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    (self.name, self.doors, self.mode, self.end) = (name, doors, mode, end)
    environment = ["STUBKIT_RECORD": record, "STUBKIT_DRIFT": drift].compactMapValues(\.self)
    (self.hasWarnings, self.redacting, self.said) = (hasWarnings, redacting, said)
    (self.before, self.asks, self.answers) = (before.map(words), words(asks), words(answers))
    (self.after, self.aside, self.reason, self.error) = (after.map(words), aside.map(words), reason, error)
  }

  private static let kept =
    #"The recording "users" was not written, because its test failed. The existing recording is unchanged: DIR/users.har"#
  private static let keptNone =
    #"The recording "users" was not written, because its test failed. There is no recording at DIR/users.har"#
  private static let isAside = ". What it has recorded is in DIR/users.har.failed"
  private static let noRequest =
    #"The recording "users" was not written, because no request of the test came back from the network. "#
  private static let unchanged = "The existing recording is unchanged: DIR/users.har. Remove it if the test needs none."
  private static let noEntry = "users.har has no entry for GET http://HOST/new."
  private static let entry2 = "users.har: no request asked for entry 2."

  private static func recorded(_ requests: String, _ more: String = "0 values redacted") -> [String] {
    ["Recorded \(requests) to DIR/users.har (\(more))"]
  }

  private static func missing(_ mode: RecordingMode) -> Self {
    Self(
      "needs a file: \(mode)", mode, nil, "/old", reason: .missing,
      error: """
        There is no recording "users". StubKit looked for DIR/users.har.
        To record it from the network, run the test once with
            STUBKIT_RECORD=once swift test --filter FILTER
        """)
  }

  private static func unreadable(_ mode: RecordingMode) -> Self {
    Self(
      "can't read the file: \(mode)", mode, "{", "/old", reason: .unreadable,
      error: #"The recording "users" can't be read from DIR/users.har: users.har, line 3: The file is cut off: "#
        + "a key in quotation marks is missing before the end. Export the archive again. Fix the file, or record it again with STUBKIT_RECORD=all."
    )
  }

  private static let both = "/old /new"

  static let all: [Self] = [
    // The modes.
    Self("plays by default", nil, "old", both, "old unmatched", after: "old"),
    Self("plays", .replay, "old", both, "old unmatched", after: "old"),
    Self("plays what is there", .once, "old", both, "old unmatched", after: "old"),
    Self("records once", .once, nil, both, "new new", after: "new new", said: recorded("2 requests")),
    Self("adds", .newEpisodes, "old", both, "old new", after: "old new", said: recorded("1 request")),
    Self("adds to nothing", .newEpisodes, nil, both, "new new", after: "new new", said: recorded("2 requests")),
    Self("replaces", .all, "old", both, "new new", after: "new new", said: recorded("2 requests")),
    Self("makes", .all, nil, "/new", "new", after: "new", said: recorded("1 request")),
    Self("lives beside a file", .live, "old", both, "new new", after: "old"), Self("lives", .live, nil, "/new", "new"),
    Self(
      "checks", .check, "old old", both, "new new", after: "old old",
      said: ["warning: " + noEntry, "warning: " + entry2]),
    Self(
      "fails for what has changed", nil, "old old", both, "new new", after: "old old", record: "check", drift: "fail",
      reason: .outdated,
      error: """
        The network no longer answers as the recording "users" does:
        \(noEntry)
        \(entry2)
        If the change is intended, record it again with STUBKIT_RECORD=all.
        """),
    Self(
      "fails for no entry that nobody asks for", .check, "old old", "/old", "new", after: "old old", drift: "fail",
      said: ["warning: " + entry2]),
    Self(
      "of a test that stopped early lists no entries", .check, "old", "/new", "new", after: "old", end: .throwing,
      drift: "fail", said: ["warning: " + noEntry]),
    Self(
      "says in lines what has changed where there are no warnings", .check, "old", both, "new new", after: "old",
      drift: "warn", hasWarnings: false, said: [noEntry]),
    // The environment.
    Self(
      "records if the environment says so", .once, "old", "/old", "new", after: "new", record: "all",
      said: recorded("1 request")),
    Self("plays if the environment says so", .all, "old", "/old", "old", after: "old", record: "none"),
    Self(
      "does what the code says in an empty environment", .all, nil, "/old", "new", after: "new", record: "",
      said: recorded("1 request")),
    Self(
      "knows its modes", nil, "old", "/old", after: "old", record: "yes", reason: .unknownMode,
      error: "STUBKIT_RECORD=yes is not a recording mode. The modes are replay (or none), once, newEpisodes "
        + "(or new_episodes), all, live, check."),
    Self(
      "knows two words for a drift", .check, "old", "/old", after: "old", drift: "fial", reason: .unknownMode,
      error: "STUBKIT_DRIFT=fial is unknown. Write STUBKIT_DRIFT=warn or STUBKIT_DRIFT=fail."),
    // What keeps it from being used.
    missing(.replay), missing(.check), unreadable(.replay), unreadable(.once), unreadable(.newEpisodes),
    Self(
      "can't apply a rule", .once, nil, "/old", redacting: [.json(at: "$.a")], reason: .invalidRedaction,
      error:
        #"The recording "users": The JSON path "$.a" has a $ for the whole body, which the empty path stands for: write "#
        + #"keys with dots and indices in brackets, as in "a.b[0].c", a key with dots as ["a.b"], or a JSON Pointer, as in "#
        + #""/a/b/0/c"."#),
    // What it writes.
    Self("replaces no file with nothing", .all, "old", after: "old", reason: .empty, error: noRequest + unchanged),
    Self(
      "says that a request had not ended", .all, "old", "hang", after: "old", reason: .empty,
      error: noRequest + "1 request had not ended. Wait for every response. " + unchanged),
    Self("adds nothing", .newEpisodes, "old", "/old", "old", after: "old"),
    Self("records that there is nothing", .once, after: "", said: recorded("0 requests")),
    Self(
      "counts what had not ended", .once, nil, "/new hang", "new", after: "new",
      said: recorded("1 request", "0 values redacted, 1 request left out as unfinished")),
    Self(
      "takes secrets out", .once, nil, "/new?token=s3cret-9Zk2", "new", after: "new",
      said: recorded("1 request", "1 value redacted: 1 by name")),
    Self(
      "adds to what another process has written meanwhile", .newEpisodes, "old", "process /new", "new",
      after: "old other new", said: recorded("1 request")),
    // How its code ends.
    Self(
      "keeps the old file if the code throws", .all, "old", "/new", "new", after: "old", aside: "new", end: .throwing,
      said: [kept + isAside]),
    Self(
      "makes no file if the code throws", .all, nil, "/new", "new", aside: "new", end: .throwing,
      said: [keptNone + isAside]),
    Self("keeps nothing of nothing", .all, "old", after: "old", end: .throwing, said: [kept]),
    Self(
      "keeps what it would have added", .newEpisodes, "old", "/new", "new", after: "old", aside: "old new",
      end: .throwing, said: [kept + isAside]),
    Self("plays, and throws", nil, "old", "/old", "old", after: "old", end: .throwing),
    Self(
      "keeps the old file if the test fails", .all, "old", "/new", "new", after: "old", aside: "new", end: .failing,
      said: [kept + isAside]),
    Self(
      "keeps the old file if a task of the test fails", .all, "old", "/new", "new", after: "old", aside: "new",
      end: .failingInTask, doors: [.function, .inTest, .trait, .traitInTest], said: [kept + isAside]),
    Self(
      "keeps the old file if the test failed before", .all, "old", "/new", "new", after: "old", aside: "new",
      end: .failingBefore, doors: [.inTest], said: [kept + isAside]),
    Self(
      "replaces the file if the issue is a known one", .all, "old", "/new", "new", after: "new", end: .withKnownIssue,
      doors: ofSwiftTesting, said: recorded("1 request")),
  ]
}

/// One use of a recording, as a row has it.
struct RowUse: Sendable {
  /// What came of it.
  struct Outcome: Equatable {
    var answers: [String]
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
    try row.before?.write(server, to: file)
    // Lines at the end, as no writer leaves them.
    if let written = try? Data(contentsOf: file) { try (written + Data("\n\n".utf8)).write(to: file) }
    bytes = try? Data(contentsOf: file)
  }

  var recording: Recording {
    var recording = folder.recording("users", row.mode)
    recording.redacting = row.redacting
    return recording
  }
  var surroundings: RecordingSurroundings {
    var surroundings = folder.surroundings(row.environment)
    if !row.hasWarnings { surroundings.warn = { _, _ in false } }
    return surroundings
  }

  var expected: Outcome {
    let isWrong = [.throwing, .failing, .failingInTask, .failingBefore].contains(row.end)
    return Outcome(
      answers: row.answers, after: row.before == ["{"] ? ["{"] : row.after, aside: row.aside, said: row.said,
      problems: (isWrong ? ["wrong"] : []) + (row.reason == nil ? [] : [row.error]),
      hasWritten: row.said.contains { $0.hasPrefix("Recorded") })
  }

  func outcome(_ filter: String) throws -> Outcome {
    func told(_ text: String) -> String {
      text.replacing(folder.url.path, with: "DIR").replacing("127.0.0.1:\(server.port)", with: "HOST")
        .replacing(" --filter \(filter)", with: " --filter FILTER")
    }
    let text = try? String(contentsOf: folder.file(), encoding: .utf8)
    let after = text?.first == "{" && text?.contains("log") == false ? ["{"] : try? folder.texts()
    var outcome = Outcome(
      answers: answers.withLock(\.self), after: after,
      aside: try? folder.texts(in: folder.file().appendingPathExtension("failed")), said: folder.said.map(told),
      problems: problems.withLock(\.self).map(told), hasWritten: (try? Data(contentsOf: folder.file())) != bytes)
    if text?.contains("s3cret") == true { outcome.problems.append("has a secret") }
    // The file is free again, and nothing else is left beside it.
    try RecordingSurroundings.$current.withValue(folder.surroundings()) {
      try withRecording(folder.recording("users", .all)) { answerFromNetwork("http://a.example/", "later") }
    }
    if try folder.names != ["users.har"] || folder.texts() != ["later"] { outcome.problems.append("is not free") }
    return outcome
  }

  private func problem(_ text: String) { problems.withLock { $0.append(text) } }

  /// Keeps what a test is told.
  func hear(_ text: String) {
    if text.hasPrefix("No stub matches") { return }
    problem(text.lowercased().contains("wrong") ? "wrong" : text)
  }

  func hear(_ error: any Error) {
    guard let error = error as? RecordingError else { return hear("\(error)") }
    problem(error.reason == row.reason ? error.description : "\(error.reason): \(error)")
  }

  /// What the code does, but for its requests.
  private func url(_ step: String) throws -> URL? {
    switch step {
    case "hang":
      _ = (StubRegistry.current.tap as? ArchiveRecorder)?.begin()
      return nil
    case "process":
      try ["old", "other"].write(server, to: folder.file())
      return nil
    default: return server.url(step)
    }
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
    if row.end == .failingInTask { return await Task { _ = Issue.record("wrong") }.value }
    try end { Issue.record("wrong") }
  }

  /// The same without suspending. A test of Swift Testing is not to block its thread, so the network is played.
  func run(_ answer: (URL) -> String, _ fail: () -> Void) throws {
    for step in row.asks { try url(step).map { keep(answer($0)) } }
    try end(fail)
  }

  func playedAnswer(_ url: URL) -> String {
    if StubRegistry.current.stub(matching: URLRequest(url: url)) != nil { return "old" }
    if case .passThrough = StubRegistry.current.unmatched.kind {
      answerFromNetwork("\(url)", "new")
      return "new"
    }
    return "unmatched"
  }

  private func end(_ fail: () -> Void) throws {
    switch row.end {
    case .well, .failingInTask, .failingBefore: break
    case .throwing: throw Wrong()
    case .failing: fail()
    case .withKnownIssue: withKnownIssue { fail() }
    }
  }

  func failBefore() { if row.end == .failingBefore { Issue.record("wrong") } }
}

extension [String] {
  fileprivate func write(_ server: LoopbackServer, to file: URL) throws {
    if self == ["{"] { return try Data("{".utf8).write(to: file) }
    try HTTPArchive(entries: map { entry("\(server.url("/old"))", $0) }).write(to: file)
  }
}

@Suite("A use of a recording", .inTurn)
struct RecordingRowTests {
  @Test("has a mode with a name, and that of other tools")
  func modes() {
    let modes: [(String, RecordingMode)] = [
      ("replay", .replay), ("none", .replay), ("once", .once), ("newEpisodes", .newEpisodes),
      ("new_episodes", .newEpisodes), ("all", .all), ("live", .live), ("check", .check),
    ]
    for (name, mode) in modes { #expect(RecordingMode(name) == mode, "\(name)") }
  }

  @Test("does what its mode, its file and its end ask for, by a function and by a trait")
  func rows() async throws {
    let server = try LoopbackServer { _, _, send in send(reply("200 OK", "new")) }
    defer { server.stop() }
    let test = try #require(Test.current)
    for row in RecordingRow.all {
      for door in RecordingRow.ofSwiftTesting where row.doors.contains(door) {
        let use = try RowUse(row, server)
        let trait: RecordedTrait = .recorded(
          "users", in: use.recording.folder, mode: row.mode, redacting: row.redacting)
        let (_, issues) = await takingIssues {
          await RecordingSurroundings.$current.withValue(use.surroundings) {
            do {
              switch door {
              case .function: try await withRecording(use.recording, function: "it") { try await use.run() }
              case .synchronous: try Self.runSynchronously(use)
              case .inTest:
                try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
                  use.failBefore()
                  try await withRecording(use.recording, function: "it") { try await use.run() }
                }
              case .trait: try await trait.provideScope(for: test, testCase: nil) { try await use.run() }
              default:
                try await StubbedTrait.stubbed.provideScope(for: test, testCase: nil) {
                  try await trait.provideScope(for: test, testCase: nil) { try await use.run() }
                }
              }
            } catch { use.hear(error) }
          }
        }
        for issue in issues { use.hear(issue.text) }
        let isOfTrait = door == .trait || door == .traitInTest
        let outcome = try use.outcome(isOfTrait ? "RecordingRowTests/rows" : "it")
        #expect(outcome == use.expected, "\(row.name), by \(door)")
      }
    }
  }

  private static func runSynchronously(_ use: RowUse) throws {
    try withRecording(use.recording, function: "it") {
      try use.run(use.playedAnswer) { Issue.record("wrong") }
    }
  }
}

#if os(Linux)
  /// XCTest runs one test at a time. So it runs the rows by itself.
  final class RecordingRowTestCase: XCTestCase {
    func testDoesWhatItsModeItsFileAndItsEndAskFor() throws {
      let server = try LoopbackServer { _, _, send in send(reply("200 OK", "new")) }
      defer { server.stop() }
      for row in RecordingRow.all {
        for door in RecordingRow.ofXCTest where row.doors.contains(door) {
          let use = try RowUse(row, server)
          let failures = Self.failures {
            RecordingSurroundings.$current.withValue(use.surroundings) {
              if door == .testCase {
                let test = PlayedCase(name: "plays") { _ in try Self.run(use) }
                test.used = use.recording
                test.run()
              } else {
                PlainCase(name: "plain") { _ in
                  do {
                    try withRecording(use.recording, function: "it") { try Self.run(use) }
                  } catch { use.hear(error) }
                }.run()
              }
            }
          }
          failures.forEach(use.hear)
          let outcome = try use.outcome(door == .testCase ? "PlayedCase/plays" : "it")
          guard outcome != use.expected else { continue }
          // XCTest has no current test after the one inside.
          recordFailure(
            withDescription: "\(row.name), by \(door): \(outcome) is not \(use.expected)", inFile: #filePath,
            atLine: #line, expected: true)
        }
      }
    }

    private static func run(_ use: RowUse) throws {
      try use.run({ url in
        let ended = DispatchSemaphore(value: 0)
        let answer = Locked("")
        URLSession.patient.dataTask(with: url) { data, _, error in
          let text = error is UnmatchedRequestError ? "unmatched" : "\(error as Any)"
          answer.withLock { $0 = data.map { String(decoding: $0, as: UTF8.self) } ?? text }
          ended.signal()
        }.resume()
        ended.wait()
        return answer.withLock(\.self)
      }) { XCTFail("wrong") }
    }

    /// Runs tests inside of this one, whose failures are none of this run, and keeps XCTest from printing them.
    private static func failures(_ run: () -> Void) -> [String] {
      final class Listener: XCTestObservation {
        var failures: [String] = []
        func testCase(
          _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
          atLine lineNumber: Int
        ) { failures.append(description) }
      }
      let listener = Listener()
      XCTestObservationCenter.shared.addTestObserver(listener)
      fflush(nil)
      let (standardOutput, nothing) = (dup(1), open("/dev/null", O_WRONLY))
      dup2(nothing, 1)
      run()
      fflush(nil)
      dup2(standardOutput, 1)
      close(nothing)
      close(standardOutput)
      XCTestObservationCenter.shared.removeTestObserver(listener)
      return listener.failures
    }
  }

  private final class PlayedCase: RecordedTestCase {
    var used: Recording?
    override var recording: Recording? { used }
  }

  private final class PlainCase: XCTestCase {}
#endif
