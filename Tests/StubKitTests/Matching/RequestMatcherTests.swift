import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A request matcher", .inTurn)
struct RequestMatcherTests {
  static let urls = [
    "foo:", "foo://", "foo://bar", "foo://bar/baz", "foo://baz/bar", "foo:///bar", "foo://bar/baz?q", "foo://bar/baz#f",
    "foobar://", "foobar://bar", "foobar://bar/baz", "http://bar", "http://bar/", "http://bar/baz", "http://BAR/baz",
    "http://baz/bar", "/baz", "baz", "?baz", "http://bar/bazz",
  ]

  @Test("&&, || and ! are those of Bool")
  func truthTables() {
    for url in Self.urls {
      let request = request(url)
      let scheme = request.url!.scheme == "foo"
      let host = request.url!.host?.lowercased() == "bar"
      let path = request.url!.path == "/baz"
      let (a, b, c) = (isScheme("foo"), isHost("bar"), isPath("/baz"))
      let closure: @Sendable (URLRequest) -> Bool = { $0.url?.path == "/baz" }
      let rows: [(RequestMatcher, Bool)] = [
        (a, scheme), (b, host), (c, path), (a && b, scheme && host), (a || b, scheme || host), (!a, !scheme),
        (!(!a), scheme), (!a && b, !scheme && host), (!a || b, !scheme || host), (!(a && b), !(scheme && host)),
        (!(a || b), !(scheme || host)), (a && b && c, scheme && host && path), (a || b || c, scheme || host || path),
        (a && b || c, scheme && host || path), (a && (b || c), scheme && (host || path)),
        (!(a && !b) || c, !(scheme && !host) || path), (a && closure, scheme && path), (closure && a, scheme && path),
        (a || closure, scheme || path), (closure || a, scheme || path),
        (!(closure && a) && b, !(path && scheme) && host),
        (closure && (b || a) || !c, path && (host || scheme) || !path), (a && .anything, scheme),
        (a && .nothing, false), (a || .anything, true), (a || .nothing, scheme), (!.nothing, true),
      ]
      for (matcher, expected) in rows {
        #expect(matcher.matches(request) == expected && matcher(request) == expected, "\(matcher)")
      }
    }
  }

  /// They print as they are written in `Fixtures/conditions.txt`, one a line.
  static let printed: [RequestMatcher] = [
    isHost("a") && !isPath("/b"), isHost("A.Com") && isPath("/b/"), (isHost("a") || isHost("b")) && isMethodGET(),
    isHost("a") || isHost("b") && isPort(1), !(isHost("a") && isPort(1)), !(isHost("a") || isPort(1)), !(!isPort(1)),
    isPort(1) && (isPath("/c") && isHost("b")), (isPort(1) || isPort(2)) || isPort(3), .anything, .nothing,
    !.nothing && isPort(1), [isPort(1), isPort(2)].reduce(.nothing, ||),
    isPort(1) && { $0.url == nil } || { _ in true }, RequestMatcher("is admin") { _ in true } && isPort(1),
    isMethod("PROPFIND") || isMethod("get"), isScheme("HTTPS") && hostEndsWith(".Com"),
    isAbsoluteURLString("http://é"), pathStartsWith("/a") && pathEndsWith("/b/"),
    isPath(template: "/u/{id}") && isExtension("txt"), pathMatches("^/\\d$"),
    pathMatches("a", options: .caseInsensitive),
    headerMatches("A", "b", options: [.anchorsMatchLines, .caseInsensitive]), containsQuery(["b": nil, "a": "1"]),
    containsQuery("a"), containsQuery("a", "\"b\""), hasExactQuery([:]), lacksQuery("a") && lacksHeader("B"),
    hasHeader("A") && hasHeader("B", "c"), hasJSONBody([JSONValue(UInt64.max)]), hasCookie("a") && hasCookie("b", "c"),
    hasBasicAuth(user: "u", password: "p"), hasBody(Data("x\n".utf8)) && bodyContains("y"), hasBody(Data([0xFF])),
    hasJSONBody(["b": [1, 2.5, nil], "a": true, "c": [:], "d": []]),
    hasJSONBody(nil) || hasJSONBody(containing: ["a": "b"]), hasJSON(at: "a.b[0].c", equals: 1),
    hasFormBody(["b": "", "a": nil]),
    hasFormBody(URLQueryItem(name: "a", value: nil), URLQueryItem(name: "a", value: "b")),
    hasMultipartPart(named: "f", contentType: "image/png") && hasMultipartPart(named: "g"),
    hasMultipartPart(named: "f", filename: "a.png", contentType: "image/png", value: "x") && urlMatches(/users/),
    queryMatches("since", #/^\d+/x$/#) || headerMatches("Accept", /html/), isGraphQL(operation: "GetUser"),
    isMethodPOST() || isMethodPATCH(), hasBearerToken() && hasBearerToken("abc"),
    isURL("https://A.com:443/b/?c") && isUnder("https://A.com/b/"), isURL(URL(string: "https://a.com")!),
    urlMatches("^https:", options: .caseInsensitive), queryMatches("page", "^[0-9]+$"),
    isHost("a") && hasJSONBody(as: [Int].self) { _ in true }, RequestMatcher(.get, "/users"),
    RequestMatcher(.any, "/"), RequestMatcher(.delete, "/users/{id:[0-9]+}"), RequestMatcher(.put, "/a%20b"),
    RequestMatcher(.patch, "/a b"), RequestMatcher(.head, "https://a.example/v1"),
    RequestMatcher(.options, "https://a.example:8080/{id}"), RequestMatcher(.post, "/users?sort=a%26b&page=2&flag"),
    RequestMatcher("PURGE", "/users?"), RequestMatcher("get", "/x"), RequestMatcher(.any, "/files/a%2Fb/{name}.json"),
  ]

  @Test("prints as it was written")
  func description() throws {
    try expectTexts(Self.printed.map(\.description), in: "conditions", separator: "\n")
    for matcher in Self.printed { #expect(matcher.mistake == nil, "\(matcher)") }
  }

  @Test("runs closures last, once, and only if they matter")
  func closuresRunLast() {
    for (url, expected) in [("http://a/x", 1), ("http://b/x", 0), ("http://a/y", 0)] {
      let count = Locked(0)
      let counting = RequestMatcher.counting(count, answer: true)
      let matcher = counting && isHost("a") && (pathMatches("^/x") && !bodyContains("z"))
      #expect(matcher.matches(request(url)) == (expected == 1) && count.withLock(\.self) == expected, "\(url)")
    }
  }

  @Test("matches no stream that is not read yet")
  func unreadStream() {
    let request = request("http://a/", method: "POST", streamed: "x")
    #expect(!bodyContains("x").matches(request) && !hasBody(Data()).matches(request))
    #expect(request.httpBodyStream?.streamStatus == .notOpen)
    // That of a policy can be a closure.
    guard case .passThrough(let condition) = UnmatchedPolicy.passThrough(when: { $0.url?.port == 8080 }).kind else {
      return _ = Issue.record("fails them")
    }
    #expect(
      condition.matches(TestSupport.request("http://a.example:8080/"))
        && !condition.matches(TestSupport.request("http://a.example/")))
  }

  @Test("of a method and a URL says what to write")
  func urlMistakes() {
    for (url, sentence) in [
      ("users", #"stub(.get, "users") has neither a URL nor a path: write "https://users" for"#),
      ("a.example/users", #"write "https://a.example/users" for a URL"#), ("", #"or "/" for a path"#),
      ("?page=2", #"or "/?page=2" for a path"#),
      ("/users/:id", #"stub(.get, "/users/:id") has :id, which stands for no other text: write {name} for any"#),
      ("/users/:id", #"as in stub(.get, "/users/{id}")."#), ("/a/*.png", #"as in stub(.get, "/a/{name}.png")."#),
      ("https://a.example/users/*", #"as in stub(.get, "https://a.example/users/{name}")."#),
      ("/users?page={page}", "has a placeholder in its query"), ("/users/{id", "has a { without a }"),
      ("https://a b.example/users", "isURL"), ("https:///users", "has no host"),
    ] {
      let mistake = RequestMatcher(.get, url).mistake
      #expect(mistake?.contains(sentence) == true, "\(mistake ?? "no mistake")")
    }
  }

  @Test("of a method and a URL gives a closure its captures")
  func captures() async throws {
    try await withStubs {
      stub(.get, "https://a.example/users/{id}") { _, match in try .json(["id": match("id", as: Int.self)]) }
      let mocked = stub(.get, "https://a.example/mock/{id}") { request in
        let response = HTTPURLResponse(to: request, status: 201, fields: ["X-A": "b"])
        return (response, Data(request.url!.lastPathComponent.utf8))
      }
      stub(.post, "/jobs", responses: [.status(202), .text("done")], times: 2)
      #expect(try await URLSession.shared.fetch("https://a.example/users/42").text == #"{"id":42}"#)
      let mock = try await URLSession.shared.fetch("https://a.example/mock/7")
      #expect(mock.text == "7" && mock.status == 201 && mocked.lastRequest?.response?.headers["X-A"] == "b")
    }
  }

  private struct Login: Decodable {
    let user: String
    let device: Device?

    struct Device: Decodable {
      let ids: [Int]
    }
  }

  private let isAnn = hasJSONBody(as: Login.self) { $0.user == "ann" }

  @Test("of a decoded body takes a decoder")
  func decoder() {
    struct Stay: Decodable {
      let firstNight: Date
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    let matcher = hasJSONBody(as: Stay.self, decoder: decoder) { $0.firstNight == Date(timeIntervalSince1970: 60) }
    #expect(matcher.matches(post(#"{"first_night": 60}"#)) && !matcher.matches(post(#"{"first_night": 61}"#)))
  }

  static let reasons: [(String?, String)] = [
    (#"{"user": "ben"}"#, #"got "{\"user\": \"ben\"}""#), (nil, ", missing"),
    (#"{"usr": "ann"}"#, "; not a valid Login: there is no user"),
    (#"{"user": 1}"#, "; not a valid Login: user is not String"),
    (#"{"user": null}"#, "; not a valid Login: user is null, not String"),
    (#"{"user": "ann", "device": {"ids": [1, "2"]}}"#, "; not a valid Login: device.ids[1] is not Int"),
    (#"{"user": "ann", "device": {}}"#, "; not a valid Login: there is no device.ids"),
    (#"[{"user": "ann"}]"#, "; not a valid Login: it is not an object"),
    (#"{"user" "ann"}"#, "; not a valid Login: it is not JSON: a colon is missing"),
  ]

  @Test("of a decoded body says what does not decode")
  func report() async throws {
    for (body, reason) in Self.reasons {
      let registry = StubRegistry()
      stub(condition: isPath("/login") && isAnn, response: .empty(), in: registry)
      let login = request("http://a.com/login", method: "POST", body: body)
      let explanation = "\(registry.explain(login))"
      #expect(explanation.contains("body: expected a Login") && explanation.contains(reason), "\(explanation)")

      let error = await #expect(throws: UnmatchedRequestError.self, "\(reason)") {
        try await registry.makeSession().data(for: login)
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }
}
