import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a request lacks", .inTurn)
struct MismatchTests {
  private static let get = request(
    "http://api.a.com/users/43?pge=2&q=x&tag=a&tag",
    headers: ["Acept": "text/html", "Cookie": "sid=1; theme=dark", "X-Key": "k1"])
  private static let form = post("user=ann&pasword=x", contentType: "application/x-www-form-urlencoded")
  private static let parts = post(
    "--b\r\nContent-Disposition: form-data; name=\"avtar\"\r\nContent-Type: image/png\r\n\r\nx\r\n--b--",
    contentType: "multipart/form-data; boundary=b")

  static let rows: [(RequestMatcher, URLRequest, [String])] = [
    (isMethodPOST(), get, ["method: expected POST, got GET"]),
    (isScheme("https"), get, ["scheme: expected https, got http"]),
    (isHost("API.b.com"), get, ["host: expected API.b.com, got api.a.com"]),
    (hostEndsWith("b.com"), get, ["host: expected …b.com, got api.a.com"]),
    (isPort(8080), get, ["port: expected 8080, got 80"]),
    (isPath("/users/42"), get, ["path: expected /users/42, got /users/43"]),
    (isPath("/a b"), get, [#"path: expected "/a b", got /users/43"#]),
    (pathStartsWith("/posts"), get, ["path: expected /posts…, got /users/43"]),
    (pathEndsWith("/42"), get, ["path: expected …/42, got /users/43"]),
    (pathMatches("^/u$"), get, [#"path: expected a match of "^/u$", got /users/43"#]),
    (isPath(template: "/users/{id}/posts"), get, ["path: expected /users/{id}/posts, got /users/43"]),
    (
      isPath(template: "/users/{id:[a-z]+}"), get,
      ["path: expected /users/{id:[a-z]+}, got /users/43; 43 does not fit {id:[a-z]+}"]
    ),
    (isPath(template: "/posts/{id:[a-z]+}"), get, ["path: expected /posts/{id:[a-z]+}, got /users/43"]),
    (isPath(template: "/users/43/{rest...}"), get, ["path: expected /users/43/{rest...}, got /users/43"]),
    (isExtension("json"), get, ["path extension: expected json, got none"]),
    (
      isAbsoluteURLString("http://api.a.com/users/43"), get,
      ["URL: expected http://api.a.com/users/43, got http://api.a.com/users/43?pge=2&q=x&tag=a&tag"]
    ),
    (isURL("http://api.a.com/users/42"), get, ["path: expected /users/42, got /users/43"]),
    (
      isURL("https://api.b.com/users/43?pge=2&q=x&tag=a&tag&tag"), get,
      [
        "scheme: expected https, got http", "host: expected api.b.com, got api.a.com", "port: expected 443, got 80",
        #"query item tag: expected "a" and no value and no value, got "a" and no value"#,
      ]
    ),
    (isUnder("http://api.a.com/v1/"), get, ["path: expected /v1/…, got /users/43"]),
    (isUnder("http://api.a.com/users/4"), get, ["path: expected /users/4/…, got /users/43"]),
    (
      !isURL("http://api.a.com/users/43"), get,
      ["URL: expected anything but http://api.…com/users/43, got http://api.a.com/users/4…=x&tag=a&tag"]
    ),
    (
      !isUnder("http://api.a.com/"), get,
      ["URL: expected anything but http://api.a.com/…, got http://api.a.com/users/43?pg…&q=x&tag=a&tag"]
    ),
    (
      urlMatches("^https:"), get,
      [#"URL: expected a match of "^https:", got http://api.a.com/users/43?pge=2&q=x&tag=a&tag"#]
    ),

    (
      queryMatches("page", "^[0-9]$"), get,
      [#"query item page: expected a match of "^[0-9]$", got none; there are pge, tag and q"#]
    ),
    (queryMatches("q", "^[0-9]$"), get, [#"query item q: expected a match of "^[0-9]$", got "x""#]),
    (containsQuery("page", "2"), get, [#"query item page: expected "2", got none; there are pge, tag and q"#]),
    (containsQuery("page"), get, ["query item page: expected any value, got none; there are pge, tag and q"]),
    (containsQuery("q", "y"), get, [#"query item q: expected "y", got "x""#]),
    (containsQuery("tag", "b"), get, [#"query item tag: expected "b", got "a" and no value"#]),
    (
      containsQuery(["q": "y", "pge": "2", "page": nil]), get,
      [
        "query item page: expected no value, got none; there is tag",
        #"query item q: expected "y", got "x""#,
      ]
    ),
    (
      hasExactQuery(["page": "2", "q": "x"]), get,
      [
        #"query item page: expected "2", got none; there are pge and tag"#,
        #"query item pge: expected none, got "2""#, #"query item tag: expected none, got "a" and no value"#,
      ]
    ),
    (lacksQuery("q"), get, [#"query item q: expected none, got "x""#]),
    (
      hasHeaderNamed("Accept", value: "text/html"), get,
      [#"header Accept: expected "text/html", got none; there are Acept, X-Key and Cookie"#]
    ),
    (hasHeaderNamed("X-Key", value: "k2"), get, [#"header X-Key: expected "k2", got "k1""#]),
    (headerMatches("X-Key", "^z"), get, [#"header X-Key: expected a match of "^z", got "k1""#]),
    (lacksHeader("X-Key"), get, [#"header X-Key: expected none, got "k1""#]),
    (hasCookie("sid", value: "2"), get, [#"cookie sid: expected "2", got "1""#]),
    (hasCookie("id"), get, ["cookie id: expected any value, got none; there are sid and theme"]),
    (
      hasBasicAuth(user: "ann", password: "x"),
      request("http://a.com/", headers: ["Authorization": "Basic YW5uOnk="]),
      [#"header Authorization: expected user "ann" with password "x", got user "ann" with password "y""#]
    ),

    (hasBody(Data("abc".utf8)), post("abd"), [#"body: expected "abc", got "abd""#]),
    (hasBody(Data("abc".utf8)), get, [#"body: expected "abc", got none"#]),
    (bodyContains("x\ny"), post("abd"), [#"body: expected text that contains "x\ny", got "abd""#]),
    (
      hasFormBody(["user": "bob", "password": "x"]), form,
      [
        #"form field password: expected "x", got none; there is pasword"#,
        #"form field user: expected "bob", got "ann""#, #"form field pasword: expected none, got "x""#,
      ]
    ),
    (hasFormBody(["user": "bob"]), post("hello"), [#"form: expected exactly ["user": "bob"], got "hello""#]),
    (hasFormBody(["user": "bob"]), get, [#"form: expected exactly ["user": "bob"], got none"#]),
    (
      hasFormBody(URLQueryItem(name: "a", value: "1"), URLQueryItem(name: "a", value: "1")), post("a=1"),
      [#"form field a: expected "1" and "1", got "1""#]
    ),
    (hasMultipartPart(named: "avatar"), parts, ["body part avatar: expected any type, got none; there is avtar"]),
    (
      hasMultipartPart(named: "avtar", contentType: "image/jpeg"), parts,
      ["body part avtar: expected image/jpeg, got image/png"]
    ),
    (
      hasMultipartPart(named: "a"), post("x", contentType: "text/plain"),
      ["body part a: expected any type, got none; its Content-Type is text/plain"]
    ),
    (
      isGraphQL(operation: "GetUser"), post(#"{"query": "query GetUsers { a }"}"#),
      ["GraphQL operation: expected GetUser, got GetUsers"]
    ),

    (isPath("/a") || isPath("/b"), get, ["path: expected /a or /b, got /users/43"]),
    (
      isPath("/a") && isMethodPOST() || isPath("/users/42") && isPort(80) || isHost("b"), get,
      ["path: expected /users/42, got /users/43; nearest of 3 alternatives"]
    ),
    (!isPath("/users/43"), get, ["path: expected anything but /users/43, got /users/43"]),
    (!hasHeaderNamed("X-Key"), get, [#"header X-Key: expected none, got "k1""#]),
    (!lacksHeader("X-Keys"), get, ["header X-Keys: expected any value, got none"]),
    (!(isPath("/users/43") || isPort(81)), get, ["path: expected anything but /users/43, got /users/43"]),
    (
      !(isPath("/users/43") && isPort(80)), get,
      ["path: expected anything but /users/43, got /users/43; nearest of 2 alternatives"]
    ),
    (!(!isPath("/users/42")), get, ["path: expected /users/42, got /users/43"]),
    (.nothing, get, ["condition: expected .nothing, got a request"]),
    (RequestMatcher("odd") { _ in false }, get, [#"closure "odd": expected true, got false"#]),
    (isHost("api.a.com") && { _ in false }, get, ["closure { … }: expected true, got false"]),
    (isHost("api.a.com") && isPath("/users/43"), get, []), (.anything, get, []),
  ]

  @Test("is told criterion by criterion, and by name", arguments: rows.indices)
  func row(index: Int) {
    let (matcher, request, expected) = Self.rows[index]
    #expect(matcher.mismatches(request).map(\.description) == expected)
  }

  @Test("is in parts, for tests that want to look at one")
  func parts() {
    let mismatch = (isPath("/users/42") && hasHeaderNamed("B")).mismatches(Self.get)
    #expect(mismatch.map(\.criterion) == ["path", "header B"])
    #expect(mismatch.map(\.expected) == ["/users/42", "any value"])
    #expect(mismatch.map(\.actual) == ["/users/43", nil])
  }

  @Test(
    "of a request without a URL is everything", arguments: [isPath("/"), isHost("a"), hasExactQuery([:]), isPort(80)])
  func noURL(matcher: RequestMatcher) {
    var request = request("http://a/")
    request.url = nil
    #expect(matcher.mismatches(request).map(\.actual) == [nil])
  }

  @Test("of a body that nobody has read is not known")
  func unread() {
    var request = request("http://a/", method: "POST")
    request.httpBodyStream = InputStream(data: Data("x".utf8))
    for matcher in [hasJSONBody(["a": 1]), bodyContains("x"), !bodyContains("x"), hasFormBody([:])] {
      #expect(matcher.mismatches(request).map(\.description) == ["body: not read"])
    }
  }

  @Test("fits a line, and still shows what differs")
  func long() {
    let long = String(repeating: "abcdefghij/", count: 40)
    let line = hasJSONBody(JSONValue("\(long)2\(long)")).mismatches(post("\"\(long)1\(long)\""))[0].description
    #expect(line.count <= 100 && line.contains("cdefghij/2abc") && line.contains("cdefghij/1abc"), "\(line)")
    let other = isPath("/x").mismatches(request("http://a.com/\(long)"))[0].description
    #expect(other.count <= 100 && other.hasPrefix("path: expected /x, got /abc") && other.contains("…"), "\(other)")
  }

  @Test("breaks no line, and gives a terminal no orders")
  func control() {
    let request = request("http://a.com/a%0Ab%1B%5B2J", headers: ["X": "a"])
    #expect(isPath("/x").mismatches(request)[0].description == #"path: expected /x, got "/a\nb\u{1B}[2J""#)
    let matcher = RequestMatcher("two\nlines\u{1B}[31m") { _ in false }
    #expect(matcher.mismatches(request)[0].description.contains("\n") == false)
    #expect(
      !Excerpt.oneLine("a\u{1B}[31m\r\u{85}b\u{2028}").unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 }
    )
  }
}
