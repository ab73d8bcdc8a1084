import Foundation
import StubKitRecording
import TestSupport
import Testing

private let recordings = temporaryPlace()

/// Writes recordings before a test. A test in a process of its own, which can be killed, has all traits too, but runs
/// none.
private struct HasRecordings: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let answers = ["http://a.example/1": "one", "http://a.example/2": "two", "http://127.0.0.1:1/users": "[]"]
    let entries = answers.sorted { $0.key < $1.key }.map { url, text in
      HTTPArchive.Entry(request: request(url), response: .init(body: Data(text.utf8)))
    }
    for (name, entries) in [
      ("users", entries[1...]),
      ("RecordedTraitTests.Suites.isNamedForTheTest", entries[1...]), ("local", entries[..<1]),
    ] {
      let file = recordings.appendingPathComponent(name + ".har")
      if !FileManager.default.fileExists(atPath: file.path) { try HTTPArchive(entries: Array(entries)).write(to: file) }
    }
    try await function()
  }
}

/// Two recordings, "users" with the entries http://a.example/1 and /2, and "local" with http://127.0.0.1:1/users, are
/// there before each test. A test with `.issuesInFile` is to have the issues that stand under its name in
/// Fixtures/issues.txt, and no others: each has a comment that says in short what they are.
///
/// What a recording makes of its mode and its file is in RecordingRows, for the trait as well.
@Suite("The trait .recorded", .inTurn, HasRecordings())
struct RecordedTraitTests {
  @Test(
    "plays into the registry of a .stubbed after it, and lets the test's own stubs answer first",
    .recorded("users", in: recordings), .stubbed(clock: .immediate))
  func before() async throws {
    #expect(StubRegistry.current.stubs.map(\.name) == ["users.har, entry 2", "users.har, entry 1"])
    #expect(StubRegistry.current.clock as? StubTime == .immediate)
    #expect(try await fetch("http://a.example/1") == "one")
    stub(condition: isHost("a.example"), response: .text("mine"))
    #expect(try await fetch("http://a.example/1") == "mine")
  }

  @Test(
    "names the entries in the report of a request that is not recorded",
    .issuesInFile, .stubbed, .recorded("users", in: recordings))
  func nearMiss() async throws {
    // No stub matches GET http://a.example/3: of entry 1, the path differs, of entry 2 as well.
    _ = try? await fetch("http://a.example/3")
  }

  @Test(
    "names the entries that no request asks for",
    .issuesInFile,
    .stubbed(reportUnused: true), .recorded("users", in: recordings))
  func unused() async throws {
    // No request used the stub "users.har, entry 2" for GET http://a.example/2.
    _ = try await fetch("http://a.example/1")
  }

  @Test(
    "needs a name on a test with arguments, whose cases would share a recording",
    .issuesInFile, .stubbed, .recorded(in: recordings), arguments: [1])
  func cases(number: Int) {
    // All cases of a parameterised test would share the recording. The test doesn't run.
    Issue.record("ran")
  }

  @Test("plays a named recording for each case", .stubbed, .recorded("users", in: recordings), arguments: ["1", "2"])
  func namedCases(path: String) async throws {
    #expect(try await fetch("http://a.example/\(path)") == (path == "1" ? "one" : "two"))
  }

  @Test(
    "warns in mode .check if the network answers otherwise than the recording",
    .issuesInFile, .stubbed,
    .recorded("local", in: recordings, mode: .check))
  func check() async {
    // local.har, entry 1: the error was none, and is that of a server that nobody reaches.
    #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/users") is URLError)
  }

  @Test(
    "hides a secret in the warnings beside a failure, as it does in the recording",
    .issuesInFile, .recorded("local", in: recordings, mode: .check), .stubbed)
  func hidden() async throws {
    // The stub of line 12 is unused, and nothing asks about access_token=REDACTED: both stand beside the error.
    stubAtLine(12, isPath("/users"))
    stubAtLine(14, isHost("a.example"))
    _ = try await fetch("http://a.example/users?access_token=s3cr" + "et-9Zk2Rw7Q")
    throw CancellationError()
  }

  @Test(
    "hides a secret in an issue, as it does in the recording",
    .issuesInFile, .recorded("local", in: recordings, mode: .check), .stubbed(reportUnused: true))
  func hiddenInIssues() async throws {
    // Here an unused stub is why the test fails.
    stubAtLine(12, isPath("/user"))
    stubAtLine(14, isHost("a.example"))
    _ = try await fetch("http://a.example/users?access_token=s3cr" + "et-9Zk2Rw7Q")
  }

  @Suite("The trait .recorded on a suite", .inTurn, .stubbed, .recorded(in: recordings))
  struct Suites {
    @Test("plays the recording that is named for the test") func isNamedForTheTest() async throws {
      #expect(try await fetch("http://a.example/1") == "one")
    }

    @Test("gives way to that of a test", .recorded("users", in: recordings)) func innermost() async throws {
      #expect(StubRegistry.current.stubs.count == 2)
      #expect(try await fetch("http://a.example/2") == "two")
    }
  }
}
