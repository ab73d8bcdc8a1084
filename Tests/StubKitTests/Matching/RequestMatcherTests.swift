import Foundation
import TestSupport
import Testing

@testable import StubKit

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
        (!(!a), scheme),
        (!a && b, !scheme && host), (!a || b, !scheme || host), (!(a && b), !(scheme && host)),
        (!(a || b), !(scheme || host)),
        (a && b && c, scheme && host && path), (a || b || c, scheme || host || path),
        (a && b || c, scheme && host || path),
        (a && (b || c), scheme && (host || path)), (!(a && !b) || c, !(scheme && !host) || path),
        (a && closure, scheme && path),
        (closure && a, scheme && path), (a || closure, scheme || path), (closure || a, scheme || path),
        (!(closure && a) && b, !(path && scheme) && host),
        (closure && (b || a) || !c, path && (host || scheme) || !path),
        (a && .anything, scheme), (a && .nothing, false), (a || .anything, true), (a || .nothing, scheme),
        (!.nothing, true),
      ]
      for (matcher, expected) in rows { #expect(matcher.matches(request) == expected, "\(matcher)") }
      for (matcher, expected) in rows { #expect(matcher(request) == expected, "\(matcher)") }
    }
  }

  static let printed: [(RequestMatcher, String)] = [
    (isHost("a") && !isPath("/b"), #"isHost("a") && !isPath("/b")"#),
    (isHost("A.Com") && isPath("/b/"), #"isHost("A.Com") && isPath("/b/")"#),
    ((isHost("a") || isHost("b")) && isMethodGET(), #"(isHost("a") || isHost("b")) && isMethodGET()"#),
    (isHost("a") || isHost("b") && isPort(1), #"isHost("a") || isHost("b") && isPort(1)"#),
    (!(isHost("a") && isPort(1)), #"!(isHost("a") && isPort(1))"#),
    (!(isHost("a") || isPort(1)), #"!(isHost("a") || isPort(1))"#),
    (!(!isPort(1)), "!(!isPort(1))"), (isPort(1) && (isPort(2) && isPort(3)), "isPort(1) && isPort(2) && isPort(3)"),
    ((isPort(1) || isPort(2)) || isPort(3), "isPort(1) || isPort(2) || isPort(3)"),
    (.anything, ".anything"), (.nothing, ".nothing"), (!.nothing && isPort(1), "!.nothing && isPort(1)"),
    ([isPort(1), isPort(2)].reduce(.nothing, ||), ".nothing || isPort(1) || isPort(2)"),
    (isPort(1) && { $0.url == nil } || { _ in true }, "isPort(1) && { … } || { … }"),
    (RequestMatcher("is admin") { _ in true } && isPort(1), "is admin && isPort(1)"),
    (isMethod("PROPFIND") || isMethod("get"), #"isMethod("PROPFIND") || isMethod("get")"#),
    (isScheme("HTTPS") && hostEndsWith(".Com"), #"isScheme("HTTPS") && hostEndsWith(".Com")"#),
    (isAbsoluteURLString("http://é"), #"isAbsoluteURLString("http://é")"#),
    (pathStartsWith("/a") && pathEndsWith("/b/"), #"pathStartsWith("/a") && pathEndsWith("/b/")"#),
    (isPath(template: "/u/{id}") && isExtension("txt"), #"isPath(template: "/u/{id}") && isExtension("txt")"#),
    (pathMatches("^/\\d$"), #"pathMatches("^/\\d$")"#),
    (pathMatches("a", options: .caseInsensitive), #"pathMatches("a", options: .caseInsensitive)"#),
    (
      headerMatches("A", "b", options: [.anchorsMatchLines, .caseInsensitive]),
      #"headerMatches("A", "b", options: [.caseInsensitive, .anchorsMatchLines])"#
    ),
    (containsQuery(["b": nil, "a": "1"]), #"containsQuery(["a": "1", "b": nil])"#),
    (containsQuery("a"), #"containsQuery("a")"#),
    (containsQuery("a", "\"b\""), #"containsQuery("a", "\"b\"")"#), (hasExactQuery([:]), "hasExactQuery([:])"),
    (lacksQuery("a") && lacksHeader("B"), #"lacksQuery("a") && lacksHeader("B")"#),
    (hasHeader("A") && hasHeader("B", "c"), #"hasHeader("A") && hasHeader("B", "c")"#),
    (hasJSONBody([JSONValue(UInt64.max)]), "hasJSONBody([JSONValue(UInt64(18446744073709551615))])"),
    (hasCookie("a") && hasCookie("b", "c"), #"hasCookie("a") && hasCookie("b", "c")"#),
    (hasBasicAuth(user: "u", password: "p"), #"hasBasicAuth(user: "u", password: "p")"#),
    (hasBody(Data("x\n".utf8)) && bodyContains("y"), #"hasBody(Data("x\n".utf8)) && bodyContains("y")"#),
    (hasBody(Data([0xFF])), "hasBody(<1 bytes>)"),
    (
      hasJSONBody(["b": [1, 2.5, nil], "a": true, "c": [:], "d": []]),
      #"hasJSONBody(["a": true, "b": [1, 2.5, nil], "c": [:], "d": []])"#
    ),
    (
      hasJSONBody(nil) || hasJSONBody(containing: ["a": "b"]),
      #"hasJSONBody(nil) || hasJSONBody(containing: ["a": "b"])"#
    ),
    (hasJSON(at: "a.b[0].c", equals: 1), #"hasJSON(at: "a.b[0].c", equals: 1)"#),
    (hasFormBody(["b": "", "a": nil]), #"hasFormBody(["a": nil, "b": ""])"#),
    (
      hasFormBody(URLQueryItem(name: "a", value: nil), URLQueryItem(name: "a", value: "b")),
      #"hasFormBody(URLQueryItem(name: "a", value: nil), URLQueryItem(name: "a", value: "b"))"#
    ),
    (
      hasMultipartPart(named: "f", contentType: "image/png") && hasMultipartPart(named: "g"),
      #"hasMultipartPart(named: "f", contentType: "image/png") && hasMultipartPart(named: "g")"#
    ),
    (
      hasMultipartPart(named: "f", filename: "a.png", contentType: "image/png", value: "x") && urlMatches(/users/),
      #"hasMultipartPart(named: "f", filename: "a.png", contentType: "image/png", value: "x") && urlMatches(#/users/#)"#
    ),
    (
      queryMatches("since", #/^\d+/x$/#) || headerMatches("Accept", /html/),
      ##"queryMatches("since", #/^\d+/x$/#) || headerMatches("Accept", #/html/#)"##
    ),
    (isGraphQL(operation: "GetUser"), #"isGraphQL(operation: "GetUser")"#),
    (isMethodPOST() || isMethodPATCH(), "isMethodPOST() || isMethodPATCH()"),
  ]

  @Test("prints as it was written")
  func description() {
    for index in Self.printed.indices {
      #expect(Self.printed[index].0.description == Self.printed[index].1, "\(index)")
    }
  }
}
