import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A request's headers", .inTurn)
struct IncomingHeadersTests {
  /// A session with headers and a cookie of its own. A header that the request has, too, keeps the request's value.
  private static func makeSession() -> URLSession {
    URLSession(
      configuration: .ephemeral {
        $0.httpAdditionalHeaders = ["X-Key": "k1", "X-Both": "session", "Authorization": "Basic YW5uOnNlY3JldA=="]
        $0.httpCookieStorage?.setCookie(
          HTTPCookie(properties: [.name: "theme", .value: "dark", .domain: "a.example", .path: "/"])!)
      })
  }

  @Test("reach matchers together with its session's headers and cookies")
  func matchers() async throws {
    for matcher in [
      hasHeader("x-key", "k1"), hasHeader("X-Key"), hasHeader("X-Both", "own"), hasCookie("theme", "dark"),
      RequestMatcher("has the key") { $0.value(forHTTPHeaderField: "X-Key") == "k1" },
    ] {
      let fetched = try await withStubs {
        stub(condition: isPath("/x") && !matcher, response: .text("not matched"))
        stub(condition: isPath("/x") && matcher, response: .text("matched"))
        return try await Self.makeSession().fetch(request("http://a.example/x", headers: ["x-both": "own"]))
      }
      #expect(fetched.text == "matched", "\(matcher)")
    }
  }

  private static let expected = [
    "X-Key": "k1", "X-Both": "own", "Authorization": "Basic YW5uOnNlY3JldA==", "Cookie": "theme=dark",
  ]

  @Test("reach closures, the journal and the error together with its session's headers and cookies")
  func seen() async throws {
    let seen = Protected<[[String: String]?]>([])
    try await withStubs {
      stub(condition: isPath("/plain"), response: .status(204))
      stub(
        condition: { request in
          seen.withLock { $0.append(request.allHTTPHeaderFields) }
          return request.url?.path == "/x"
        }
      ) { request in
        seen.withLock { $0.append(request.allHTTPHeaderFields) }
        return .status(204)
      }
      func get(_ path: String) async throws {
        _ = try await Self.makeSession().fetch(request("http://a.example\(path)", headers: ["x-both": "own"]))
      }
      try await get("/x")
      try await get("/plain")
      let error = await #expect(throws: UnmatchedRequestError.self) { try await get("/none") }
      let entries = StubRegistry.current.journal.entries.map(\.request.allHTTPHeaderFields)
      let all = entries + seen.withLock { $0 } + [error?.request.allHTTPHeaderFields]
      // Three entries, the condition (three times), the stub's closure (once), and the error.
      #expect(all == Array(repeating: Self.expected, count: 8))
    }
  }

  @Test(
    "name the host, with its port unless that is the scheme's own",
    arguments: [
      ("http://a.example/", "a.example"), ("http://a.example:80/x", "a.example"),
      ("http://a.example:8080", "a.example:8080"), ("https://a.example:443/", "a.example"),
      ("https://a.example:80/", "a.example:80"), ("http://a.example:/x", "a.example"),
      ("http://ann:secret@a.example:81/?x@y", "a.example:81"), ("http://[::1]/", "[::1]"),
      ("http://[::1]:80/", "[::1]"), ("http://ann@[::1]:81/", "[::1]:81"), ("HTTP://a.example:80/", "a.example"),
    ])
  func host(url: String, host: String) { #expect(request(url).stubHeaders["Host"] == host) }

  @Test(
    "name the number of the body's bytes, or zero for a method that usually has a body",
    arguments: [
      ("GET", nil, nil), ("HEAD", nil, nil), ("POST", nil, "0"), ("DELETE", nil, "0"), ("PUT", "abc", "3"),
      ("GET", "é", "2"),
    ] as [(String, String?, String?)])
  func length(method: String, body: String?, length: String?) {
    let plain = request("http://a.example/", method: method, body: body)
    #expect(plain.stubHeaders["Content-Length"] == length)
    let chunked = request("http://a.example/", method: method, headers: ["transfer-encoding": "chunked"], body: body)
    #expect(chunked.stubHeaders["Content-Length"] == nil)
  }

  @Test(
    "name neither a host nor a length for a URL that HTTP doesn't carry",
    arguments: ["foo://a.example/", "foo:bar", "relative"])
  func otherSchemes(url: String) {
    #expect(request(url, method: "POST", headers: ["X-Own": "1"], body: "abc").stubHeaders == ["X-Own": "1"])
  }
}

@Suite("The Content-Type of a request", .inTurn)
struct UntypedRequestTests {
  private static let form = "application/x-www-form-urlencoded"

  @Test("is the one that a server sees if the client sets none, wherever the body is", arguments: BodyPlace.allCases)
  func types(place: BodyPlace) async throws {
    let server = try LoopbackServer()
    for (method, body) in [("POST", "{}"), ("POST", ""), ("PUT", "{}"), ("PATCH", "{}"), ("DELETE", "{}")] {
      func send(to url: URL) async throws {
        _ = try await Sending(place, Data(body.utf8), method: method).send(request(url, method: method))
      }
      try await send(to: server.url("/x"))
      let sent = try #require(server.arrivals.last)["Content-Type"]
      try await withStubs {
        let untyped = stub(condition: !hasHeader("Content-Type")) { .text($0.stubHeaders["Content-Type"] ?? "none") }
        let typed = stub(condition: hasHeader("Content-Type", Self.form)) {
          .text($0.stubHeaders["Content-Type"] ?? "none")
        }
        try await send(to: url("http://a.example/x"))
        #expect(untyped.callCount == (sent == nil ? 1 : 0), "\(method) \(body)")
        #expect(typed.callCount == (sent == nil ? 0 : 1), "\(method) \(body)")
        let entry = try #require(StubRegistry.current.journal.entries.first)
        #expect(
          [entry.header("Content-Type"), entry.request.stubHeaders["Content-Type"]] == [sent, sent], "\(method) \(body)"
        )
        // What the loopback server has seen: URLSession gives a type only to a POST.
        #expect(sent == nil || sent == Self.form && method == "POST", "\(method) \(body), \(sent as Any)")
      }
    }
  }

  @Test("is the one that the client sets, or else the one of its session")
  func ownTypes() async throws {
    for (own, ofSession, expected) in [
      ("text/csv", nil, "text/csv"), ("", nil, ""), (nil, "application/json", "application/json"),
      ("a/b", "application/json", "a/b"),
    ] as [(String?, String?, String)] {
      try await withStubs {
        stub(condition: .anything, response: .status(204))
        let session = URLSession(
          configuration: .ephemeral { $0.httpAdditionalHeaders = ofSession.map { ["content-type": $0] } })
        let headers = own.map { ["Content-Type": $0] } ?? [:]
        _ = try await session.fetch(request("http://a.example/x", method: "POST", headers: headers, body: "{}"))
        #expect(StubRegistry.current.journal.entries.first?.header("Content-Type") == expected, "own: \(own as Any)")
      }
    }
    // A request without a session is taken for one that a server has received. Nothing is added to it.
    #expect(
      IncomingRequest(request("http://a.example/x", method: "POST", body: "{}")).asSent.allHTTPHeaderFields?.count ?? 0
        == 0)
  }

  @Test("is the same after a redirect as a server gets", arguments: [301, 307])
  func redirects(status: Int) async throws {
    let server = try LoopbackServer { line, _, send in
      let head = line.hasSuffix("/to") ? "200 OK" : "\(status) Moved\r\nLocation: /to"
      send(Data("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
    }
    for place in [BodyPlace.dataOfDataTask, .streamOfDataTask, .uploadData, .streamedUpload] {
      _ = try await Sending(place, Data("{}".utf8)).send(request(server.url("/x"), method: "POST"))
      let sent = server.arrivals.suffix(2).map { $0["Content-Type"] }
      try await withStubs {
        stub(condition: isPath("/x"), response: .status(status).header("Location", "/to"))
        stub(condition: isPath("/to"), response: .status(204))
        _ = try await Sending(place, Data("{}".utf8)).send(request("http://a.example/x", method: "POST"))
        #expect(StubRegistry.current.journal.entries.map { $0.header("Content-Type") } == sent, "\(place)")
      }
    }
  }

  @Test("is reported as URLSession's own where a condition fails because the client set none")
  func forgotten() async throws {
    let post = request("http://a.example/users", method: "POST", body: #"{"name":"Ann"}"#)
    for (condition, line) in [
      (hasHeader("Content-Type", "application/json"), "header Content-Type: expected "),
      (headerMatches("content-type", "^application/json"), "header content-type: expected a match of"),
      (!hasHeader("Content-Type"), #"header Content-Type: expected none, got "appl"#),
    ] {
      let error = await withStubs {
        stub(condition: isPath("/users") && condition, response: .status(201))
        return await #expect(throws: UnmatchedRequestError.self, "\(line)") { try await URLSession.shared.fetch(post) }
      }
      let report = error?.description ?? ""
      #expect(report.contains(line) && report.contains("; URLSession adds it"), "\(line): \(report)")
    }
  }
}

@Suite("A response's cookies", .inTurn)
struct ResponseCookiesTests {
  private let response = StubResponse.text("hello").addingHeader("Set-Cookie", "a=1; Path=/").addingHeader(
    "set-cookie", "b=2; Expires=Fri, 01 Jan 2100 00:00:00 GMT")

  private func names(_ configuration: URLSessionConfiguration) -> [String] {
    (configuration.httpCookieStorage?.cookies ?? []).map(\.name).sorted()
  }

  @Test("are stored when the head is told, even if the body breaks off")
  func timing() async {
    await withStubs {
      // Foundation on Linux ends the process at the name of the third.
      let third = response.addingHeader("Set-Cookie", "👩👩=3")
      stub(condition: .anything, response: third.failing(afterBytes: 1))
      let session = URLSession(configuration: .ephemeral)
      #expect(await session.failure(of: "http://a.example/x") != nil)
      #expect(names(session.configuration) == ["a", "b"])
    }
  }

  @Test("aren't stored if the session, its storage or the request refuses them")
  func refusals() async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: response)
      for refuse in [
        { $0.httpCookieAcceptPolicy = .never }, { $0.httpCookieStorage?.cookieAcceptPolicy = .never },
        { $0.httpCookieStorage = nil },
      ] as [(URLSessionConfiguration) -> Void] {
        let session = URLSession(configuration: .ephemeral(refuse))
        _ = try await session.fetch("http://a.example/x")
        let own = session.configuration
        #expect(
          names(own) == [], "\(own.httpCookieAcceptPolicy), \(own.httpCookieStorage?.cookieAcceptPolicy as Any)")
      }
      let session = URLSession(configuration: .ephemeral)
      var request = URLRequest(url: url("http://a.example/x"))
      request.httpShouldHandleCookies = false
      _ = try await session.fetch(request)
      #expect(names(session.configuration) == [])
    }
  }

  @Test("aren't stored for another domain than that of the request")
  func foreignDomain() async throws {
    try await withStubs {
      stub(condition: isPath("/foreign"), response: .text("x").header("Set-Cookie", "c=3; Domain=b.example"))
      let session = URLSession(configuration: .ephemeral)
      _ = try await session.fetch("http://a.example/foreign")
      #expect(names(session.configuration) == [])
    }
  }
}
