import Foundation
import TestSupport
import Testing

@testable import StubKit

/// A text that no request carries, what is said about it, and a matcher that does what was meant.
@Suite("A slip in the text of a matcher", .inTurn)
struct ImpossibleTextsTests {
  private typealias Row = (slip: RequestMatcher, part: String, cure: RequestMatcher, request: URLRequest)

  private static func get(_ address: String, _ headers: [String: String] = [:]) -> URLRequest {
    request(address, headers: headers)
  }

  private static let urls: [Row] = [
    (isMethod(""), #"isMethod("GET")"#, isMethod("GET"), get("http://a")),
    (isMethod("GET "), #"isMethod("GET")"#, isMethod("GET"), get("http://a")),
    (isMethod("GET|POST"), "is not a method", isMethod("GET") || isMethod("POST"), get("http://a")),
    (isMethod("*"), "is not a method", .anything, get("http://a")),
    (isMethod("ANY"), "stub(.any, …)", .anything, get("http://a")),
    (isScheme(""), #"isScheme("https")"#, isScheme("https"), get("https://a")),
    (isScheme("wss"), "StubKit doesn't take", isScheme("https"), get("https://a")),
    (isPort(65_536), "from 0 to 65535", isPort(65_535), get("http://a:65535")),
    (isPort(-1), "from 0 to 65535", isPort(1), get("http://a:1")),
    (isHost(""), "is empty", isHost("api.example.com"), get("http://api.example.com")),
    (isHost(" a.example "), #"isHost("a.example")"#, isHost("a.example"), get("http://a.example")),
    (
      isHost(".example.com"), #"hostEndsWith(".example.com")"#, hostEndsWith(".example.com"),
      get("http://a.example.com")
    ),
    (isHost("{tenant}.example.com"), "hostEndsWith(…)", hostEndsWith(".example.com"), get("http://a.example.com")),
    (isHost("(api|www).example.com"), "urlMatches(…)", hostEndsWith(".example.com"), get("http://api.example.com")),
    (hostEndsWith("50%.example"), "has a %", hostEndsWith(".example"), get("http://a.example")),
    (hostEndsWith(""), "is empty", .anything, get("http://a")),
    (
      isURL("https://https://a.example/"), #"isURL("https://a.example/")"#, isURL("https://a.example/"),
      get("https://a.example")
    ),
    (
      isURL(" https://a.example/x "), #"isURL("https://a.example/x")"#, isURL("https://a.example/x"),
      get("https://a.example/x")
    ),
    (isURL("https://a.example:65536/"), "out of range", isURL("https://a.example:1/"), get("https://a.example:1/")),
    (
      RequestMatcher(.get, "/users??page=2"), "two question marks", RequestMatcher(.get, "/users?page=2"),
      get("http://a/users?page=2")
    ),
    (RequestMatcher(.get, "/users "), #"stub(.get, "/users")"#, RequestMatcher(.get, "/users"), get("http://a/users")),
  ]

  private static let paths: [Row] = [
    (isPath("/a/../b"), #"isPath("/b")"#, isPath("/b"), get("http://a/b")),
    (isPath("./b"), #"isPath("/b")"#, isPath("/b"), get("http://a/b")),
    (pathEndsWith("a/../b"), "is resolved", pathEndsWith("/b"), get("http://a/b")),
    (isPath(" users "), #"isPath("/users")"#, isPath("/users"), get("http://a/users")),
    (isPath("/users#top"), "has a fragment", isPath("/users"), get("http://a/users#top")),
    (isPath("^/users$"), #"pathMatches("^/users$")"#, pathMatches("^/users$"), get("http://a/users")),
    (
      isPath("api.example.com/users"), #"isHost("api.example.com") && isPath("/users")"#,
      isHost("api.example.com") && isPath("/users"), get("http://api.example.com/users")
    ),
    (pathEndsWith("/"), #"isPath("/")"#, isPath("/"), get("http://a/")),
    (
      isPath(template: " /users/{id}"), #"isPath(template: "/users/{id}")"#, isPath(template: "/users/{id}"),
      get("http://a/users/7")
    ),
    (isPath(template: "/a/../{id}"), "Write the template without it", isPath(template: "/{id}"), get("http://a/7")),
    (
      isPath(template: "/users/{id:}"), "write {id} for any text", isPath(template: "/users/{id}"),
      get("http://a/users/7")
    ),
    (hasPathExtension(".png"), #"hasPathExtension("png")"#, hasPathExtension("png"), get("http://a/x.png")),
    (hasPathExtension("tar.gz"), "pathEndsWith(…)", pathEndsWith(".tar.gz"), get("http://a/x.tar.gz")),
    (containsQuery("?page"), #"containsQuery("page")"#, containsQuery("page"), get("http://a?page=1")),
    (
      containsQuery([" page": "1"]), "has white space around the name", containsQuery(["page": "1"]),
      get("http://a?page=1")
    ),
  ]

  private static let fields: [Row] = [
    (hasHeader(""), #"hasHeader("Accept")"#, hasHeader("Accept"), get("http://a", ["Accept": "x"])),
    (hasHeader("Accept:"), "write the name alone", hasHeader("Accept"), get("http://a", ["Accept": "x"])),
    (!hasHeader("X-*"), #"hasHeader("X-*") is not"#, !hasHeader("X-A"), get("http://a")),
    (headerMatches("A B", "x"), "write the name alone", headerMatches("A", "x"), get("http://a", ["A": "x"])),
    (hasHeader("X", " a"), #"hasHeader("X", "a")"#, hasHeader("X", "a"), get("http://a", ["X": "a"])),
    (hasHeader("X", "a\nb"), "has a line break", hasHeader("X", "a b"), get("http://a", ["X": "a b"])),
    (
      hasHeader("Authorization", "Bearer *"), "hasBearerToken() for any token", hasBearerToken(),
      get("http://a", ["Authorization": "Bearer t"])
    ),
    (hasCookie("a=b"), "separately", hasCookie("a", "b"), get("http://a", ["Cookie": "a=b"])),
    (hasCookie("a", "b; c=d"), "without a semicolon", hasCookie("a", "b"), get("http://a", ["Cookie": "a=b; c=d"])),
    (
      hasBasicAuth(user: "ann:x", password: "y"), "in password:", hasBasicAuth(user: "ann", password: "x:y"),
      get("http://a", ["Authorization": "Basic \(Data("ann:x:y".utf8).base64EncodedString())"])
    ),
    (
      hasBearerToken("Bearer abc"), #"hasBearerToken("abc")"#, hasBearerToken("abc"),
      get("http://a", ["Authorization": "Bearer abc"])
    ),
    (
      hasBearerToken(""), "hasBearerToken() for any", hasBearerToken(), get("http://a", ["Authorization": "Bearer abc"])
    ),
    (
      isGraphQL(operation: "query GetUser { a }"), #"isGraphQL(operation: "GetUser")"#, isGraphQL(operation: "GetUser"),
      post("query GetUser { a }", contentType: "application/graphql")
    ),
    (hasFormBody(["?a": "1"]), "has a ? in front", hasFormBody(["a": "1"]), post("a=1")),
    (hasMultipartPart(named: ""), #"named: "avatar""#, .anything, get("http://a")),
    (hasMultipartPart(named: "a", contentType: "png"), "image/png", .anything, get("http://a")),
    (hasJSON(at: " a", equals: 1), #"hasJSON(at: "a""#, hasJSON(at: "a", equals: 1), post(#"{"a":1}"#)),
  ]

  @Test("is a mistake that says what to write, and fails even verify(called: .never)")
  func mistakes() {
    for row in Self.urls + Self.paths + Self.fields {
      let mistake = row.slip.mistake ?? "no mistake"
      #expect(mistake.contains(row.part), "\(row.slip): \(mistake)")
      #expect(["write ", "Write "].contains(where: mistake.contains), "\(row.slip): \(mistake)")
      #expect(row.cure.mistake == nil && row.cure.matches(row.request), "\(row.cure)")
      #expect(throws: VerificationError.self, "\(row.slip)") {
        try verify(row.slip, called: .never, in: StubRegistry())
      }
    }
  }

  @Test("is not suspected in an odd text that a request can carry")
  func possible() {
    let name = "http://a/?x=1&"
    for (matcher, request) in [
      (isHost("::1"), Self.get("http://[::1]/")), (isHost("[::1]"), Self.get("http://[::1]/")),
      (isMethod("M-SEARCH"), request("http://a", method: "M-SEARCH")), (isScheme("http"), Self.get("http://a")),
      (isPath("/a.b/..c/d..."), Self.get("http://a/a.b/..c/d...")), (isPath("/a/^b"), Self.get("http://a/a/%5Eb")),
      (pathStartsWith("/users/."), Self.get("http://a/users/.well-known")),
      (pathEndsWith("../a"), Self.get("http://a/x../a")), (pathStartsWith("/a "), Self.get("http://a/a%20b")),
      (hasHeader("Accept", "*/*"), Self.get("http://a", ["Accept": "*/*"])),
      (hasHeader("A", ""), Self.get("http://a", ["A": ""])),
      (containsQuery("", "1"), Self.get("\(name)=1")), (containsQuery("a b", " c "), Self.get("\(name)a%20b=%20c%20")),
      (isURL("http://a:80/?u=https://b"), Self.get("http://a/?u=https://b")),
      (isGraphQL(operation: "_a1"), post("query _a1 { a }", contentType: "application/graphql")),
      (.graphQL("my op"), post(#"{"operationName": "my op", "query": "{ a }"}"#)),
    ] {
      #expect(matcher.mistake == nil && matcher.matches(request), "\(matcher): \(matcher.mistake ?? "")")
    }
  }

  @Test("that leaves a text which a request can carry gets a hint in the report")
  func hints() {
    for (matcher, request, hint) in [
      (urlMatches("/users?page=[0-9]+"), Self.get("http://a/users?page=2"), "a literal ? is written [?]"),
      (containsQuery(["page": nil]), Self.get("http://a/?tag=1"), "for its absence, write !containsQuery"),
      (
        hasMultipartPart(named: "a"),
        post("--x\r\nContent-Type: image/png\r\n\r\n\r\n--x--", contentType: "multipart/related; boundary=x"),
        "a part without a name: image/png"
      ),
    ] {
      let lines = matcher.mismatches(request).map(\.description)
      #expect(lines.contains { $0.contains(hint) }, "\(matcher): \(lines)")
    }
    // Without the note on absence, which is not meant.
    #expect(
      !hasExactQuery(["page": nil]).mismatches(Self.get("http://a/?tag=1")).contains {
        $0.description.contains("!containsQuery")
      })
  }

  @Test("aside, a code of URLError has its name in reports")
  func names() {
    #expect(URLError(.secureConnectionFailed).cause == "URLError.secureConnectionFailed")
    #expect(URLError(.dnsLookupFailed).cause == "URLError.dnsLookupFailed")
  }
}
