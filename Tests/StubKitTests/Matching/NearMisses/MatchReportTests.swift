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

  private static let bearer = request("http://a.com/", headers: ["Authorization": "Bearer abc"])

  private static let ofGet: KeyValuePairs<RequestMatcher, String> = [
    isMethodPOST(): "method: expected POST, got GET", isScheme("https"): "scheme: expected https, got http",
    isHost("API.b.com"): "host: expected API.b.com, got api.a.com",
    hostEndsWith("b.com"): "host: expected …b.com, got api.a.com", isPort(8080): "port: expected 8080, got 80",
    isPath("/users/42"): "path: expected /users/42, got /users/43",
    isPath("/a b"): #"path: expected "/a b", got /users/43"#,
    pathStartsWith("/posts"): "path: expected /posts…, got /users/43",
    pathEndsWith("/42"): "path: expected …/42, got /users/43",
    pathMatches("^/u$"): #"path: expected a match of "^/u$", got /users/43"#,
    pathMatches(/^\/films$/): "path: expected a match of #/^/films$/#, got /users/43",
    isPath(template: "/users/{id}/posts"): "path: expected /users/{id}/posts, got /users/43",
    isPath(template: "/users/{id:[a-z]+}"):
      "path: expected /users/{id:[a-z]+}, got /users/43; 43 does not fit {id:[a-z]+}",
    isPath(template: "/posts/{id:[a-z]+}"): "path: expected /posts/{id:[a-z]+}, got /users/43",
    isPath(template: "/users/43/{rest...}"): "path: expected /users/43/{rest...}, got /users/43",
    isExtension("json"): "path extension: expected json, got none",
    isAbsoluteURLString("http://api.a.com/users/43"):
      "URL: expected http://api.a.com/users/43, got http://api.a.com/users/43?pge=2&q=x&tag=a&tag",
    isURL("http://api.a.com/users/42"): "path: expected /users/42, got /users/43",
    isURL("https://api.b.com/users/43?pge=2&q=x&tag=a&tag&tag"): """
    scheme: expected https, got http
    host: expected api.b.com, got api.a.com
    port: expected 443, got 80
    query item tag: expected "a" and no value and no value, got "a" and no value
    """,
    isUnder("http://api.a.com/v1/"): "path: expected /v1/…, got /users/43",
    isUnder("http://api.a.com/users/4"): "path: expected /users/4/…, got /users/43",
    !isURL("http://api.a.com/users/43"):
      "URL: expected anything but http://api.…com/users/43, got http://api.a.com/users/4…=x&tag=a&tag",
    !isUnder("http://api.a.com/"):
      "URL: expected anything but http://api.a.com/…, got http://api.a.com/users/43?pg…&q=x&tag=a&tag",
    urlMatches("^https:"):
      #"URL: expected a match of "^https:", got http://api.a.com/users/43?pge=2&q=x&tag=a&tag"#,
    urlMatches("/43?pge=[0-9]+&q"):
      #"URL: expected a match of "/43…-9]+&q", got http://api.a.co…g=a&tag; a literal ? is written [?]"#,
    urlMatches("/44?pge=2"):
      #"URL: expected a match of "/44?pge=2", got http://api.a.com/users/43?pge=2&q=x&tag=a&tag"#,
    queryMatches("page", "^[0-9]$"):
      #"query item page: expected a match of "^[0-9]$", got none; there are pge, tag and q"#,
    queryMatches("q", "^[0-9]$"): #"query item q: expected a match of "^[0-9]$", got "x""#,
    containsQuery("page", "2"): #"query item page: expected "2", got none; there are pge, tag and q"#,
    containsQuery("page"): "query item page: expected any value, got none; there are pge, tag and q",
    containsQuery("q", "y"): #"query item q: expected "y", got "x""#,
    containsQuery("tag", "b"): #"query item tag: expected "b", got "a" and no value"#,
    containsQuery(["q": "y", "pge": "2", "page": nil]): """
    query item page: expected no value, got none; nil means an item without =; for its absence, write lacksQuery; \
    there is tag
    query item q: expected "y", got "x"
    """,
    hasExactQuery(["page": "2", "q": "x"]): """
    query item page: expected "2", got none; there are pge and tag
    query item pge: expected none, got "2"
    query item tag: expected none, got "a" and no value
    """,
    lacksQuery("q"): #"query item q: expected none, got "x""#,
    hasHeader("Accept", "text/html"):
      #"header Accept: expected "text/html", got none; there are Acept, X-Key and Cookie"#,
    hasHeader("Host", "api.a.com"):
      #"header Host: expected "api.a.com", got none; URLSession adds it after matching: write isHost"#,
    hasHeader("X-Key", "k2"): #"header X-Key: expected "k2", got "k1""#,
    headerMatches("X-Key", "^z"): #"header X-Key: expected a match of "^z", got "k1""#,
    lacksHeader("X-Key"): #"header X-Key: expected none, got "k1""#,
    hasCookie("sid", "2"): #"cookie sid: expected "2", got "1""#,
    hasCookie("id"): "cookie id: expected any value, got none; there are sid and theme",
    hasBody(Data("abc".utf8)): #"body: expected "abc", got none"#,
    hasFormBody(["user": "bob"]): #"form: expected exactly ["user": "bob"], got none"#,
    hasJSON(at: "a", equals: 1): "body at a: expected 1, got none",
    isPath("/a") || isPath("/b"): "path: expected /a or /b, got /users/43",
    isPath("/a") && isMethodPOST() || isPath("/users/42") && isPort(80) || isHost("b"):
      "path: expected /users/42, got /users/43; nearest of 3 alternatives",
    !isPath("/users/43"): "path: expected anything but /users/43, got /users/43",
    !hasHeader("X-Key"): #"header X-Key: expected none, got "k1""#,
    !lacksHeader("X-Keys"): "header X-Keys: expected any value, got none",
    !(isPath("/users/43") || isPort(81)): "path: expected anything but /users/43, got /users/43",
    !(isPath("/users/43") && isPort(80)):
      "path: expected anything but /users/43, got /users/43; nearest of 2 alternatives",
    !(!isPath("/users/42")): "path: expected /users/42, got /users/43",
    .nothing: "condition: expected .nothing, got a request",
    RequestMatcher("odd") { _ in false }: #"closure "odd": expected true, got false"#,
    isHost("api.a.com") && { _ in false }: "closure { … }: expected true, got false",
    isHost("api.a.com") && isPath("/users/43"): "", .anything: "",
  ]

  private static let others: [(RequestMatcher, URLRequest, String)] = [
    (
      hasBasicAuth(user: "ann", password: "x"),
      request("http://a.com/", headers: ["Authorization": "Basic YW5uOnk="]),
      #"header Authorization: expected user "ann" with password "x", got user "ann" with password "y""#
    ),
    (
      hasFormBody(["user": "bob", "password": "x"]), form,
      """
      form field password: expected "x", got none; there is pasword
      form field user: expected "bob", got "ann"
      form field pasword: expected none, got "x"
      """
    ),
    (
      hasJSONBody(["user": "bob"]), form,
      #"body: expected {"user":"bob"}, got "user=ann&pasword=x"; the body is a form"#
    ),
    (hasMultipartPart(named: "avatar"), parts, "body part avatar: expected any type, got none; there is avtar"),
    (
      hasMultipartPart(named: "avtar", filename: "b.png", value: "y"), parts,
      #"body part avtar: expected file "b.png", "y", got no file, "x""#
    ),
    (
      hasMultipartPart(named: "avtar", contentType: "image/jpeg"), parts,
      "body part avtar: expected image/jpeg, got image/png"
    ),
    (
      hasMultipartPart(named: "a"),
      post(
        "--x\r\nContent-ID: <meta>\r\n\r\n{}\r\n--x\r\nContent-Type: image/png\r\n\r\n1\r\n--x--",
        contentType: "multipart/related; boundary=x"),
      "body part a: expected any type, got a part without a name: <meta>, image/png"
    ),
    (hasBearerToken("abd"), bearer, #"bearer token: expected "abd", got "abc""#),
    (!hasBearerToken(), bearer, #"bearer token: expected none, got "abc""#),
    (hasBearerToken(), request("http://a.com/"), "bearer token: expected any value, got none"),
    (
      hasMultipartPart(named: "a"), post("x", contentType: "text/plain"),
      "body part a: expected any type, got none; its Content-Type is text/plain"
    ),
  ]

  private static let ofBodies: [(RequestMatcher, body: String, String)] = [
    (hasBody(Data("abc".utf8)), "abd", #"body: expected "abc", got "abd""#),
    (bodyContains("x\ny"), "abd", #"body: expected text that contains "x\ny", got "abd""#),
    (hasFormBody(["user": "bob"]), "hello", #"form: expected exactly ["user": "bob"], got "hello""#),
    (
      hasFormBody(["user": "bob"]), #"{"user": "bob"}"#,
      #"form: expected exactly ["user": "bob"], got "{\"user\": \"bob\"}"; the body is JSON"#
    ),
    (
      hasFormBody(URLQueryItem(name: "a", value: "1"), URLQueryItem(name: "a", value: "1")), "a=1",
      #"form field a: expected "1" and "1", got "1""#
    ),
    (
      isGraphQL(operation: "GetUser"), #"{"query": "query GetUsers { a }"}"#,
      "GraphQL operation: expected GetUser, got GetUsers"
    ),
    (hasJSONBody(["a": 1]), #"{"a": 1.0}"#, ""), (hasJSONBody(containing: ["a": 1]), #"{"a": 1, "b": 2}"#, ""),
    (hasJSONBody(["a": 1]), "{}", "body at a: expected 1, got none"),
    (
      hasJSONBody(["user": ["address": [["zip": "1010"]]]]), #"{"user": {"address": [{"zip": "1020"}]}}"#,
      #"body at user.address[0].zip: expected "1010", got "1020""#
    ),
    (
      hasJSONBody(["id": 42]), #"{"id": "42"}"#,
      #"body at id: expected 42, got "42"; a string where a number should be"#
    ),
    (
      hasJSONBody(["a": nil]), #"{"a": false}"#, "body at a: expected null, got false; a boolean where null should be"
    ),
    (
      hasJSONBody(["zip_code": "1", "b": 1]), #"{"zipCode": "1", "b": 1}"#,
      """
      body at zipCode: expected none, got "1"
      body at zip_code: expected "1", got none; there is zipCode
      """
    ),
    (hasJSONBody([1, 2]), "[1, 3, 4]", "body: expected 2 elements, got 3 elements\nbody at [1]: expected 2, got 3"),
    (hasJSONBody(containing: ["a": [1]]), #"{"a": []}"#, "body at a: expected 1 element, got 0 elements"),
    (hasJSONBody(["a.b": ["": 1]]), #"{"a.b": {"": 2}}"#, #"body at ["a.b"][""]: expected 1, got 2"#),
    (
      hasJSONBody(["a": ["b": 1]]), #"{"a": 1}"#,
      #"body at a: expected {"b":1}, got 1; a number where an object should be"#
    ),
    (hasJSONBody("x"), #""y""#, #"body: expected "x", got "y""#),
    (hasJSON(at: "a.b[0].c", equals: 1), #"{"a": {"b": [{"c": 2}]}}"#, "body at a.b[0].c: expected 1, got 2"),
    (hasJSON(at: "/a/b/0", equals: ["c": 1]), #"{"a": {"b": [{"c": 2}]}}"#, "body at a.b[0].c: expected 1, got 2"),
    (hasJSON(at: "a.x", equals: nil), #"{"a": {}}"#, "body at a.x: expected null, got none"),
    (
      hasJSONBody(["a": 1]), #"{"a": 1"#,
      #"body: expected {"a":1}, got "{\"a\": 1"; not JSON: a comma or } is missing before the end (line 1, column 8)"#
    ),
  ]

  static let rows = ofGet.map { ($0.key, get, $0.value) } + others + ofBodies.map { ($0, post($1), $2) }

  @Test("is told criterion by criterion, and by name")
  func row() {
    for (matcher, request, expected) in Self.rows {
      #expect(matcher.mismatches(request).map(\.description).joined(separator: "\n") == expected)
    }
    let mismatch = (isPath("/users/42") && hasHeader("B")).mismatches(Self.get)
    #expect(
      mismatch.map(\.criterion) == ["path", "header B"] && mismatch.map(\.expected) == ["/users/42", "any value"])
    #expect(mismatch.map(\.actual) == ["/users/43", nil])
  }

  @Test("notes that a compressed body is compared as sent")
  func compressed() {
    for coding in ["gzip", "deflate", "br", "zstd", "identity"] {
      var request = post("", contentType: "multipart/form-data; boundary=b")
      request.httpBody = Data([0x1F, 0x8B, 0x08, 0x3D, 0x26])
      request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
      for condition in [
        hasJSONBody(["a": 1]), hasJSONBody(containing: ["a": 1]), hasJSON(at: "a", equals: 1), hasFormBody(["a": "b"]),
        hasJSONBody(as: [Int].self) { _ in true }, bodyContains("a"), hasBody(Data("a".utf8)),
        hasMultipartPart(named: "a"), isGraphQL(operation: "A"),
      ] {
        let report = condition.mismatches(request).map(\.description).joined()
        let note = "; its Content-Encoding is \(coding), and bodies are compared as sent"
        #expect(report.hasSuffix(note) == (coding != "identity"), "\(report)")
      }
    }
  }

  @Test("of a request without a URL is everything")
  func noURL() {
    for matcher in [isPath("/"), isHost("a"), hasExactQuery([:]), isPort(80)] {
      var request = request("http://a/")
      request.url = nil
      #expect(matcher.mismatches(request).map(\.actual) == [nil], "\(matcher)")
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

  @Test("of very many keys names a hundred, and counts all")
  func manyKeys() {
    func object(_ prefix: String) -> JSONValue {
      .object(Dictionary(uniqueKeysWithValues: (100..<400).map { ("\(prefix)\($0)", JSONValue($0)) }))
    }
    let lines = hasJSONBody(object("a")).mismatches(post("\(object("b"))")).map(\.description)
    #expect(lines.count == 100)
    #expect(lines.first == "body at a100: expected 100, got none; there are b100, b101, b102 and 297 more")
  }
}

@Suite("A match report", .inTurn)
struct MatchReportTests {
  @Test("lists every criterion in written order with what was expected and what was there, and runs a closure once")
  func lines() {
    let calls = Protected(0)
    let closure = RequestMatcher("odd") { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    var facts = RequestFacts(request("http://a.com/x?q=1"))
    let condition =
      pathMatches("y") && isHost("a.com") && lacksHeader("A") && hasHeader("B") && isMethodPOST() && closure
    let report = condition.explain(&facts)
    #expect(
      report.description == #"""
        ✗ path: expected a match of "y", got /x
        ✓ isHost("a.com")
        ✓ lacksHeader("A")
        ✗ header B: expected any value, got none
        ✗ method: expected POST, got GET
        ✗ closure "odd": expected true, got false
        """#)
    #expect(!report.matches && report.results.map(\.criterion).first == #"pathMatches("y")"#)
    #expect(report.mismatches.map(\.criterion) == ["path", "header B", "method", #"closure "odd""#])
    #expect(calls.withLock(\.self) == 1)
  }
}
