import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A mistake in a stub", .inTurn)
struct MistakeIssueTests {
  private static let sentence = """
    isPath("/users?page=2") has a query: write the path alone, and add containsQuery(…) for the query.
    The stub isPath("/users?page=2") (App/Users.swift:12) can't match any request.
    """

  @Test(
    "is an issue at its own line, and the test goes on",
    .issues(ExpectedIssue(sentence, at: "App/Users.swift:12:5")), .stubbed)
  func issue() async throws {
    stubAtLine(12, isPath("/users?page=2"))
    stubAtLine(13, isPath("/users"))
    _ = try await fetch("http://a.example/users")
  }

  @Test("is a finding of its scope where no test is known")
  func finding() async {
    let findings = await Task.detached {
      await TestScope(.enclosing).run { stubAtLine(12, isPath("/users?page=2")) }.findings
    }.value
    #expect(findings.map(\.description) == [Self.sentence])
  }
}
