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

  @Test("combines by &&, || and ! as Bool does")
  func truthTables() {
    for url in Self.urls {
      let request = request(url)
      let scheme = request.url!.scheme == "foo"
      let host = request.url!.host?.lowercased() == "bar"
      let path = request.url!.path == "/baz"
      let (a, b, c) = (isScheme("foo"), isHost("bar"), isPath("/baz"))
      let closure: @Sendable (URLRequest) -> Bool = { $0.url?.path == "/baz" }
      let rows: [(RequestMatcher, Bool)] = [
        (a && b, scheme && host), (a || b, scheme || host), (!a || b, !scheme || host), (!(a && b), !(scheme && host)),
        (!(a || b), !(scheme || host)), (a && b || c, scheme && host || path),
        (a && (b || c), scheme && (host || path)),
        (!(a && !b) || c, !(scheme && !host) || path), (a && closure, scheme && path), (closure || a, scheme || path),
        (!(closure && a) && b, !(path && scheme) && host), (a && .anything, scheme), (a && .nothing, false),
        (a || .anything, true), (a || .nothing, scheme),
      ]
      for (matcher, expected) in rows {
        #expect(matcher.matches(request) == expected && matcher(request) == expected, "\(matcher) \(url)")
      }
    }
  }

  /// They print as they are written in `Fixtures/conditions.txt`, one a line.
  static let printed: [RequestMatcher] = [
    isHost("a") && !isPath("/b"), (isHost("a") || isHost("b")) && isMethod(.get),
    isHost("a") || isHost("b") && isPort(1), !(isHost("a") && isPort(1)), !(isHost("a") || isPort(1)), !(!isPort(1)),
    isPort(1) && (isPath("/c") && isHost("b")), (isPort(1) || isPort(2)) || isPort(3), .anything, .nothing,
    !.nothing && isPort(1), [isPort(1), isPort(2)].reduce(.nothing, ||),
    isPort(1) && { $0.url == nil } || { _ in true }, RequestMatcher("is admin") { _ in true } && isPort(1),
    isMethod("PROPFIND") || isMethod("get"),
    .absoluteURL("http://é"),
    pathMatches("a", options: .caseInsensitive),
    headerMatches("A", "b", options: [.anchorsMatchLines, .caseInsensitive]), containsQuery(["b": nil, "a": "1"]),
    containsQuery("a", "\"b\""),
    hasJSONBody([StubJSON(UInt64.max)]),
    hasBody(Data("x\n".utf8)) && bodyContains("y"),
    hasJSONBody(["b": [1, 2.5, nil], "a": true, "c": [:], "d": []]),
    hasJSONBody(nil) || hasJSONBody(containing: ["a": "b"]),
    hasFormBody(URLQueryItem(name: "a", value: nil), URLQueryItem(name: "a", value: "b")),
    hasMultipartPart(named: "f", filename: "a.png", contentType: "image/png", value: "x") && urlMatches(/users/),
    queryMatches("since", #/^\d+/x$/#) || headerMatches("Accept", /html/),
    isURL("https://A.com:443/b/?c") && hasBaseURL("https://A.com/b/"), isURL(URL(string: "https://a.com")!),
    urlMatches("^https:", options: .caseInsensitive),
    isHost("a") && hasJSONBody(as: [Int].self) { _ in true },
    RequestMatcher(.delete, "/users/{id:[0-9]+}"), RequestMatcher(.put, "/a%20b"),
    RequestMatcher(.head, "https://a.example/v1"),
    RequestMatcher(.options, "https://a.example:8080/{id}"), RequestMatcher(.post, "/users?sort=a%26b&page=2&flag"),
    RequestMatcher("PURGE", "/users?"), RequestMatcher(.any, "/files/a%2Fb/{name}.json"),
    !(!hasHeader("X")), !(!hasCookie("a")) && !(!containsQuery("b")), !(!(!hasHeader("X"))),
  ]

  @Test("prints as it was written")
  func description() throws {
    try expectTexts(Self.printed.map(\.description), in: "conditions", separator: "\n")
    for matcher in Self.printed { #expect(matcher.mistake == nil, "\(matcher)") }
  }

  @Test("runs closures last, once, and only if they matter")
  func closuresRunLast() {
    // How often the closure runs: once where all the rest matches, or else not at all.
    for (url, expected) in [("http://a/x", 1), ("http://b/x", 0), ("http://a/y", 0)] {
      let count = Locked(0)
      let counting = RequestMatcher.counting(count, answer: true)
      let matcher = counting && isHost("a") && (pathMatches("^/x") && !bodyContains("z"))
      #expect(matcher.matches(request(url)) == (expected == 1), "\(url)")
      #expect(count.withLock(\.self) == expected, "\(url)")
    }
  }

  @Test("of a body neither reads nor matches a stream that nobody has read")
  func unreadStream() {
    let request = request("http://a/", method: "POST", streamed: "x")
    #expect(!bodyContains("x").matches(request) && !hasBody(Data()).matches(request))
    #expect(request.httpBodyStream?.streamStatus == .notOpen)
  }

  private struct Login: Decodable {
    let user: String
    let device: Device?

    struct Device: Decodable {
      let ids: [Int]
    }
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
  func report() {
    for (body, reason) in Self.reasons {
      let registry = StubRegistry()
      let isAnn = hasJSONBody(as: Login.self) { $0.user == "ann" }
      stub(condition: isPath("/login") && isAnn, response: .status(204), in: registry)
      let login = request("http://a.com/login", method: "POST", body: body)
      let explanation = "\(registry.explain(login))"
      #expect(
        explanation.contains("body: expected a Login") && explanation.contains(reason),
        "\(reason): \(explanation)")
    }
  }
}
