import Foundation
import StubKitTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A stubbed test", .inTurn)
struct IssueTableTests {
  /// A stubbed test, whose issues are in `Fixtures/issues.txt` under its name.
  struct Row: Sendable {
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

  static let host = "http://a.example"

  /// Makes requests, one after the other, whose errors the test doesn't throw.
  static func ask(_ paths: String...) async {
    for path in paths { _ = try? await fetch(path.hasPrefix("/") ? host + path : path) }
  }

  static func place(_ line: Int) -> SourceLocation {
    SourceLocation(fileID: "App/Users.swift", filePath: "/app/Users.swift", line: line, column: 5)
  }

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
      stubAtLine(14, isHost("a.example"), .status(404))
      await ask("/users")
      Issue.record("Expected the answer of line 12.", sourceLocation: place(20))
    },
    Row("A stub in whose place a newer one answered, in a test that passes") {
      stubAtLine(12, isPath("/users"))
      stubAtLine(14, isHost("a.example"), .status(404))
      await ask("/users")
      withKnownIssue { Issue.record("A known issue.") }
    },
    // A default above the test, one below the next, one of another file, and the two of the test.
    Row("A condition that the test itself registers again, unlike a default", line: nil) {
      let test = UInt(Test.current?.sourceLocation.line ?? 0)
      for line in [test - 5, test + 100, test + 1] { stubAtLine(line, isPath("/jobs"), fileID: #fileID) }
      stubAtLine(13, isPath("/jobs"))
      stubAtLine(test + 2, isPath("/jobs"), .status(404), fileID: #fileID)
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
    Row("A missing fixture, whose error the test throws") {
      stubAtLine(3, isPath("/f"), .file("/nowhere/brn.json"))
      _ = try await fetch("\(host)/f")
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
      await withStubs(in: .current) { await ask("/shared") }
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
    Row("Errors of StubKit's own, which a client can keep to itself, and one that the test asks for") {
      stub(.get, "/users/{id}", at: StubLocation(place(1))) { _, match in try .text(match("ID")) }
      stub(.post, "/users", at: StubLocation(place(2))) { try .json($0.sent.json()) }
      stubAtLine(3, isPath("/stream"), .stream(AsyncStream<Data> { $0.finish() }))
      stubAtLine(4, isPath("/network"), .passThrough.delay(.seconds(1)))
      stubAtLine(5, isPath("/failure"), .failure(.timedOut))
      for _ in 1...2 {
        await ask("/users/1", "/users/2", "/stream", "/network", "/failure")
        _ = try? await fetch("\(host)/users", method: "POST", body: "{")
      }
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
    Row("A body that isn't in the charset of its Content-Type, in a test that fails") {
      stubAtLine(
        18, isPath("/latin1"),
        .data(Data([0x63, 0x61, 0x66, 0xE9]), headers: ["Content-Type": "text/plain; charset=UTF-8"]))
      stubAtLine(19, isPath("/other"), .data(Data([0xE9]), headers: ["Content-Type": "text/plain; charset=latin1"]))
      await ask("/latin1", "/other")
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
    Row("A response that a session's cache held, in a test that fails") {
      stubAtLine(12, isHost("a.example"))
      let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
      cache.keep("old", for: request("\(host)/cached"), fields: ["Cache-Control": "max-age=1000"])
      let session = URLSession(configuration: .ephemeral { $0.urlCache = cache })
      for path in ["/cached", "/other"] { _ = try await session.data(from: url("\(host)\(path)")) }
      throw CancellationError()
    },
    Row("A response that a client has stored in its cache afterwards, in a test that fails") {
      stubAtLine(12, isHost("a.example"))
      let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
      let session = URLSession(configuration: .ephemeral { $0.urlCache = cache })
      _ = try await session.data(from: url("\(host)/stored"))
      cache.keep("new", for: request("\(host)/stored"), fields: ["Cache-Control": "max-age=1000"])
      throw CancellationError()
    },
    Row("A cache of the user's own class, which nothing asks at the end of a test that fails") {
      stubAtLine(12, isHost("a.example"))
      let cache = UnaskedCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
      let session = URLSession(configuration: .ephemeral { $0.urlCache = cache })
      _ = try await session.data(from: url("\(host)/cached"))
      throw CancellationError()
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
        .text("42"), .text("[x]"), .text(""), .text("{}", headers: ["Content-Type": "application/json"]), .status(204),
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
    // StubResponseTests have what else can be wrong with one.
    Row("Mistakes in responses, each of two requests") {
      let mistaken: [StubResponse] = [.status(42), .ok.header("A B", ""), .ok.header("A", "\n"), .file("/")]
      for (number, response) in mistaken.enumerated() {
        stubAtLine(UInt(number + 1), isPath("/\(number)"), response)
        for _ in 1...2 { await #expect(throws: StubResponseError.self) { try await fetch("\(host)/\(number)") } }
      }
    },
  ]

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

  // The rows of `failures` are in FailureRows.swift.
  @Test("has the issues that Fixtures/issues.txt lists, at their places", .oneFramework)
  func issues() async throws {
    let test = try #require(Test.current)
    for row in Self.unused + Self.unmatched + Self.responses + Self.calls + Self.failures {
      await IssuesInFile.check(row.name, in: test, from: row.line) {
        try await row.trait.provideScope(for: test, testCase: nil, performing: row.body)
      }
    }
  }

  @Suite("A test in a stubbed suite that asks for unused stubs", .inTurn, .stubbed(reportUnused: true))
  struct Suites {
    @Test(
      "has no issue of an unused stub if its own trait says so, and keeps its other issues", .issuesInFile,
      .stubbed(reportUnused: false))
    func again() async {
      stubAtLine(12, isHost("never.example"))
      await IssueTableTests.ask("/suite")
    }
  }

  @Test(
    "is the current test in its responders, whichever call made the request", .withoutWarnings,
    .stubbed(attaches: .never))
  func current() async throws {
    let name = try #require(Test.current?.name)
    stub(condition: .anything) { _ in
      Issue.record("\(Test.current?.name ?? "none")")
      return .status(204)
    }
    let (_, issues) = await takingIssues {
      await Self.ask("/")
      try await untilResumed { answered in
        URLSession.shared.dataTask(with: url(Self.host)) { _, _, _ in answered.resume() }.resume()
      }
      await Task { await Self.ask("/") }.value
    }
    #expect(issues.map(\.text) == Array(repeating: name, count: 3))
  }
}

/// A cache that can't be asked without an issue.
private final class UnaskedCache: URLCache, @unchecked Sendable {
  // Safe because it has no state of its own.
  override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    Issue.record("The cache was asked.")
    return nil
  }
}
