import Foundation
import StubKitRecording
import TestSupport
import Testing

private let recordings = temporaryPlace()

/// Writes recordings before a test. A test in a process of its own, which can be killed, has all traits too, but runs none.
struct HasRecordings: SuiteTrait, TestTrait, TestScoping {
  let folder: URL
  let names: [String]
  let archive: HTTPArchive
  let isRecursive = true

  /// - Parameter texts: Of the answers, by their URLs.
  init(_ names: String..., in folder: URL, _ texts: KeyValuePairs<String, String>) {
    (self.folder, self.names) = (folder, names)
    archive = HTTPArchive(
      entries: texts.map { url, text in
        .init(request: URLRequest(url: URL(string: url)!), response: .init(body: Data(text.utf8)))
      })
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for file in names.map({ folder.appendingPathComponent($0 + ".har") })
    where !FileManager.default.fileExists(atPath: file.path) { try archive.write(to: file) }
    try await function()
  }
}

private func missing(_ name: String, _ filter: String) -> ExpectedIssue {
  ExpectedIssue(
    """
    There is no recording "\(name)". StubKit looked for \(recordings.appendingPathComponent(name + ".har").path).
    To record it from the network, run the test once with
        STUBKIT_RECORD=once swift test --filter \(filter)
    """)
}

/// Looks for a file when the test is over, and removes it.
private struct Leaves: TestTrait, TestScoping {
  let name: String

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let file = recordings.appendingPathComponent(name + ".har")
    try await function()
    #expect(try HTTPArchive(contentsOf: file).entries.isEmpty)
    try FileManager.default.removeItem(at: file)
  }
}

@Suite(
  "The trait .recorded", .inTurn,
  HasRecordings(
    "users", "RecordedTraitTests.Suites.isNamedForTheTest", in: recordings,
    ["http://a.example/1": "one", "http://a.example/2": "two"]))
struct RecordedTraitTests {
  @Test("plays a recording", .stubbed, .recorded("users", in: recordings))
  func plays() async throws {
    #expect(try await fetch("http://a.example/1") == "one")
    #expect(StubRegistry.current.stubs.map(\.name) == ["users.har, entry 2", "users.har, entry 1"])
  }

  @Test("plays it where .stubbed comes later", .recorded("users", in: recordings), .stubbed(clock: .immediate))
  func before() async throws {
    #expect(try await fetch("http://a.example/1") == "one")
    #expect(StubRegistry.current.clock is ImmediateStubClock)
  }

  @Test("makes a scope without .stubbed", .recorded("users", in: recordings))
  func alone() async throws {
    #expect(StubRegistry.current !== StubRegistry.global)
    #expect(try await fetch("http://a.example/2") == "two")
  }

  @Test("lets the test's own stubs answer first", .stubbed, .recorded("users", in: recordings))
  func stubs() async throws {
    stub(condition: isHost("a.example"), response: .text("mine"))
    #expect(try await fetch("http://a.example/1") == "mine")
  }

  @Test(
    "has a missing recording as an issue, and does not run the test",
    .issues(missing("nowhere", "RecordedTraitTests/missingRecording")), .stubbed, .recorded("nowhere", in: recordings))
  func missingRecording() { Issue.record("ran") }

  @Test(
    "has it where .stubbed comes later, and without .stubbed",
    .issues(missing("nowhere", "RecordedTraitTests/missingInside")), .recorded("nowhere", in: recordings), .stubbed)
  func missingInside() { Issue.record("ran") }

  @Test(
    "has it without .stubbed", .issues(missing("nowhere", "RecordedTraitTests/missingAlone")),
    .recorded("nowhere", in: recordings))
  func missingAlone() { Issue.record("ran") }

  @Test(
    "names the entries in the report of a request that is not recorded",
    .issues(
      ExpectedIssue(
        """
        No stub matches GET http://a.example/3
        To add it to the recording, run the test once with
            STUBKIT_RECORD=newEpisodes swift test --filter RecordedTraitTests/nearMiss
        There are 2 recorded requests, nearest first:
          GET /1, users.har, entry 1: path differs
            path: expected /1, got /3
          GET /2, users.har, entry 2: path differs
            path: expected /2, got /3
        Or register a stub for it.
        """)), .stubbed, .recorded("users", in: recordings))
  func nearMiss() async throws { _ = try? await fetch("http://a.example/3") }

  @Test(
    "names the entries that no request asks for",
    .issues(
      unusedStub(
        "\"users.har, entry 2\" (StubKitTestingTests/RecordedTraitTests.swift:\(unusedLine))", at: "the test",
        """
        1 request did arrive, nearest first:
          1. GET http://a.example/1: answered with 200
             ✗ path: expected /2, got /1
        """)),
    .stubbed(reportUnused: true), .recorded("users", in: recordings))
  func unused() async throws { _ = try await fetch("http://a.example/1") }

  @Test(
    "wants a name for the cases of a parameterised test",
    .issues(
      ExpectedIssue(
        """
        All cases of a parameterised test would share the recording "RecordedTraitTests.cases". To share it, write .recorded("…"). \
        To give each case its own recording, write in the test: withRecording(Recording("RecordedTraitTests.cases-\\(argument)")) { … }
        """)), .stubbed, .recorded(in: recordings), arguments: [1])
  func cases(number: Int) { Issue.record("ran") }

  @Test("plays a named recording for each case", .stubbed, .recorded("users", in: recordings), arguments: ["1", "2"])
  func namedCases(path: String) async throws {
    #expect(try await fetch("http://a.example/\(path)") == (path == "1" ? "one" : "two"))
  }

  @Test("makes a recording", Leaves(name: "made"), .stubbed, .recorded("made", in: recordings, mode: .once))
  func makes() { #expect(StubRegistry.current.stubs.isEmpty) }

  @Suite("on a suite", .inTurn, .stubbed, .recorded(in: recordings))
  struct Suites {
    @Test("is named for the test") func isNamedForTheTest() async throws {
      #expect(try await fetch("http://a.example/1") == "one")
    }

    @Test("gives way to that of a test", .recorded("users", in: recordings)) func innermost() async throws {
      #expect(StubRegistry.current.stubs.count == 2)
      #expect(try await fetch("http://a.example/2") == "two")
    }
  }
}

private let unusedLine = line(of: "names the entries that no request asks for")

/// The line of the `@Test` that is named so.
private func line(of name: String) -> Int {
  let lines = (try? String(contentsOfFile: #filePath, encoding: .utf8))?.components(separatedBy: "\n") ?? []
  return lines.firstIndex { $0.contains("\"\(name)\"") } ?? 0
}
