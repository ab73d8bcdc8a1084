import Foundation
import StubKitFormats
import TestSupport
import Testing

@testable import StubKit

@Suite("A mistake in a condition", .inTurn)
struct MistakesTests {
  /// Each with a piece of what StubKit says about it.
  static let table: [(matcher: RequestMatcher, sentence: String)] = [
    (isScheme("https:"), #"isScheme("https:") matches nothing: write the scheme alone"#),
    (isHost("https://a.example"), #"isHost("https://a.example") has a scheme: write the host alone"#),
    (isHost("a.example/users"), #"isHost("a.example/users") has a slash: write the host alone"#),
    (hostEndsWith("a.example?q"), #"hostEndsWith("a.example?q") has a query: write the host alone"#),
    (isHost("ann@a.example"), #"isHost("ann@a.example") has user information: write the host alone"#),
    (isHost("a.example:80"), #"isHost("a.example:80") has a port: write the host alone"#),
    (isPort(65536), "isPort(65536) matches nothing: a port is a number from 0 to 65535."),
    (isMethod(""), #"isMethod("") matches nothing: write a method"#),
    (isExtension(".png"), #"isExtension(".png") has a leading dot: write isExtension("png")."#),
    (isExtension("tar.gz"), #"isExtension("tar.gz") is not a valid path extension: write what follows the last dot"#),
    (isPath("/users?page=2"), #"isPath("/users?page=2") has a query: write the path alone"#),
    (pathEndsWith("/users#top"), ##"pathEndsWith("/users#top") has a fragment: write the path alone"##),
    (isURL(""), #"isURL("") is not a valid URL: write one, as in isURL("https://api.example.com/users")."#),
    (isURL("/users"), #"isURL("/users") has no scheme: write an absolute URL"#),
    (isUnder("file:///users"), #"isUnder("file:///users") has no host: write an absolute URL"#),
    (
      isURL("https://a.example/users/{id}"),
      #"isURL("https://a.example/users/{id}") has a brace in its path, but isn't a template"#
    ),
    (
      isUnder(URL(string: "https://a.example/v1?key=1")!),
      #"isUnder("https://a.example/v1?key=1") has a query: a base URL ends with its path."#
    ),
    (urlMatches("("), #"urlMatches("(") is not a regular expression"#),
    (queryMatches("page", "["), #"queryMatches("[") is not a regular expression"#),
    (isPath(template: "/users?page={page}"), #"The template "/users?page={page}" has a ? or #"#),
    (isPath(template: "/users/{id"), #"The template "/users/{id" has a { without a }"#),
    (isPath(template: "/users/id}"), #"The template "/users/id}" has a } without a {"#),
    (isPath(template: "/users/{i{d}"), #"The template "/users/{i{d}" has a { inside { }"#),
    (isPath(template: "/users/{}"), #"The template "/users/{}" has a placeholder without a name"#),
    (isPath(template: "/users/{id}/{id}"), #"The template "/users/{id}/{id}" has {id} twice"#),
    (isPath(template: "/users/{a}{b}"), #"The template "/users/{a}{b}" has two adjacent placeholders after {a}"#),
    (
      isPath(template: "/users/{id:[0-9}"),
      #"The template "/users/{id:[0-9}" has {id:[0-9}, and "[0-9" is not a regular expression"#
    ),
    (isPath(template: "/users/{id:[0-9]{3}"), #"and a single brace in an expression as \{ or \}."#),
    (isPath(template: "/users/{id:}"), #"The template "/users/{id:}" has {id:} without an expression"#),
    (isPath(template: "/{id}/{a:(?<id>x)}"), #"The template "/{id}/{a:(?<id>x)}" has (?<id>…) twice"#),
    (
      isPath(template: "/{rest...}/x"),
      #"The template "/{rest...}/x" has {rest...} before its end: write it as the last segment."#
    ),
    (isPath(template: "/v{rest...}"), #"The template "/v{rest...}" has {rest...} beside other text"#),
    (isPath(template: "/{...}"), #"The template "/{...}" has a placeholder without a name: write {name}, not {...}."#),
    (pathMatches("/users/("), #"pathMatches("/users/(") is not a regular expression"#),
    (hasHeader(""), #"hasHeader("") has an empty name"#),
    (hasHeader("X Key"), #"hasHeader("X Key")"#),
    (hasCookie("a=b"), #"hasCookie("a=b") is not a valid cookie name"#),
    (hasBasicAuth(user: "ann:x", password: "secret"), #"hasBasicAuth(user: "ann:x", …) has a colon in the user name"#),
    (hasJSONBody(Double.infinity), "can't encode its value"),
    (hasJSONBody(["id": 1, "id": "1"]), #"has the key "id" twice. Remove one of them."#),
    (hasJSONBody(["id": 1, "id": 2]), #"This JSON object has the key "id" twice. Remove one of them."#),
    (hasJSON(at: "/a~b", equals: 1), #"The JSON Pointer "/a~b" has an invalid ~"#),
    (hasJSON(at: "a[0", equals: 1), #"The JSON path "a[0" has"#),
    (
      isPath("https://api.example.com/notes"),
      #"isPath("https://api.example.com/notes") is a URL: write isURL("https://api.example.com/notes")"#
    ),
    (isPath("v2/notes"), #"isPath("v2/notes") has no slash in front: write isPath("/v2/notes")."#),
    (
      isPath("/v2/{id}"),
      #"isPath("/v2/{id}") has a placeholder, but isn't a template: write isPath(template: "/v2/{id}")."#
    ),
    (isPath(template: "/v2/:id"), #"The template "/v2/:id" has the placeholder :id: write {id}."#),
    (isHost("api.example.com/"), #"isHost("api.example.com/") has a slash: write the host alone"#),
    (isMethod("get "), #"isMethod("get ") is not a method: write its letters alone, without white space"#),
    (isPort(-1), "isPort(-1) matches nothing"),
    (isPort(.max), "a port is a number from 0 to 65535."),
    (hostEndsWith(".com:80"), "has a port"), (isHost("[::1]:80"), "has a port"),
    (pathEndsWith("/a#b"), "has a fragment"),
    (pathStartsWith("/a?b"), "has a query"), (lacksHeader("é"), "lacksHeader"), (hasHeader("Accept:"), "Accept:"),
    (headerMatches("A", "["), "is not a regular expression"), (isPath(template: "/{a/b}"), "The template"),
    (isPath(template: "/{a?}"), "The template"), (isPath(template: "/{a:x}}"), "The template"),
    (isPath(template: "/{rest...:[a-z]}"), "The template"),
    (
      isPath("/users/:id"), #"isPath("/users/:id") has :id, which stands for no other text: write {id} for any segment"#
    ),
    (isPath("/users/*"), #"Where the path has it literally, write pathMatches("^/users/\\*$") for it."#),
    (pathStartsWith("/api/*"), #"write pathMatches("^/api/\\*") for it."#),
    (isPath(template: "/{id}/*"), "has a *: write {name} for any text of a segment, {path...} for the rest of a path"),
    (isPath("/a%20b"), #"isPath("/a%20b") has a percent escape, but takes the decoded path: write isPath("/a b")."#),
    (
      pathEndsWith("%20b"),
      #"write pathEndsWith(" b"). Where the path has it literally, write pathMatches("%20b$") for it."#
    ),
    (
      isPath(template: "/a%20b/{id}"),
      #"has the percent escape of "a b": write the decoded text, or {name:a%20b} where"#
    ),
    (pathEndsWith("/"), #"pathEndsWith("/") matches the root alone"#),
    (
      containsQuery("q", "a%20b"),
      #"containsQuery("q", "a%20b") has the percent escape of "a b", but takes decoded texts"#
    ),
    (containsQuery(["q": "a%20b"]), #"Where the URL escapes the % itself, write queryMatches("q", …)."#),
    (hasExactQuery(["caf%C3%A9": nil]), #"write "café""#),
    (
      isMethod("patch"),
      #"isMethod("patch") is in lower case, which URLSession sends as it is: write isMethod("PATCH")."#
    ),
    (isHost("*.example.com"), #"has a *, which stands for no other text: write hostEndsWith(".example.com")."#),
    (hasJSONBody(#"{"id": 1}"#), "hasJSONBody received a text, which it would compare as a JSON string."),
    (hasJSONBody(containing: "[]"), "Write the JSON in it as a literal, as in hasJSONBody"),
  ]

  @Test("is carried by the matcher, with what to write instead", arguments: table)
  func sentence(matcher: RequestMatcher, sentence: String) {
    #expect(matcher.mistake?.contains(sentence) == true, "\(matcher.mistake ?? "no mistake")")
    #expect(!matcher.description.isEmpty)
  }

  @Test(
    "leaves what is legitimate alone",
    arguments: [
      (isPath("/v1/files:upload"), "http://a/v1/files:upload"), (isPath("/100%"), "http://a/100%25"),
      (isPath("/:1"), "http://a/:1"), (pathMatches(#"^/users/\*$"#), "http://a/users/*"),
      (pathMatches("^/users/:id$"), "http://a/users/:id"), (pathMatches("^/a%20b$"), "http://a/a%2520b"),
      (isPath(template: "/{star:[*]}"), "http://a/*"), (isPath(template: "/{name:a%20b}"), "http://a/a%2520b"),
      (containsQuery("to", "https://b/a%20b"), "http://a/?to=https://b/a%2520b"),
      (containsQuery("q", "100%"), "http://a/?q=100%25"), (queryMatches("q", "^a%20b$"), "http://a/?q=a%2520b"),
      (containsQuery("page", 2), "http://a/?page=2"), (isMethod("get"), "http://a/"),
    ])
  func legitimate(matcher: RequestMatcher, url: String) {
    #expect(matcher.mistake == nil && matcher.matches(request(url)))
  }

  @Test("is carried by each condition that contains it, which matches nothing")
  func composed() {
    for (matcher, _) in Self.table { checkConditions(with: matcher) }
  }

  private func checkConditions(with matcher: RequestMatcher) {
    let conditions = [
      matcher, !matcher, !(!matcher), matcher && isPath("/"), isPath("/") || matcher, .anything || !matcher,
      !(matcher && { _ in false }), (0..<20).reduce(matcher) { $0 || isPort($1) },
    ]
    let request = request("http://a.example/")
    for condition in conditions {
      #expect(condition.mistake == matcher.mistake)
      #expect(!condition.matches(request), "\(condition)")
      var facts = RequestFacts(request)
      #expect(condition.verdictByHead(&facts) == .fails)
    }
    #expect((isPath("/") && isPort(80)).mistake == nil)
  }

  @Test("keeps its stub from matching, which the report of a request names first")
  func stub() async {
    await withStubs {
      let (matcher, sentence) = Self.table[0]
      let users = isHost("a.example") && isPath("/users")
      StubKit.stub(condition: users, response: .empty())
      var stub: Stub?
      withKnownIssue {
        stub = StubKit.stub(condition: !matcher, response: .empty())
      } matching: { issue in
        ReportsOnPurpose.note()
        return issue.comments.contains { $0.rawValue.contains(sentence) && $0.rawValue.contains("MistakesTests.swift") }
      }
      let error = await URLSession.shared.failure(of: "http://a.example/user") as? UnmatchedRequestError
      #expect(error?.nearest.first?.stub === stub)
      #expect(error?.description.contains(stub?.mistake?.prefix(40) ?? "?") == true, "\(error?.description ?? "")")
      #expect(stub?.mistake == matcher.mistake && stub?.callCount == 0 && stub?.isActive == false)
      #expect(StubRegistry.current.unusedStubs.count == 1)
      let explanation = StubRegistry.current.explain(request("http://a.example/user"))
      #expect(explanation.stub == nil)
    }
  }

  @Test("in the condition of a policy is an issue when the policy is set")
  func policy() {
    withStubs {
      withKnownIssue {
        StubRegistry.current.unmatched = .passThrough(when: isHost("localhost:80"))
      } matching: { issue in
        ReportsOnPurpose.note()
        return issue.comments.contains { $0.rawValue.contains("isPort(…) for the port") }
      }
    }
  }

  @Test("fails what verifies it, even that no request met it")
  func verification() {
    let registry = StubRegistry()
    let mistaken = isPath("/users?page=2")
    for error in [
      #expect(throws: VerificationError.self) { try verify(mistaken, called: .never, in: registry) },
      #expect(throws: VerificationError.self) { try verifyInOrder(mistaken, in: registry) },
    ] {
      #expect(error?.description.contains("has a query: write the path alone") == true)
    }
  }
}

@Suite("A mistake in a stub's own numbers", .inTurn)
struct MistakenStubTests {
  @Test("keeps it from matching, and fails what waits for it", arguments: [0, -1, .min])
  func times(times: Int) async throws {
    let registry = StubRegistry()
    var stub: Stub?
    withKnownIssue {
      stub = StubKit.stub(condition: .anything, response: .empty(), times: times, in: registry)
    } matching: { issue in
      ReportsOnPurpose.note()
      return issue.comments.contains { $0.rawValue.contains("times: must be at least 1, but it is \(times).") }
    }
    let made = try #require(stub)
    #expect(registry.stub(matching: request("http://a.example/")) == nil)
    let error = await #expect(throws: StubWaitError.self) { try await made.waitForCalls() }
    #expect(error?.description.contains("times: must be at least 1") == true)
    #expect(throws: VerificationError.self) { try verify(made, called: .never) }
  }

  @Test("includes a sequence without responses")
  func noResponses() {
    let registry = StubRegistry()
    var stub: Stub?
    withKnownIssue {
      stub = StubKit.stub(condition: .anything, responses: [], in: registry)
    } matching: { issue in
      ReportsOnPurpose.note()
      return issue.comments.contains { $0.rawValue.contains("responses: is empty.") }
    }
    #expect(stub?.mistake?.contains("Pass at least one response") == true)
    #expect(registry.stub(matching: request("http://a.example/")) == nil)
  }

  @Test("includes the response's, which fail the request", arguments: [StubResponse.empty().delay(.seconds(-2))])
  func response(response: StubResponse) {
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: response, in: registry)
    #expect(stub.mistake?.hasPrefix("The stub answers with a delay or duration") == true && stub.isActive)
  }

  @Test("fails a wait for less than no calls", arguments: [-1, .min])
  func negativeWait(count: Int) async {
    let stub = stub(condition: .anything, response: .empty(), in: StubRegistry())
    let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(count) }
    #expect(error?.description.contains("\(count) is not a valid number of calls to wait for.") == true)
    await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(count) }
  }
}

@Suite("A response that can't be sent", .inTurn)
struct BadInputTests {
  private static let directory = FileManager.default.temporaryDirectory.path

  /// What is wrong, and words of the report that the request's error must hold.
  static let cases: [(response: StubResponse, words: [String])] = [
    (.text("x").header("a\nb", "c"), ["header", "a\\nb"]),
    (.text("x").header("Name", "one\r\ntwo"), ["header", "Name"]),
    (.text("x", status: 99), ["status", "99"]),
    (.text("x", status: 1_000), ["status", "1000"]),
    (.text("x", status: .max), ["status"]),
    (.redirect(to: "/text", status: .min), ["status"]),
    (.passThrough.header("A B", "c"), ["header", "A B"]),
    (.text("x").delay(.seconds(-2)), ["delay"]),
    (.text("x").bodyDuration(.seconds(-2)), ["duration"]),
    (.file(directory), [directory, "directory"]),
    (.file("/nowhere/users.json"), ["/nowhere", "users.json"]),
    (fixture(named: "none.json"), ["none.json"]),
    (.json(["number": Double.nan]), ["JSON"]),
  ]

  @Test(
    "fails its request with an error that names the stub, its file and line, and the fault", arguments: cases.indices)
  func fails(index: Int) async throws {
    let (response, words) = Self.cases[index]
    let line = #line + 2
    let error = await withStubs {
      stub(condition: .anything, response: response, name: "faulty")
      return await URLSession.shared.failure(of: "http://a.example/")
    }
    let report = try #require(error as? StubResponseError)
    #expect(report.stub?.name == "faulty" && report.stub?.location.line == line)
    #expect(report.localizedDescription.contains("\"faulty\" (StubKitTests/MistakesTests.swift:\(line))"))
    for word in words { #expect(report.description.contains(word), "\(report.description)") }
  }

  @Test("fails its request just so when a closure or a policy made it")
  func failsFromClosure() async throws {
    await withStubs {
      stub(condition: isPath("/closure")) { _ in .empty(status: 1_000) }
      HTTPStubs.unmatched = .respond { _ in .empty(status: 1_000) }
      #expect(await URLSession.shared.failure(of: "http://a.example/closure") is StubResponseError)
      let report = await URLSession.shared.failure(of: "http://a.example/policy") as? StubResponseError
      #expect(report != nil && report?.stub == nil)
    }
  }

  @Test("is in the journal with its fault, and the stub's call counts")
  func journal() async {
    await withStubs {
      let stub = stub(condition: .anything, response: .empty(status: 0))
      _ = await URLSession.shared.failure(of: "http://a.example/")
      #expect(stub.callCount == 1 && stub.requests.count == 1)
      #expect(stub.requests.first?.outcome.error is StubResponseError)
    }
  }
}
