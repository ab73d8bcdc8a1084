import Foundation
import TestSupport
import Testing

@testable import StubKit

private let headerMatchers: [RequestMatcher] = [
  hasHeaderNamed("x-key"), hasHeaderNamed("X-Key", value: "k1"), headerMatches("X-KEY", "^k[0-9]$"),
  lacksHeader("X-None"), !lacksHeader("X-Key"), hasBasicAuth(user: "ann", password: "secret"),
  hasHeaderNamed("X-Both", value: "own"), hasCookie("theme"), hasCookie("theme", value: "dark"),
  hasHeaderNamed("Cookie"), RequestMatcher("has the key") { $0.value(forHTTPHeaderField: "X-Key") == "k1" },
]

@Suite("A request's headers", .inTurn)
struct IncomingHeadersTests {
  /// A session with headers and a cookie of its own.
  private static func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = [
      "X-Key": "k1", "X-Both": "session", "Authorization": "Basic YW5uOnNlY3JldA==",
    ]
    configuration.httpCookieStorage?.setCookie(cookie("theme", "dark", domain: "a.example"))
    return URLSession(configuration: configuration)
  }

  private static func cookie(_ name: String, _ value: String, domain: String) -> HTTPCookie {
    HTTPCookie(properties: [.name: name, .value: value, .domain: domain, .path: "/"])!
  }

  @Test("are those that matchers see: its session's too, and its own win", arguments: headerMatchers.indices)
  func matchers(number: Int) async throws {
    let matcher = headerMatchers[number]
    let fetched = try await withStubs {
      stub(condition: isPath("/x") && !matcher, response: .text("not matched"))
      stub(condition: isPath("/x") && matcher, response: .text("matched"))
      return try await Self.makeSession().fetch(request("http://a.example/x", headers: ["x-both": "own"]))
    }
    #expect(fetched.text == "matched", "\(matcher)")
  }

  private static let expected = [
    "X-Key": "k1", "X-Both": "own", "Authorization": "Basic YW5uOnNlY3JldA==", "Cookie": "theme=dark",
  ]

  @Test("are those that conditions, response closures and the journal see: no more and no less")
  func closures() async throws {
    let seen = Protected<[[String: String]?]>([])
    try await withStubs {
      stub(
        condition: { request in
          seen.withLock { $0.append(request.allHTTPHeaderFields) }
          return true
        }
      ) { request in
        seen.withLock { $0.append(request.allHTTPHeaderFields) }
        return .empty()
      }
      _ = try await Self.makeSession().fetch(request("http://a.example/x", headers: ["x-both": "own"]))
      #expect(seen.withLock { $0 } == [Self.expected, Self.expected])
      #expect(StubRegistry.current.journal.entries.map(\.request.allHTTPHeaderFields) == [Self.expected])
    }
  }

  @Test("are those that the journal sees of a request that a plain stub answers, or none, or a policy")
  func journal() async throws {
    try await withStubs {
      stub(condition: isPath("/plain"), response: .empty())
      let bare = request("http://a.example/plain", headers: ["x-both": "own"])
      _ = try await Self.makeSession().fetch(bare)
      let error = await #expect(throws: (any Error).self) {
        try await Self.makeSession().fetch(request("http://a.example/none", headers: ["x-both": "own"]))
      }
      #expect((error as? UnmatchedRequestError)?.request.allHTTPHeaderFields == Self.expected)
      HTTPStubs.unmatched = .respond { .json(["key": JSONValue($0.value(forHTTPHeaderField: "X-Key") ?? "")]) }
      let answered = try await Self.makeSession().fetch(request("http://a.example/none", headers: ["x-both": "own"]))
      #expect(answered.text == #"{"key":"k1"}"#)
      let entries = StubRegistry.current.journal.entries
      #expect(entries.map(\.request.allHTTPHeaderFields) == [Self.expected, Self.expected, Self.expected])
    }
  }

  @Test("are its own where its session adds none")
  func none() async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: .empty())
      let session = URLSession(configuration: .patient)
      _ = try await session.fetch(request("http://a.example/x", headers: ["X-Own": "1"]))
      #expect(StubRegistry.current.journal.entries.map(\.request.allHTTPHeaderFields) == [["X-Own": "1"]])
    }
  }

  @Test("are those that a server gets")
  func server() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Key": "k1", "X-Both": "session", "Cookie": "from=session"]
    configuration.httpCookieStorage?.setCookie(Self.cookie("theme", "dark", domain: "127.0.0.1"))
    try await withStubs {
      HTTPStubs.unmatched = .passThrough
      let session = URLSession(configuration: configuration)
      _ = try await session.fetch(
        request(server.url("/1").absoluteString, headers: ["x-both": "own", "Cookie": "own=1"]))
      configuration.httpShouldSetCookies = false
      let cookieless = URLSession(configuration: configuration)
      _ = try await cookieless.fetch(request(server.url("/2").absoluteString))
      _ = try await cookieless.fetch(request(server.url("/3").absoluteString, headers: ["Cookie": "own=1"]))
      let entries = StubRegistry.current.journal.entries
      for (entry, arrival) in zip(entries, server.arrivals) {
        let seen = entry.request.allHTTPHeaderFields ?? [:]
        for (name, value) in seen { #expect(arrival.headers[name.lowercased()] == value) }
        let whole = entry.request.stubHeaders.map { ($0.key.lowercased(), $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: whole) == arrival.headers)
        let added = Set(arrival.headers.keys).subtracting(seen.keys.map { $0.lowercased() })
        // What transport adds.
        #expect(
          added.isSubset(of: ["host", "accept", "accept-encoding", "accept-language", "connection", "user-agent"]))
      }
      #expect(entries.count == 3 && server.arrivals.count == 3)
    }
  }

  @Test("are explained by hand as they stand")
  func explained() {
    let registry = StubRegistry()
    stub(condition: hasHeaderNamed("X-Key"), response: .empty(), in: registry)
    #expect(registry.explain(request("http://a.example/")).stub == nil)
    let task = Self.makeSession().dataTask(with: url("http://a.example/"))
    let incoming = IncomingRequest(request("http://a.example/"), of: task)
    #expect(registry.explain(incoming).stub != nil)
    #expect(registry.explain(incoming).request.value(forHTTPHeaderField: "X-Key") == "k1")
  }
}
