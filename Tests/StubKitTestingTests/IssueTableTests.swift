import Foundation
import StubKitTesting
import TestSupport
import Testing

/// A stubbed test, whose issues are in `Fixtures/issues.txt` under its name.
private struct Row: Sendable {
  let name: String
  let trait: StubbedTrait
  /// From which the issues count the lines of this file, or `nil` for that of the test.
  let line: Int?
  let body: @Sendable () async throws -> Void

  init(
    _ name: String, _ trait: StubbedTrait = .stubbed, line: Int? = #line,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    (self.name, self.trait, self.line, self.body) = (name, trait, line, body)
  }
}

private let host = "http://a.example"

/// Makes requests, one after the other, whose errors the test doesn't throw.
private func ask(_ paths: String...) async {
  for path in paths { _ = try? await fetch(path.hasPrefix("/") ? host + path : path) }
}

private func send(
  _ path: String, _ method: String, _ type: String? = nil, _ body: String? = nil, headers: [String: String] = [:]
) async {
  let headers = type.map { headers.merging(["Content-Type": $0]) { $1 } } ?? headers
  _ = try? await URLSession.shared.fetch(
    request("https://a.example\(path)", method: method, headers: headers, body: body))
}

private func place(_ line: Int) -> SourceLocation {
  SourceLocation(fileID: "App/Users.swift", filePath: "/app/Users.swift", line: line, column: 5)
}

@Suite("A stubbed test", .inTurn)
struct IssueTableTests {
  private static let unused = [
    Row("A stub that is never used", .stubbed(reportUnused: true)) {
      stubAtLine(12, isHost("never.example"))
      stubAtLine(13, isHost("a.example"))
      stubAtLine(14, isHost("removed.example")).remove()
      stubAtLine(15, isHost("never.example") && isPath("/users")).name = "users"
      _ = try await fetch(host)
    },
    Row("An unused stub if that is not asked for") { stubAtLine(12, isHost("never.example")) },
    Row("An unused stub of a test that throws", .stubbed(reportUnused: true)) {
      stubAtLine(12, isHost("never.example"))
      throw CancellationError()
    },
    Row("Unused stubs without a place", .stubbed(reportUnused: true)) {
      stubAtLine(1, isHost("a.example"), fileID: "nowhere")
      stubAtLine(0, isHost("b.example"))
    },
    Row("An unused stub beside the request that should have used it", .stubbed(reportUnused: true)) {
      stubAtLine(4, isHost("a.example") && isPath("/users"))
      await ask("/user")
    },
    Row("A stub in whose place a newer one that is as broad answered, in a test that fails") {
      for line in [10, 11] as [UInt] { stubAtLine(line, isHost("a.example")) }
      stubAtLine(12, isHost("a.example") && isPath("/users"))
      stubAtLine(13, isHost("a.example") && isPath("/posts"))
      stubAtLine(14, isHost("a.example"), .empty(status: 404))
      await ask("/users")
      Issue.record("Expected the answer of line 12.", sourceLocation: place(20))
    },
    Row("A stub in whose place a newer one answered, in a test that passes") {
      stubAtLine(12, isPath("/users"))
      stubAtLine(14, isHost("a.example"), .empty(status: 404))
      await ask("/users")
      withKnownIssue { Issue.record("A known issue.") }
    },
    // A default above the test, one below the next, one of another file, and the two of the test.
    Row("A condition that the test itself registers again, unlike a default", line: nil) {
      let test = UInt(Test.current?.sourceLocation.line ?? 0)
      for line in [test - 5, test + 100, test + 1] { stubAtLine(line, isPath("/jobs"), fileID: #fileID) }
      stubAtLine(13, isPath("/jobs"))
      stubAtLine(test + 2, isPath("/jobs"), .empty(status: 404), fileID: #fileID)
      await ask("/jobs")
      throw CancellationError()
    },
  ]

  private static let unmatched = [
    Row("A request that no stub matches") {
      stubAtLine(12, isHost("a.example") && isPath("/users/42"))
      await ask("/users/43")
    },
    Row("A request whose stub was registered too late") {
      stubAtLine(1, isHost("a.example") && isPath("/user"))
      _ = try? await fetch("\(host)/users", method: "POST", body: #"{"id": 1}"#)
      stubAtLine(2, isHost("a.example") && isPath("/posts"))
      stubAtLine(3, isPath("/users") && hasJSONBody(["id": 1]))
    },
    Row("Requests with one method and URL, in the order of the first") {
      await ask("/a", "/a")
      _ = try? await fetch("\(host)/a", method: "POST")
      await ask("/a?page=2", "/a")
    },
    Row("Operations at one URL") {
      stubAtLine(3, isPath("/graphql") && isGraphQL(operation: "Known"))
      for name in ["GetUser", "AddFilm", "GetUser"] {
        _ = try? await fetch("\(host)/graphql", method: "POST", body: #"{"operationName": "\#(name)"}"#)
      }
    },
    Row("Seven reports at one URL") {
      stubAtLine(3, isPath("/at") && hasFormBody(["at": "0"]))
      for number in 1...7 { _ = try? await fetch("\(host)/at", method: "POST", body: "at=\(number)") }
    },
    Row("Requests that the journal has forgotten") {
      await ask("/a")
      StubRegistry.current.journal.clear()
      StubRegistry.current.journal.limit = 0
      await ask("/b")
      #expect(StubRegistry.current.journal.entries.isEmpty)
    },
    Row("A request to which a stub's redirect led") {
      stubAtLine(3, isHost("a.example") && isPath("/old"), .redirect(to: "/new"))
      await ask("/old")
    },
    Row("A request whose error the test throws") { _ = try await fetch("\(host)/thrown") },
    Row("A request that a failure has reported, and another one with it") {
      do { _ = try await fetch("\(host)/once") } catch { Issue.record(error, sourceLocation: place(20)) }
      await ask("/twice")
      do { _ = try await fetch("\(host)/twice") } catch { Issue.record("\(error)", sourceLocation: place(21)) }
    },
    Row("A request that a verification has listed with what differs from its nearest stub") {
      let users = stubAtLine(12, isHost("a.example") && isPath("/users/42"))
      await ask("/users/43")
      expectCalls(to: users, at: .init(place(20)))
    },
    Row("A request that a verification of something else has listed") {
      stubAtLine(12, isHost("a.example") && isPath("/users/42"))
      await ask("/users/43")
      try verify(isHost("b.example"), fileID: "App/Users.swift", line: 20)
    },
    Row("A request after the test has removed its stubs") {
      stubAtLine(12, isPath("/users")).remove()
      await ask("/users")
    },
    Row("A request beside another error that the test throws") {
      await ask("/other")
      throw CancellationError()
    },
    Row("A request that the policy answers", .stubbed(unmatched: .respond { _ in .text("policy") })) {
      let text = try await fetch(host)
      #expect(text == "policy" && StubRegistry.current.journal.unmatchedRequests.count == 1)
    },
    // Nothing listens at the first: that it is refused shows that it was let through.
    Row("Requests of which the policy lets one through", .stubbed(unmatched: .passThrough(when: isHost("127.0.0.1")))) {
      let refused = await #expect(throws: URLError.self) { try await fetch("http://127.0.0.1:1/") }
      #expect(refused?.code == .cannotConnectToHost)
      await ask("/kept")
    },
    Row("Requests without a network, whatever the policy", .stubbed(network: .offline)) {
      stub(condition: isPath("/real"), response: .passThrough)
      stub(condition: isPath("/closure")) { _ in .passThrough }
      for policy in [.fail, .passThrough, .respond { _ in .text("policy") }] as [UnmatchedPolicy] {
        HTTPStubs.unmatched = policy
        for path in ["/", "/real", "/closure"] { await ask("http://127.0.0.1:1\(path)") }
      }
      let outcomes = StubRegistry.current.journal.entries.map(\.outcome)
      #expect(outcomes == Array(repeating: .failed(URLError(.notConnectedToInternet)), count: 9))
    },
    Row("A request in a withStubs of the test's") {
      await withStubs { _ = await #expect(throws: UnmatchedRequestError.self) { try await fetch(host) } }
    },
    Row("A request in a withStubs that shares the test's registry") {
      await withStubs(registry: .current) { await ask("/shared") }
    },
  ]

  private static let responses = [
    Row("A mistake in a stub, after which the test goes on") {
      stubAtLine(12, isPath("/users?page=2"))
      stubAtLine(13, isPath("/users"))
      _ = try await fetch("\(host)/users")
    },
    Row("A mistake in a response that a closure makes for three requests") {
      stub(condition: .anything, at: StubLocation(place(12))) { _ in .ok.delay(.seconds(-2)) }
      for _ in 1...3 { await #expect(throws: StubResponseError.self) { try await fetch(host) } }
    },
    Row("Surprising responses of a test that fails, once each, at most three") {
      let gzip = Data([0x1F, 0x8B, 8, 0])
      stubAtLine(18, isPath("/first"), .text("[]"))
      stubAtLine(19, isPath("/json"), .json(text: "{'id': 42}"))
      stubAtLine(20, isPath("/204"), .json(["id": 42], status: 204))
      stubAtLine(21, isPath("/gzip"), .data(gzip, headers: ["Content-Encoding": "gzip"]))
      await ask("/first", "/first", "/json", "/204", "/gzip", "/gzip")
      throw CancellationError()
    },
    Row("Requests that timed out, in a test that fails") {
      let slow: KeyValuePairs<String, StubResponse> = [
        "/slow": .ok.delay(.seconds(300)), "/never": .failure(.timedOut), "/held": .ok.held(by: ResponseGate()),
      ]
      for (index, (path, response)) in slow.enumerated() {
        stubAtLine(UInt(index + 12), isPath(path), response)
        for _ in 0...(index == 0 ? 1 : 0) {
          let request = request("\(host)\(path)", timeout: 0.01)
          await #expect(throws: URLError.self) { try await URLSession.shared.data(for: request) }
        }
      }
      throw CancellationError()
    },
    Row("A request that timed out in a test that passes") {
      stubAtLine(12, isPath("/slow"), .ok.delay(.seconds(300)))
      let request = request("\(host)/slow", timeout: 0.01)
      await #expect(throws: URLError.self) { try await URLSession.shared.data(for: request) }
    },
    Row("JSON as text in a test that fails") {
      stubAtLine(22, isPath("/text"), .text(#"{"id": 42}"#))
      await ask("/text")
      throw CancellationError()
    },
    Row("A surprising response of a test that passes") {
      stubAtLine(20, isPath("/204"), .json(["id": 42], status: 204))
      await ask("/204")
    },
    Row("Usual responses of a test that fails") {
      let usual: [StubResponse] = [
        .text("42"), .text("[x]"), .text(""), .text("{}", headers: ["Content-Type": "application/json"]), .empty(),
        .json(text: "{}"), .json(text: "42"), .json(text: ""), .json(text: "{}").failing(afterBytes: 1),
        .json(text: "{", status: 206), .json(text: "{", headers: ["Content-Encoding": "br"]),
        .data(Data([0x1F, 0x8B, 8, 0])), .data(Data("[]".utf8), headers: ["Content-Encoding": "gzip"]), .status(204),
      ]
      for (number, response) in usual.enumerated() {
        stubAtLine(20, isPath("/\(number)"), response)
        await ask("/\(number)")
      }
      throw CancellationError()
    },
  ]

  private static let mistaken: [StubResponse] = [
    .status(42), .ok.header("A B", ""), .ok.header("A", "\n"), .ok.validated(etag: "a b"), .ok.delay(.seconds(-2)),
    .ok.network(NetworkConditions(latency: .seconds(-2))), .text("x").chunked(by: 0), .ok.failing(afterBytes: -1),
    .events([ServerSentEvent("", id: "\0")]), .redirect(to: "/", status: 200), .redirect(to: ""),
    .json(JSONValue("[1]")), .file("/none.json"), .file("/"), .file(url("http://a")), .file("/dev/null"),
  ]

  // Four at a time, because a finding of a test that takes seconds is told before its end.
  private static let mistakes = (0..<4).map { part in
    Row("Mistakes in responses, each of two requests, part \(part + 1)") {
      for number in part * 4..<part * 4 + 4 {
        stubAtLine(UInt(number + 1), isPath("/\(number)"), mistaken[number])
        for _ in 1...2 { await #expect(throws: StubResponseError.self) { try await fetch("\(host)/\(number)") } }
      }
    }
  }

  private static let calls = [
    Row("Expected calls that did not come, each at its own line") {
      let users = stubAtLine(1, isPath("/users"))
      expectCalls(to: users, .once, at: .init(place(2)))
      expectCalls(to: isPath("/users"), at: .init(place(3)))
      await ask("/users")
      expectCalls(to: users, .once, at: .init(place(4)))
      expectCalls(to: users, .never, at: .init(place(5)))
      expectCalls(to: !.anything, 2, at: .init(place(6)))
      expectCalls(to: isPath("/never"))
    },
    Row("Expected calls that did not come, looked for outside of the test's task") {
      let users = stubAtLine(1, isPath("/users"))
      await Task.detached { expectCalls(to: users, .once, at: .init(place(2))) }.value
      await withCheckedContinuation { end in
        URLSession.shared.dataTask(with: URL(string: "\(host)/users")!) { _, _, _ in
          expectCalls(to: isPath("/handler"), at: .init(place(3)))
          end.resume()
        }.resume()
      }
    },
    Row("Calls that hang on a body that the journal doesn't keep") {
      stubAtLine(1, isPath("/log"))
      _ = try await fetch("\(host)/log", method: "POST", body: String(repeating: "x", count: 1_000_001))
      expectCalls(to: bodyContains("secret"), .never, at: .init(place(2)))
      expectCalls(to: isPath("/log") && !bodyContains("secret"), at: .init(place(3)))
      expectCalls(to: isPath("/log"), .once)
    },
    Row("Expected calls that came, in any registry") {
      let users = stubAtLine(1, isPath("/users"))
      expectCalls(to: users, .never)
      await ask("/users", "/users")
      expectCalls(to: users, 2)
      let outer = StubRegistry.current
      withStubs {
        expectCalls(to: .anything, .never)
        expectCalls(to: .anything, 2, in: outer)
      }
    },
  ]

  private static let secure = "https://a.example"

  private static let unasked = [
    Row("What nothing asks about in a strict test, once for each stub and part", .stubbed(strict: true)) {
      stubAtLine(1, isPath("/orders"))
      stubAtLine(2, isPath("/films") && lacksQuery("filter"))
      stubAtLine(3, isPath("/plain") || isPath(template: "/{id}/plain"))
      stubAtLine(4, isMethodPOST() && isPath("/json") && hasJSON(at: "id", equals: 1))
      stubAtLine(5, isMethodPOST() && isPath("/form") && hasFormBody(["id": "1"]))
      stubAtLine(6, isPath("/slash/"))
      stub("PURGE", "/{id}/purged", response: .ok)
      stub(.get, "\(secure)/short?page=2", response: .ok, at: StubLocation(place(7)))
      for method in ["POST", "POST", "PURGE"] { await send("/orders", method) }
      for path in ["films?token=x&token=y&sort&page=1", "films/", "slash", "short?page=2&x=1"] {
        await ask("\(secure)/\(path)")
      }
      await ask("http://b.example/plain")
      await send("/json", "POST", "text/plain", #"{"id": 1}"#)
      await send("/form", "POST", "application/json; charset=utf-8", "id=1")
      await send("/1/purged", "PURGE")
    },
    Row("What a condition asks about in a strict test, whichever form wrote it", .stubbed(strict: true)) {
      stub(.get, "\(secure)/short", response: .ok, at: StubLocation(place(1)))
      stubAtLine(2, isMethodGET() && isURL("\(secure)/long"))
      stubAtLine(3, isMethodGET() && isURL("\(secure)/empty?"))
      stubAtLine(4, isPath("/head"))
      await ask("\(secure)/short?page=2", "\(secure)/long?page=2", "\(secure)/empty")
      for method in ["HEAD", "GET"] { await send("/head", method) }
    },
    Row("Headers and credentials that nothing asks about in a strict test", .stubbed(strict: true)) {
      for line in 1...3 as ClosedRange<UInt> { stubAtLine(line, isMethodPOST() && isPath("/\(line)")) }
      stubAtLine(4, isPath("/4"))
      stubAtLine(5, isPath("/5") && hasBasicAuth(user: "ann", password: "x"))
      stubAtLine(6, isMethodPUT() && isPath("/6"))
      await send("/1", "POST", nil, #"{"id": 1}"#)
      await send("/2", "POST", "application/json,application/json", #"{"id": 1}"#)
      await send("/3", "POST", "text/plain; a=\",\"", "1")
      await ask("https://ann:x@a.example/4", "https://ann:x@a.example/5")
      await send("/6", "PUT", nil, "[1]")
    },
    Row("Cookies over http in a strict test", .stubbed(strict: true)) {
      stubAtLine(1, isPath("/set"), .status(200, headers: ["Set-Cookie": "own=1"]))
      for (line, path) in [(2, "/own"), (3, "/foreign")] as [(UInt, String)] { stubAtLine(line, isPath(path)) }
      // No cookie is stored for other tests.
      _ = try await StubRegistry.current.makeSession().fetch("\(host)/set")
      for (path, cookie) in [("/own", "own=1; b=2"), ("/foreign", "other=1")] {
        let session = StubRegistry.current.makeSession()
        _ = try await session.fetch(request("\(host)\(path)", headers: ["Cookie": cookie]))
      }
    },
    Row("What goes over http in a strict test", .stubbed(strict: true)) {
      for (line, path) in ["/user", "/query", "/body", "/cookie"].enumerated() {
        stubAtLine(UInt(line + 1), isPath(path) && (isMethodGET() || isMethodPOST()) && !containsQuery("password", "y"))
      }
      await ask("http://ann:x@a.example/user", "/query?password=x", "http://localhost/query", "/query")
      _ = try await fetch("\(host)/body", method: "POST", body: #"{"newPassword": "x"}"#)
      _ = try await URLSession.shared.fetch(request("\(host)/cookie", headers: ["Cookie": "a=b"]))
    },
    Row("What something asks about in a strict test", .stubbed(strict: true)) {
      stub(condition: isURL("\(secure)/url?a=1&b") || isURL("\(secure)/either/?a=1"), response: .ok)
      stub(condition: isPath("/opened") && { _ in true }, response: .ok)
      stub(condition: isPath("/opened/by")) { _ in .ok }
      stub(condition: isPath("/verified"), response: .ok)
      stub(condition: isPath("/exact") && hasExactQuery(["a": nil]) && !isMethodGET(), response: .ok)
      stub(condition: isPath("/graphql") && isGraphQL(operation: "A"), response: .ok)
      stub(condition: isPath("/read") && hasHeader("content-type") && hasJSONBody([1]) && isMethodPOST(), response: .ok)
      stub(condition: isScheme("http") && isPath("/http"), response: .ok)
      stub(condition: isPath("/old"), response: .redirect(to: "/new/?from=old"))
      stub(condition: isPath("/new"), response: .ok)
      await ask("\(secure)/url?a=1&b", "\(secure)/either/?a=1", "\(secure)/graphql?query=query%20A%20%7B%7D", "/http")
      await ask("\(secure)/old")
      for path in ["/opened/?a", "/opened/by/?a", "/exact?a", "/verified?page=1"] { await send(path, "PUT") }
      await send("/graphql", "POST", "application/graphql+json", #"{"operationName": "A"}"#)
      await send("/read", "POST", "text/plain", "[1]")
      try verify(isMethodPUT() && isPath("/verified"))
      expectCalls(to: isScheme("http") && pathStartsWith("/verified") && containsQuery("page", "2"), .never)
    },
    Row("What nothing asks about in a test that fails, at most three notes") {
      for line in 1...5 as ClosedRange<UInt> { stubAtLine(line, isPath("/\(line)")) }
      await send("/1", "POST", nil, "[1]")
      for path in ["/2?a", "/2?b", "/3?c"] { await send(path, "GET") }
      throw CancellationError()
    },
    Row("JSON without a type in a strict test that fails", .stubbed(strict: true)) {
      stubAtLine(1, isPath("/users") && isMethodPOST())
      for body in ["[1]", "1", "{"] { await send("/users?id", "POST", nil, body) }
      throw CancellationError()
    },
    Row("What nothing asks about in a test that passes") {
      stubAtLine(1, .anything)
      await send("/?a", "POST", "text/plain", "[1]")
    },
    Row("Requests without a host beside one that has one") {
      stubAtLine(1, isPath("/films"))
      stubAtLine(2, isPath("/none"))
      await ask("\(secure)/films")
      for text in ["/films?page=2", "/films?page=3", "http:/none"] {
        _ = try await URLSession.shared.data(from: url(text))
      }
    },
    Row("Requests that all lack a host", .stubbed(strict: true)) {
      stubAtLine(1, isPath("/films"))
      for _ in 1...2 { _ = try await URLSession.shared.data(from: url("/films")) }
    },
    Row("Unused stubs of a test that throws what its client makes of a status") {
      stubAtLine(1, isPath("/me") && hasBearerToken("old"), .status(401))
      stubAtLine(2, isPath("/me") && hasBearerToken("new"))
      for line in 3...5 as ClosedRange<UInt> { stubAtLine(line, isHost("cdn.example") && isPath("/\(line)")) }
      await send("/me", "GET", headers: ["Authorization": "Bearer old"])
      throw URLError(.userAuthenticationRequired)
    },
    Row("Why responses are not 304 in a test that fails") {
      for (line, path) in ["/tag", "/quotes", "/match", "/other"].enumerated() {
        stubAtLine(UInt(line + 1), isPath(path), .ok.validated(etag: "v1"))
        await send(path, "GET")
      }
      await send("/other", "GET", headers: ["If-None-Match": "\"v0\""])
      for _ in 1...2 { await send("/tag", "GET") }
      await send("/quotes", "GET", headers: ["If-None-Match": "v1"])
      await send("/match", "GET", headers: ["If-Match": "\"v1\""])
      throw CancellationError()
    },
    Row("Why a download begins again in a test that fails") {
      let film = StubResponse.data(Data("0123456789".utf8))
      let whole = film.header("ETag", "\"1\"").acceptingRanges()
      let pairs: [(String, StubResponse)] = [
        ("/ranges", whole), ("/none", film.validated(etag: "1")), ("/both", whole.validated(etag: "1")),
      ]
      for (line, (path, response)) in pairs.enumerated() {
        stub(
          condition: isPath(path), responses: [response.failing(afterBytes: 4), response],
          fileID: "App/Users.swift", filePath: "/app/Users.swift", line: UInt(line + 1), column: 5)
        await ask(path, path)
      }
      throw CancellationError()
    },
    Row("Requests of a test that fails, in their order") {
      for line in 1...2 as ClosedRange<UInt> { stubAtLine(line, isHost("a.example") && isPath("/\(line)")) }
      stubAtLine(3, isHost("a.example") && isPath("/me"), .status(401)).name = "me"
      stubAtLine(4, isHost("a.example") && isPath("/lost"), .text("ab").failing(afterBytes: 1))
      await ask("/2?page=2", "/1", "/me", "/lost")
      throw URLError(.userAuthenticationRequired)
    },
    Row("Requests of a test that fails, the last eight, to two hosts") {
      stubAtLine(1, .anything)
      for number in 1...9 { await ask("/\(number)") }
      await ask("http://b.example/")
      throw URLError(.userAuthenticationRequired)
    },
    Row("A slip in a stub, told once") {
      stub(.get, "https://a.example/v1/products/:id", response: .ok, at: StubLocation(place(1)))
      await ask("https://a.example/v1/products/1")
    },
    Row("Why a response with a date is not 304 in a test that fails") {
      stubAtLine(1, .anything, .ok.validated(lastModified: Date(timeIntervalSince1970: 0)))
      for field in ["Accept", "If-Modified-Since", "Accept"] { await send("/", "GET", headers: [field: "text/plain"]) }
      throw CancellationError()
    },
  ]

  @Test("has the issues that the file tells, at their places", .oneFramework)
  func issues() async throws {
    let test = try #require(Test.current)
    for row in Self.unused + Self.unmatched + Self.responses + Self.mistakes + Self.calls + Self.unasked {
      await IssuesInFile.check(row.name, in: test, from: row.line) {
        try await row.trait.provideScope(for: test, testCase: nil, performing: row.body)
      }
    }
  }

  @Suite("A test in a stubbed suite that asks for unused stubs", .inTurn, .stubbed(reportUnused: true))
  struct Suites {
    @Test("has its issue before its own trait, and can revoke", .issuesInFile, .stubbed(reportUnused: false))
    func again() async {
      stubAtLine(12, isHost("never.example"))
      await ask("/suite")
    }
  }

  @Test("runs a responder in the test that made the request, by whatever call", .stubbed)
  func current() async throws {
    let name = try #require(Test.current?.name)
    stub(condition: .anything) { _ in
      Issue.record("\(Test.current?.name ?? "none")")
      return .empty()
    }
    let (_, issues) = await takingIssues {
      await ask("/")
      try await untilResumed { answered in
        URLSession.shared.dataTask(with: url(host)) { _, _, _ in answered.resume() }.resume()
      }
      await Task { await ask("/") }.value
    }
    #expect(issues.map(\.text) == Array(repeating: name, count: 3))
  }
}
