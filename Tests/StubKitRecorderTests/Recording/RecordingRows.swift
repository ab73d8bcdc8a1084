import Foundation
import StubKitRecorder
import StubKitRecording
import TestSupport
import Testing
import XCTest

/// What a use of a recording makes of its mode, of the file that is there, and of the way in which its code ends.
///
/// `before: ["old"], asks: [.old, .new], answers: ["old", "unmatched"]` says: the file has one entry, for `/old`, with
/// the text "old". The code asks for `/old` and `/new`, and gets "old" from the file and nothing for the other. With
/// `after: ["old", "new"]`, the file then has two entries, and with `aside:` the file beside it. The server answers
/// everything with "new". Each row is played through each of its `doors`.
struct RecordingRow: Sendable {
  /// A way to use a recording.
  enum Door { case function, synchronous, inTest, trait, traitInTest, testCase, inTestCase }
  /// What the code does.
  enum Step {
    /// It asks for a path.
    case get(String)
    /// A request never ends, fails, or is cancelled by the client.
    case hang, fail, cancel
    /// Another process adds to the file meanwhile.
    case otherProcess

    static let old = get("/old")
    static let new = get("/new")
  }

  enum End { case well, throwing, failing, failingBefore, withKnownIssue, skipping }

  static let ofSwiftTesting: [Door] = [.function, .synchronous, .inTest, .trait, .traitInTest]
  static let ofXCTest: [Door] = [.testCase, .inTestCase]

  let name: String
  var mode: RecordingMode?
  /// The texts of the file, each for `/old`, or `nil` for no file.
  var before: [String]?
  var asks: [Step] = []
  var answers: [String] = []
  /// The texts of the file afterwards, or `nil` if it stays as it was.
  var after: [String]?
  /// The texts of the file beside it.
  var aside: [String]?
  var end = End.well
  var doors = ofSwiftTesting + ofXCTest
  /// What `STUBKIT_RECORD` and `STUBKIT_DRIFT` are.
  var record: String?
  var drift: String?
  var hasWarnings = true
  var redacting = [Redaction].standard
  /// The lines that are said. `DIR` is the folder, and `HOST` is the server.
  var said: [String] = []
  var reason: RecordingError.Reason?
  var error = ""

  private static let kept =
    #"The recording "users" was not written, because its test failed. The existing recording is unchanged: DIR/users.har"#
  private static let keptNone =
    #"The recording "users" was not written, because its test failed. There is no recording at DIR/users.har"#
  private static let isAside = ". What it has recorded is in DIR/users.har.failed"
  private static let noRequest =
    #"The recording "users" was not written, because no request of the test came back from the network. "#
  private static let unchanged =
    "The existing recording is unchanged: DIR/users.har. Remove it if the test needs no response."
  private static let noEntry = "users.har has no entry for GET http://HOST/new."
  private static let entry2 = "users.har: no request asked for entry 2."

  private static func recorded(_ requests: String, _ more: String = "0 values redacted") -> [String] {
    ["Recorded \(requests) to DIR/users.har (\(more))"]
  }

  private static func missing(_ mode: RecordingMode) -> Self {
    Self(
      name: "needs a file: \(mode)", mode: mode, asks: [.old], reason: .missing,
      error: """
        There is no recording "users". StubKit looked for DIR/users.har.
        To record it from the network, run the test once with
            STUBKIT_RECORD=once swift test --filter FILTER
        """)
  }

  private static func unreadable(_ mode: RecordingMode) -> Self {
    Self(
      name: "can't read the file: \(mode)", mode: mode, before: ["{"], asks: [.old], reason: .unreadable,
      error: #"The recording "users" can't be read from DIR/users.har: users.har, line 3: The file is cut off: "#
        + "a key in quotation marks is missing before the end. Export the archive again. Fix the file, or record it "
        + "again with STUBKIT_RECORD=all.")
  }

  /// All requests come from the network, and make the file.
  private static func records(
    _ name: String, _ mode: RecordingMode?, _ before: [String]?, _ asks: [Step], after: [String], record: String? = nil
  ) -> Self {
    let count = asks.count
    return Self(
      name: name, mode: mode, before: before, asks: asks, answers: asks.map { _ in "new" },
      after: after, record: record, said: recorded(count == 1 ? "1 request" : "\(count) requests"))
  }

  /// A request comes from the network, and leaves the file as it is, because the test fails.
  private static func fails(
    _ name: String, _ end: End, _ mode: RecordingMode = .all, before: [String]? = ["old"], aside: [String] = ["new"],
    doors: [Door] = ofSwiftTesting + ofXCTest
  ) -> Self {
    Self(
      name: name, mode: mode, before: before, asks: [.new], answers: ["new"], aside: aside, end: end, doors: doors,
      said: [(before == nil ? keptNone : kept) + isAside])
  }

  private static let both: [Step] = [.old, .new]

  static let all: [Self] = [
    // The modes.
    Self(name: "plays by default", before: ["old"], asks: both, answers: ["old", "unmatched"]),
    Self(name: "plays", mode: .replay, before: ["old"], asks: both, answers: ["old", "unmatched"]),
    Self(name: "plays what is there", mode: .once, before: ["old"], asks: both, answers: ["old", "unmatched"]),
    Self(
      name: "adds", mode: .newEpisodes, before: ["old"], asks: both, answers: ["old", "new"], after: ["old", "new"],
      said: recorded("1 request")),
    records("records once", .once, nil, both, after: ["new", "new"]),
    records("adds to nothing", .newEpisodes, nil, both, after: ["new", "new"]),
    records("replaces", .all, ["old"], both, after: ["new", "new"]),
    records("makes", .all, nil, [.new], after: ["new"]),
    Self(name: "lives beside a file", mode: .live, before: ["old"], asks: both, answers: ["new", "new"]),
    Self(name: "lives", mode: .live, asks: [.new], answers: ["new"]),
    Self(
      name: "checks", mode: .check, before: ["old", "old"], asks: both, answers: ["new", "new"],
      said: ["warning: " + noEntry, "warning: " + entry2]),
    Self(
      name: "fails for what has changed", before: ["old", "old"], asks: both, answers: ["new", "new"], record: "check",
      drift: "fail", reason: .outdated,
      error: """
        The network no longer answers as the recording "users" does:
        \(noEntry)
        \(entry2)
        If the change is intended, record it again with STUBKIT_RECORD=all.
        """),
    Self(
      name: "fails for no entry that nobody asks for", mode: .check, before: ["old", "old"], asks: [.old],
      answers: ["new"],
      drift: "fail", said: ["warning: " + entry2]),
    Self(
      name: "of a test that stopped early lists no entries", mode: .check, before: ["old"], asks: [.new],
      answers: ["new"],
      end: .throwing, drift: "fail", said: ["warning: " + noEntry]),
    Self(
      name: "says in lines what has changed where there are no warnings", mode: .check, before: ["old"], asks: both,
      answers: ["new", "new"], drift: "warn", hasWarnings: false, said: [noEntry]),
    // The environment.
    records("records if the environment says so", .once, ["old"], [.old], after: ["new"], record: "all"),
    records("does what the code says in an empty environment", .all, nil, [.old], after: ["new"], record: ""),
    Self(name: "plays if it says so", mode: .all, before: ["old"], asks: [.old], answers: ["old"], record: "none"),
    Self(
      name: "knows its modes", before: ["old"], asks: [.old], record: "yes", reason: .unknownMode,
      error: "STUBKIT_RECORD=yes is not a recording mode. The modes are replay (or none), once, newEpisodes "
        + "(or new_episodes), all, live, check."),
    Self(
      name: "knows two words for a drift", mode: .check, before: ["old"], asks: [.old], drift: "fial",
      reason: .unknownMode, error: "STUBKIT_DRIFT=fial is unknown. Write STUBKIT_DRIFT=warn or STUBKIT_DRIFT=fail."),
    // What keeps it from being used.
    missing(.replay), missing(.check), unreadable(.replay), unreadable(.once), unreadable(.newEpisodes),
    Self(
      name: "can't apply a rule", mode: .once, asks: [.old], redacting: [.json(at: "$.a")], reason: .invalidRedaction,
      error: "The recording \"users\": " + (Redaction.json(at: "$.a").mistake ?? "")),
    // What it writes.
    Self(
      name: "replaces no file with nothing", mode: .all, before: ["old"], reason: .empty, error: noRequest + unchanged),
    Self(
      name: "says that a request had not ended", mode: .all, before: ["old"], asks: [.hang], reason: .empty,
      error: noRequest + "1 request had not ended. Wait for every response. " + unchanged),
    Self(
      name: "replaces no file with failures", mode: .all, before: ["old"], asks: [.fail, .cancel], aside: [],
      reason: .empty,
      error: noRequest
        + "2 requests failed. The existing recording is unchanged: DIR/users.har. Remove it if the test "
        + "needs no response. What it has recorded is in DIR/users.har.failed"),
    Self(
      name: "counts what failed and what was cancelled", mode: .all, before: ["old"], asks: [.new, .fail, .cancel],
      answers: ["new"], after: ["new"], said: recorded("3 requests", "1 failed, 1 cancelled, 0 values redacted")),
    Self(
      name: "adds a failure", mode: .newEpisodes, before: ["old"], asks: [.fail], after: ["old"],
      said: recorded("1 request", "1 failed, 0 values redacted")),
    Self(name: "adds nothing", mode: .newEpisodes, before: ["old"], asks: [.old], answers: ["old"]),
    Self(name: "records that there is nothing", mode: .once, after: [], said: recorded("0 requests")),
    Self(
      name: "counts what had not ended", mode: .once, asks: [.new, .hang], answers: ["new"], after: ["new"],
      said: recorded("1 request", "0 values redacted, 1 request left out as unfinished")),
    Self(
      name: "takes secrets out", mode: .once, asks: [.get("/new?token=s3cret-9Zk2")], answers: ["new"], after: ["new"],
      said: recorded("1 request", "1 value redacted: 1 by name")),
    Self(
      name: "adds to what another process has written meanwhile", mode: .newEpisodes, before: ["old"],
      asks: [.otherProcess, .new], answers: ["new"], after: ["old", "other", "new"], said: recorded("1 request")),
    Self(
      name: "names what it replaces only because it looks random", mode: .once,
      asks: [.get("/new?page=q9Q2xT7vB8nL4pR6sW1z")],
      answers: ["new"], after: ["new"],
      said: recorded("1 request", "1 value redacted: 1 by look") + [
        #"Replaced 1 value only because it looks random: page. Keep it with .keep("page")."#
      ]),
    // How its code ends.
    fails("keeps the old file if the code throws", .throwing), fails("makes no file", .throwing, before: nil),
    fails("keeps what it would have added", .throwing, .newEpisodes, aside: ["old", "new"]),
    Self(name: "keeps nothing of nothing", mode: .all, before: ["old"], end: .throwing, said: [kept]),
    Self(name: "plays, and throws", before: ["old"], asks: [.old], answers: ["old"], end: .throwing),
    fails("keeps the old file if the test fails", .failing),
    Self(
      name: "keeps the old file if the test is skipped", mode: .all, before: ["old"], asks: [.new], answers: ["new"],
      aside: ["new"], end: .skipping, doors: [.testCase],
      said: [kept.replacing("its test failed", with: "its test was skipped") + isAside]),
    fails("keeps the old file if the test failed before", .failingBefore, doors: [.inTest]),
    Self(
      name: "replaces the file if the issue is a known one", mode: .all, before: ["old"], asks: [.new],
      answers: ["new"],
      after: ["new"], end: .withKnownIssue, doors: ofSwiftTesting, said: recorded("1 request")),
  ]
}

@Suite("A use of a recording", .inTurn)
struct RecordingRowTests {
  @Test("has a mode that is found by its name, or by that of other tools")
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
        #expect(outcome == use.expected(by: door), "\(row.name), by \(door)")
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
      for row in RecordingRow.all {
        for door in RecordingRow.ofXCTest where row.doors.contains(door) {
          let use = try RowUse(row, server)
          let failures = failuresInXCTest {
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
          guard outcome != use.expected(by: door) else { continue }
          // XCTest has no current test after the one inside.
          recordFailure(
            withDescription: "\(row.name), by \(door): \(outcome) is not \(use.expected(by: door))", inFile: #filePath,
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
          answer.withLock { $0 = data.map(\.text) ?? text }
          ended.signal()
        }.resume()
        ended.wait()
        return answer.withLock(\.self)
      }) { XCTFail("wrong") }
    }
  }

  /// Runs tests inside of this one, whose failures are none of this run, and keeps XCTest and StubKit from printing
  /// them.
  func failuresInXCTest(_ run: () -> Void) -> [String] {
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
    RunningTest.$sink.withValue({ _ in }, operation: run)
    fflush(nil)
    dup2(standardOutput, 1)
    close(nothing)
    close(standardOutput)
    XCTestObservationCenter.shared.removeTestObserver(listener)
    return listener.failures
  }

  private final class PlayedCase: RecordedTestCase {
    var used: Recording?
    override var recording: Recording? { used }
  }

  private final class PlainCase: XCTestCase {}
#endif
