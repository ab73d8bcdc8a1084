import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A stub that is never used", .inTurn)
struct UnusedStubIssueTests {
  @Test(
    "is an issue at its own line, if that is asked for",
    .issues(
      unusedStub(
        #"isHost("never.example") (App/Users.swift:12)"#, at: "App/Users.swift:12:5",
        """
        1 request did arrive, nearest first:
          1. GET http://used.example/: answered with 204
             ✗ host: expected never.example, got used.example
        """),
      unusedStub(
        #""users" (App/Users.swift:15)"#, at: "App/Users.swift:15:5",
        """
        1 request did arrive, nearest first:
          1. GET http://used.example/: answered with 204
             ✗ host: expected never.example, got used.example
             ✗ path: expected /users, got /
        """)), .stubbed(reportUnused: true))
  func unused() async throws {
    stubAtLine(12, isHost("never.example"))
    stubAtLine(13, isHost("used.example"))
    stubAtLine(14, isHost("removed.example")).remove()
    stubAtLine(15, isHost("never.example") && isPath("/users")).name = "users"
    _ = try await fetch("http://used.example/")
  }

  @Test("is no issue otherwise", .issues(), .stubbed)
  func notAskedFor() { stubAtLine(12, isHost("never.example")) }

  @Test(
    "is a warning beside a failure if a newer stub that is as broad answered in its place",
    .issues(
      ExpectedIssue("Expected the answer of line 12.", at: "App/Users.swift:20:5"),
      unusedStub(
        #"isHost("shadowed.example") && isPath("/users") (App/Users.swift:12)"#, at: "App/Users.swift:12:5",
        """
        1 request did arrive, nearest first:
          1. GET http://shadowed.example/users: answered with 404
             answered by another stub, at App/Users.swift:14
        """, theNewestAnswers)),
    .stubbed)
  func shadowed() async throws {
    for line in [10, 11] as [UInt] { stubAtLine(line, isHost("shadowed.example")) }
    stubAtLine(12, isHost("shadowed.example") && isPath("/users"))
    stubAtLine(13, isHost("shadowed.example") && isPath("/posts"))
    stubAtLine(14, isHost("shadowed.example"), .empty(status: 404))
    _ = try await fetch("http://shadowed.example/users")
    let location = SourceLocation(fileID: "App/Users.swift", filePath: "/app/Users.swift", line: 20, column: 5)
    Issue.record("Expected the answer of line 12.", sourceLocation: location)
  }

  @Test(
    "is a warning also beside an error that the test throws",
    .issues(
      unusedStub(
        #"isPath("/users") (App/Users.swift:12)"#, at: "App/Users.swift:12:5",
        """
        1 request did arrive, nearest first:
          1. GET http://shadowed.example/users: answered with 404
             answered by another stub, at App/Users.swift:14
        """, theNewestAnswers),
      ExpectedIssue("threw CancellationError()")), .stubbed)
  func shadowedAndThrown() async throws {
    stubAtLine(12, isPath("/users"))
    stubAtLine(14, pathStartsWith("/u"), .empty(status: 404))
    _ = try await fetch("http://shadowed.example/users")
    throw CancellationError()
  }

  /// The line of the test below, which a stub with the condition of a newer one needs in order to be the test's own.
  private static let lineOfNextTest: UInt = #line + 1
  @Test(
    "is a warning beside a failure if the test itself registers its condition again, unlike a default",
    .issues(
      unusedStub(
        #"isPath("/jobs") (\#(#fileID):\#(lineOfNextTest + 5))"#, at: "\(#fileID):\(lineOfNextTest + 5):5",
        """
        1 request did arrive, nearest first:
          1. GET http://shadowed.example/jobs: answered with 404
             answered by another stub, at \(#fileID):\(lineOfNextTest + 6)
        """, theNewestAnswers),
      ExpectedIssue("threw CancellationError()")), .stubbed)
  func registeredTwice() async throws {
    // A default above the test, one below it, one of another file, and the two of the test.
    for line in [Self.lineOfNextTest - 5, Self.lineOfNextTest + 7, Self.lineOfNextTest + 5] {
      stubAtLine(line, isPath("/jobs"), fileID: #fileID)
    }
    stubAtLine(13, isPath("/jobs"))
    stubAtLine(Self.lineOfNextTest + 6, isPath("/jobs"), .empty(status: 404), fileID: #fileID)
    _ = try await fetch("http://shadowed.example/jobs")
    throw CancellationError()
  }

  /// A recording that hides one word.
  private final class Recording: ScopedUse, NetworkTap {
    private struct Begun: BegunUse {
      let registry: StubRegistry
      let frame: RecordingFrame

      private func end() -> [String] {
        registry.end(frame)
        return []
      }
      func end(isWhole: Bool) -> [String] { end() }
      func end(isWhole: Bool) async -> [String] { end() }
    }

    func begin(in registry: StubRegistry) -> any BegunUse {
      let frame = RecordingFrame(self, isOfTest: true)
      #expect(registry.begin(frame))
      return Begun(registry: registry, frame: frame)
    }
    func begin(_ request: URLRequest) -> any NetworkRecorder { fatalError("Nothing goes to the network.") }
    func redacted(_ text: String, of criterion: String?) -> String { text.replacing("s3cret", with: "REDACTED") }
  }

  @Test("says nothing in its warning that a recording of the test hides")
  func hidden() async {
    for throwing in [true, false] {
      let (findings, _) = await TestScope(.enclosing, of: "recorded()").run(with: Recording()) {
        stubAtLine(12, isPath("/users"))
        stubAtLine(14, isHost("recorded.example"))
        _ = try await fetch("http://recorded.example/users?key=s3cret")
        if throwing { throw CancellationError() }
        _ = try? await fetch("http://missed.example/?key=s3cret")
      }
      let said = findings.map(\.description).joined()
      #expect(
        said.contains("No request used the stub") && said.contains("key=REDACTED") && !said.contains("s3cret"),
        "\(throwing)")
    }
  }

  @Test("is no warning in a test that passes, whoever answered in its place", .issues(), .stubbed)
  func shadowedAndPassed() async throws {
    stubAtLine(12, isPath("/users"))
    stubAtLine(14, isHost("shadowed.example"), .empty(status: 404))
    _ = try await fetch("http://shadowed.example/users")
    withKnownIssue { Issue.record("A known issue.") }
  }

  @Test(
    "is an issue beside the request that should have used it",
    .issues(
      ExpectedIssue(unmatchedReport("GET", url("http://typo.example/user"), butFor: "/users", line: 4)),
      unusedStub(
        #"isHost("typo.example") && isPath("/users") (App/Users.swift:4)"#, at: "App/Users.swift:4:5",
        """
        1 request did arrive, nearest first:
          1. GET http://typo.example/user: unmatched
             ✗ path: expected /users, got /user
        """)),
    .stubbed(reportUnused: true))
  func typo() async throws {
    stubAtLine(4, isHost("typo.example") && isPath("/users"))
    _ = try? await fetch("http://typo.example/user")
  }

  @Test(
    "is no issue of a test that throws", .issues(ExpectedIssue("threw CancellationError()")),
    .stubbed(reportUnused: true))
  func thrown() throws {
    stubAtLine(12, isHost("never.example"))
    throw CancellationError()
  }

  @Test(
    "is an issue at the test if it has no place",
    .issues(
      unusedStub(#"isHost("a.example") (nowhere:1)"#, at: "the test"),
      unusedStub(#"isHost("b.example") (App/Users.swift:0)"#, at: "the test")), .stubbed(reportUnused: true))
  func placeless() {
    stubAtLine(1, isHost("a.example"), fileID: "nowhere")
    stubAtLine(0, isHost("b.example"))
  }

  @Suite("in a suite that asks for it", .inTurn, .stubbed(reportUnused: true))
  struct Suites {
    @Test("is no issue of a test that does not", .issues(), .stubbed(reportUnused: false))
    func revoked() { stubAtLine(12, isHost("never.example")) }
  }
}
