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

  @Test(
    "in a response that a closure makes is an issue at the line of its stub, once for all requests",
    .issues(
      ExpectedIssue(
        "The stub at App/Users.swift:12 answers with a delay or duration of -2.0 seconds, which is below zero. Write .zero "
          + "or more.", at: "App/Users.swift:12:5")), .stubbed)
  func closure() async {
    let location = StubLocation(fileID: "App/Users.swift", filePath: "/App/Users.swift", line: 12, column: 5)
    stub(condition: .anything, at: location) { _ in .ok.delay(.seconds(-2)) }
    for _ in 1...3 { await #expect(throws: StubResponseError.self) { try await fetch("http://a.example/users") } }
  }

  /// Each reason for which a response can't be sent.
  private static let broken: [(StubResponse, String)] =
    [
      (.status(42), "answers with the status 42"), (.ok.header("A B", ""), "answers with a header named"),
      (.ok.header("A", "\n"), "answers with the value"), (.ok.validated(etag: "a b"), "answers with the entity tag"),
      (.ok.delay(.seconds(-2)), "answers with a delay or duration of -2.0 seconds"),
      (.ok.network(NetworkConditions(latency: .seconds(-2))), "has impossible conditions"),
      (.text("x").chunked(by: 0), "answers in pieces of 0 bytes"),
      (.ok.failing(afterBytes: -1), "fails after -1 bytes"),
      (.events([ServerSentEvent("", id: "\0")]), "answers with a server-sent event"),
      (.redirect(to: "/", status: 200), "redirects with the status 200"), (.redirect(to: ""), "redirects to"),
      (.json(Double.nan), "can't be encoded as JSON"), (.json(JSONValue("[1]")), "would encode it as a JSON string"),
      (.file("none.json"), "which doesn't exist"), (.file("/"), "which is a directory"),
      (.file(URL(string: "http://a")!), "which is not a file URL"), (.file("/dev/null"), "not a regular file"),
      (.message(Data("HTTP/1.1 200 OK\n:\n\n".utf8)), "is not a header field"),
    ]
    + [
      StubResponseError.Reason.invalidTime(.infinity), .fixtureUnreadable("/x", "Denied"), .fixtureBecameShorter("/x"),
      .passedThroughWithCredential,
    ].map { (StubResponse(status: 200, headers: [:], body: .empty, problem: $0), $0.description) }

  @Test("in a response is an issue of the test, once, beside the error of each request")
  func responses() async {
    for (response, reason) in Self.broken {
      let findings = await Task.detached {
        await TestScope(.enclosing).run {
          stub(condition: .anything, response: response)
          for _ in 1...2 {
            await #expect(throws: StubResponseError.self, "\(reason)") { try await fetch("http://a.example/users") }
          }
        }.findings
      }.value
      #expect(findings.map { $0.description.contains(reason) } == [true], "\(findings)")
    }
  }
}
