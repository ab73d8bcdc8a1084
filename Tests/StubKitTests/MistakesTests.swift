import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A mistake", .inTurn)
struct MistakesTests {
  @Test("is not what only looks like an escape, a template or a pattern")
  func legitimate() {
    // What looks like an escape, a template or a pattern can be meant as it stands.
    for (matcher, url) in [
      (isPath("/100%"), "http://a/100%25"),
      (isPath("/:1"), "http://a/:1"),
      (pathMatches("^/users/:id$"), "http://a/users/:id"),
      (isURL("http://a/%2A/%3Aid?q=%7Bid%7D"), "http://a/*/:id?q=%7Bid%7D"),
      (isURL(url("http://a/v1/*/:id")), "http://a/v1/*/:id"), (hasBaseURL(url("http://a/v1/*")), "http://a/v1/*/x"),
      (urlMatches("^http://a/[*]/:id$"), "http://a/*/:id"), (hasBaseURL("http://u:*@a/v1"), "http://a/v1/x"),
      (isURL(#"http://a/?filter={"a":[1]}"#), "http://a/?filter=%7B%22a%22:%5B1%5D%7D"),
      (isPath("/a{"), "http://a/a%7B"),
      (hasPathExtension("b:c"), "http://a/a.b:c"),
      (containsQuery("to", "https://b/a%20b"), "http://a/?to=https://b/a%2520b"),
      (containsQuery("q", "100%"), "http://a/?q=100%25"), (queryMatches("q", "^a%20b$"), "http://a/?q=a%2520b"),
      (isURL("http://a/users?select=*"), "http://a/users?select=*"),
      (hasExactQuery(["page=2": nil]), "http://a/?page%3D2"),
      (isURL("http://a/?to=https://b"), "http://a/?to=https://b"),
    ] {
      #expect(matcher.mistake == nil && matcher.matches(request(url)), "\(url): \(matcher.mistake as Any)")
    }
  }

  @Test("is an && of two sides that exclude each other")
  func contradictions() {
    let base = hasBaseURL("http://a.example/v1/x%2Fy")
    // A part of what is said, or nil for conditions that are no mistake.
    for (matcher, part) in [
      (
        isMethod(.get) && isMethod(.post),
        "isMethod(.get) && isMethod(.post) matches nothing: a request has one method."
      ),
      (isHost("a") && isPort(1) && isHost("b"), "one host"), (isScheme("http") && isURL("https://a"), "one scheme"),
      (isURL("http://a") && isPort(81), "one port"),
      (base && isPath("/users"), "without a slash in front"),
      (base && RequestMatcher(.get, "/users/{id}"), "without a slash in front"),
      (RequestMatcher(.get, "/users", where: base), "without a slash in front"),
      (RequestMatcher(.get, "/v1/{id}", where: base), nil),
      (base && isPath(template: "/v1/{z}"), nil),
      (base && isPath(template: "/{rest...}"), nil),
      (isPath("/users") && base, "without a slash in front"),
      (hasBaseURL("http://a.example/v2") && isURL("http://a.example/users"), "one path"),
      (base && isPath("/v1/x/y/z"), nil), (base && hasBaseURL("http://a.example/v1/x%2Fy/z"), nil),
      (base && hasBaseURL("http://a.example/v2"), "one path"),
      (isHost("A") && isHost("a") && isURL("http://a:80/b/") && isPath("/b"), nil),
      (isHost("a") && hostEndsWith("b"), nil),
      (isHost("a") && !isHost("b"), nil),
      (containsQuery("a", "1") && containsQuery("a", "2"), nil), (hasHeader("A", "1") && hasHeader("A", "2"), nil),
      (hasBearerToken("a") && hasBearerToken("b"), "one bearer token"),
      (isPath("/x") && !isPath("/x"), #"isPath("/x") && !isPath("/x") matches nothing. Leave one out."#),
      (isPath("/x") && !isPath("/y"), nil), (hasHeader("A") && !hasHeader("a"), "one says that it is there"),
      (!containsQuery("a") && containsQuery("a", "1"), "one says that it is there"),
      (!containsQuery("a") && containsQuery("b"), nil),
    ] {
      #expect(
        part.map { matcher.mistake?.contains($0) == true } ?? (matcher.mistake == nil),
        "\(matcher): \(matcher.mistake ?? "")")
    }
    #expect(throws: (any Error).self) { try verify(isHost("a") && isHost("b"), called: .never, in: StubRegistry()) }
  }

  @Test("is a path outside of its group's base URL")
  func outsideOfBase() async {
    await withStubs {
      let (group, issues) = await takingIssues {
        stubs(on: hasBaseURL("https://a.example/v1")) {
          StubKit.stub(.get, "/users", response: .status(204))
          StubKit.stub(.get, "/v1/users", response: .status(204))
        }
      }
      #expect(issues.count == 1 && issues.allSatisfy { $0.text.contains("without a slash in front") }, "\(issues)")
      #expect(group?.stubs.map { $0.mistake == nil } == [false, true])
    }
  }

  /// What is said about such conditions is in CureTests and in TextsOfMatchersTests.
  @Test(
    "is a mistake of each condition around it, which then never matches",
    arguments: [isScheme("https:"), isPath("/users/Optional(42)"), hasHeader("X-Id", "Optional(4)")])
  func composed(matcher: RequestMatcher) {
    let conditions = [
      matcher, !matcher, !(!matcher), matcher && isPath("/"), isPath("/") || matcher, .anything || !matcher,
      !(matcher && { _ in false }), (0..<20).reduce(matcher) { $0 || isPort($1) },
    ]
    let request = request("http://a.example/")
    for condition in conditions {
      #expect(condition.mistake == matcher.mistake, "\(condition)")
      #expect(!condition.isMet(by: request), "\(condition)")
      var facts = RequestFacts(request)
      #expect(!condition.canBe(true, &facts, readsBody: false), "\(condition)")
    }
  }

  @Test("in a condition is an issue of the test that compares a request, or the journal, with it")
  func asked() async {
    let condition = isPath("ads")
    let (asked, issues) = await takingIssues {
      withStubs {
        (
          condition.matches(request("http://a.example/ads")),
          StubRegistry.current.journal.requests(matching: !condition).count
        )
      }
    }
    #expect(asked?.0 == false)
    #expect(asked?.1 == 0)
    #expect(issues.count == 2 && issues.allSatisfy { $0.text.contains("isPath(\"/ads\")") }, "\(issues)")
  }

  /// A stub with a mistake, beside one of `/users`, and the issues of its registration.
  private func withMistakenStub(
    _ test: (_ stub: Stub, _ issues: [Issue]) async throws -> Void
  ) async throws {
    try await withStubs {
      StubKit.stub(condition: isHost("a.example") && isPath("/users"), response: .status(204))
      let (stub, issues) = await takingIssues {
        StubKit.stub(condition: !isScheme("https:"), response: .status(204))
      }
      try await test(#require(stub), issues)
    }
  }

  @Test("is an issue at the line of its stub, with what to write")
  func issue() async throws {
    let sentence = #"isScheme("https:") matches nothing: write the scheme alone, as in isScheme("https")."#
    try await withMistakenStub { _, issues in
      #expect(issues.map { $0.text.contains(sentence) && $0.text.contains("MistakesTests.swift") } == [true])
    }
  }

  @Test("keeps its stub from matching, which is inactive, but not used up")
  func inactive() async throws {
    try await withMistakenStub { stub, _ in
      #expect(stub.mistake == isScheme("https:").mistake)
      #expect(!stub.isActive)
      let explanation = HTTPStubs.explain(request("http://a.example/user"))
      #expect(explanation.stub == nil)
      #expect(!explanation.candidates.contains { $0.isUsedUp })
    }
  }

  @Test("is what the report of an unmatched request names first")
  func inReport() async throws {
    try await withMistakenStub { stub, _ in
      let error = await URLSession.shared.failure(of: "http://a.example/user") as? UnmatchedRequestError
      #expect(error?.nearest.first?.stub === stub)
      #expect(error?.description.contains("matches nothing: write the scheme") == true, "\(error as Any)")
    }
  }

  @Test("keeps its stub from being listed as unused")
  func notUnused() async throws {
    try await withMistakenStub { stub, _ in
      #expect(
        StubRegistry.current.unusedStubs.map { "\($0.condition)" } == [#"isHost("a.example") && isPath("/users")"#])
    }
  }

  @Test("in the condition of a policy is an issue")
  func policy() async {
    let (_, issues) = await takingIssues {
      withStubs { StubRegistry.current.unmatched = .passThrough(when: isHost("localhost:80")) }
    }
    #expect(issues.map { $0.text.contains("add isScheme(…), isPort(…)") } == [true])
  }

  @Test("fails a verification, even that no request was made")
  func verification() {
    let registry = StubRegistry()
    let mistaken = isPath("/users?page=2")
    let errors = [
      #expect(throws: VerificationError.self) { try verify(mistaken, called: .never, in: registry) },
      #expect(throws: VerificationError.self) { try verifyInOrder(mistaken, in: registry) },
    ]
    #expect(errors.map { $0?.description.contains("has a query: write the path alone") } == [true, true])
  }

  /// What is said of a stub, and how it is registered.
  private static let mistakenStubs: [(sentence: String, add: @Sendable (StubRegistry) -> Stub)] = [
    (
      "times: must be at least 1, but it is 0.",
      { StubKit.stub(condition: .anything, response: .ok, times: 0, in: $0) }
    ),
    ("times: must be at least 1", { StubKit.stub(condition: .anything, response: .ok, times: .min, in: $0) }),
    ("responses: is empty.", { StubKit.stub(condition: .anything, responses: [], in: $0) }),
  ]

  @Test("in the times or responses of a stub is an issue, and the stub answers nothing", arguments: mistakenStubs)
  func registered(sentence: String, add: @escaping @Sendable (StubRegistry) -> Stub) async {
    let registry = StubRegistry()
    let (stub, issues) = await takingIssues { add(registry) }
    #expect(issues.map { $0.text.contains(sentence) } == [true], "\(issues)")
    #expect(stub?.mistake?.contains(sentence) == true)
    #expect(registry.answerer(of: request("http://a.example/")) == nil)
  }

  @Test("in the times or responses of a stub fails who waits for its calls, or verifies them", arguments: mistakenStubs)
  func lookedBackAt(sentence: String, add: @escaping @Sendable (StubRegistry) -> Stub) async throws {
    let stub = try #require(await takingIssues { add(StubRegistry()) }.result)
    let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls() }
    #expect(error?.description.contains(sentence) == true)
    #expect(throws: VerificationError.self) { try verify(stub, called: .never) }
  }

  @Test("is a wait for a negative number of calls", arguments: [-1, .min])
  func negativeCounts(count: Int) async {
    let stub = StubKit.stub(condition: .anything, response: .status(204), in: StubRegistry())
    let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(count) }
    #expect(error?.description.contains("\(count) is not a valid number of calls to wait for.") == true)
    await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(count) }
  }

  @Test(
    "in a response fails its request, with a report of what is wrong",
    arguments: [
      (.text("x").header("a\nb", "c"), #"a header named "a\nb""#), (.text("x", status: 1_000), "status 1000"),
      (.passThrough.network(.threeG), "no effect on a real server"),
      (.file("/nowhere/users.json"), "/nowhere/users.json"),
    ] as [(StubResponse, String)])
  func responses(response: StubResponse, words: String) async throws {
    try await withStubs {
      StubKit.stub(condition: .anything, response: response, name: "faulty", fileID: "App/A.swift", line: 3)
      let error = try #require(await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError)
      #expect(error.description.hasPrefix("The stub \"faulty\" (App/A.swift:3) "))
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test("in a response leaves its stub active, which has the failed request")
  func stubOfMistakenResponse() async {
    await withStubs {
      let stub = StubKit.stub(condition: .anything, response: .text("x", status: 1_000))
      _ = await URLSession.shared.failure(of: "http://a.example/")
      #expect(stub.isActive)
      #expect(stub.requests.map { $0.outcome.error is StubResponseError } == [true])
    }
  }

  @Test("in the response of a closure or a policy fails its request")
  func madeResponses() async {
    await withStubs {
      StubKit.stub(condition: isPath("/closure")) { _ in .status(1_000) }
      HTTPStubs.unmatched = .respond { _ in .status(1_000) }
      #expect(await URLSession.shared.failure(of: "http://a.example/closure") is StubResponseError)
      let report = await URLSession.shared.failure(of: "http://a.example/policy") as? StubResponseError
      #expect(report != nil && report?.stub == nil)
    }
  }
}

extension RequestMatcher {
  /// Returns whether a request meets the condition. Unlike `matches(_:)`, this tells nobody of a mistake.
  func isMet(by request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    return isMet(by: &facts)
  }
}
