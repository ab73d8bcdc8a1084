import Foundation
import StubKit
import TestSupport
import Testing

/// A row of the guide's tables: a matcher, what it matches and what not, and the beginning of its name in the benchmark.
struct MatcherRow: CustomTestStringConvertible, Sendable {
  let matcher: RequestMatcher
  let measured: String
  let matching: URLRequest
  let other: URLRequest
  var testDescription: String { matcher.description }

  init(_ matcher: RequestMatcher, _ measured: String, _ matching: URLRequest, not other: URLRequest) {
    (self.matcher, self.measured, self.matching, self.other) = (matcher, measured, matching, other)
  }

  static let multipart = post(
    """
    --b\r
    Content-Disposition: form-data; name="avatar"; filename="a.png"\r
    Content-Type: image/png\r
    \r
    …\r
    --b--\r

    """, type: "multipart/form-data; boundary=b")

  static let all = url + query + headers + bodies

  private static let url = [
    row(isMethodGET(), "isMethodGET", get("/"), not: post("")),
    row(isMethod("PROPFIND"), "isMethodGET", get("/", method: "PROPFIND"), not: get("/")),
    row(isScheme("https"), "isScheme", get("/"), not: plain("http://api.example.com/")),
    row(isHost("api.example.com"), "isHost", plain("https://API.example.com/"), not: plain("https://example.com/")),
    row(hostEndsWith(".example.com"), "hostEndsWith", get("/"), not: plain("https://badexample.com/")),
    row(isLoopback(), "isLoopback", plain("http://127.0.0.1:8080/"), not: get("/")),
    row(isPort(443), "isPort", get("/"), not: plain("https://api.example.com:8443/")),
    row(
      isAbsoluteURLString("https://api.example.com/users?page=2"), "isAbsoluteURLString", get("/users?page=2"),
      not: get("/users?page=2#top")),
    row(
      isURL("https://api.example.com/users?page=2"), "isURL", get("/users/?page=2#top"), not: get("/users?page=2&a=1")),
    row(isUnder("https://api.example.com/v1"), "isUnder", get("/v1/users?page=2"), not: get("/v10")),
    row(
      urlMatches("^https://[a-z]+[.]example[.]com/"), "urlMatches", get("/users"),
      not: plain("http://api.example.com/")),
    row(isPath("/users/42"), "isPath(\"", get("/users/42/?page=2#top"), not: get("/users/4")),
    row(pathStartsWith("/users/"), "pathStartsWith", get("/users/42"), not: get("/users2/42")),
    row(pathEndsWith("/photo.png"), "pathEndsWith", get("/users/photo.png?page=2"), not: get("/myphoto.png")),
    row(pathMatches("^/users/[0-9]+$"), "pathMatches", get("/users/42"), not: get("/users/a")),
    row(isPath(template: "/users/{id}"), "isPath(template", get("/users/a%2Fb"), not: get("/users/a/b")),
    row(
      isPath(template: "/users/{id:[0-9]+}"), "isPath(template: \"/v1/users/{id:", get("/users/42"),
      not: get("/users/me")
    ),
    row(
      isPath(template: "/static/{path...}"), "isPath(template: \"/v1/{rest", get("/static/a/b.css"),
      not: get("/static/")),
    row(isExtension("png"), "isExtension", get("/a.png"), not: get("/a.PNG")),
  ]

  private static let query = [
    row(containsQuery("page"), "containsQuery(\"page\")", get("/?a=1&page"), not: get("/?pages=1")),
    row(containsQuery("page", "2"), "containsQuery(\"page\", ", get("/?page=1&page=2"), not: get("/?page=1")),
    row(
      containsQuery(["flag": nil, "page": "2"]), "containsQuery([", get("/?page=2&a=1&flag"), not: get("/?page=2&flag=")
    ),
    row(queryMatches("page", "^[0-9]+$"), "queryMatches", get("/?page=2"), not: get("/?page=last")),
    row(
      hasExactQuery(["flag": nil, "page": "2"]), "hasExactQuery", get("/?page=2&flag"), not: get("/?page=2&flag&page=1")
    ),
    row(lacksQuery("filter"), "lacksQuery", get("/"), not: get("/?filter")),
  ]

  private static let headers = [
    row(hasHeader("Accept"), "hasHeader(\"Accept\")", get("/", "accept", "a"), not: get("/")),
    row(
      hasHeader("Accept", "text/html"), "hasHeader(\"Accept\", ", get("/", "Accept", "text/html"),
      not: get("/", "Accept", "text/HTML")),
    row(
      headerMatches("Authorization", "^Bearer "), "headerMatches", get("/", "Authorization", "Bearer t"),
      not: get("/", "Authorization", "Basic t")),
    row(lacksHeader("X-Debug"), "lacksHeader", get("/"), not: get("/", "x-debug", "1")),
    row(
      hasCookie("session"), "hasCookie(\"theme\")", get("/", "Cookie", "a=1; session=2"),
      not: get("/", "Cookie", "Session=2")),
    row(
      hasCookie("session", "abc"), "hasCookie(\"theme\", ", get("/", "Cookie", "session=abc"),
      not: get("/", "Cookie", "session=ABC")),
    row(
      hasBasicAuth(user: "ann", password: "x"), "hasBasicAuth", get("/", "Authorization", "Basic YW5uOng="),
      not: get("/", "Authorization", "Basic YW5uOnk=")),
    row(
      hasBearerToken("abc"), "hasBearerToken(\"abc\")", get("/", "Authorization", "Bearer abc"),
      not: get("/", "Authorization", "Bearer ABC")),
  ]

  private struct Login: Decodable {
    let attempts: Int
  }

  private static let bodies = [
    row(hasBody(Data("ping".utf8)), "hasBody", post("ping"), not: post("ping\n")),
    row(bodyContains("needle"), "bodyContains", post("a needle in it"), not: post("a Needle in it")),
    row(
      hasJSONBody(["id": 42, "tags": ["a", nil]]), "hasJSONBody([", post(#"{"tags": ["a", null], "id": 42.0}"#),
      not: post(#"{"id": 42, "tags": [null, "a"]}"#)),
    row(
      hasJSONBody(containing: ["user": ["id": 1]]), "hasJSONBody(containing",
      post(#"{"page": 2, "user": {"name": "Ann", "id": 1}}"#), not: post(#"{"user": {"id": true}}"#)),
    row(
      hasJSON(at: "users[0].name", equals: "Ann"), "hasJSON(at", post(#"{"users": [{"name": "Ann"}]}"#),
      not: post(#"{"users": [{"name": "Ben"}, {"name": "Ann"}]}"#)),
    row(
      hasJSONBody(as: Login.self) { $0.attempts > 1 }, "hasJSONBody(as", post(#"{"attempts": 2}"#),
      not: post(#"{"attempts": "2"}"#)),
    row(
      hasFormBody(["note": "", "user": "ann"]), "hasFormBody", post("user=ann&note="), not: post("user=ann&note=&a=1")),
    row(
      hasMultipartPart(named: "avatar", contentType: "image/png"), "hasMultipartPart", multipart,
      not: post("", type: "multipart/form-data; boundary=b")),
    row(
      isGraphQL(operation: "GetUser"), "isGraphQL", post(#"{"query": "query GetUser { a }"}"#),
      not: post(#"{"operationName": "A", "query": "query GetUser { a } query A { a }"}"#)),
  ]

  private static func row(
    _ matcher: RequestMatcher, _ measured: String, _ matching: URLRequest, not other: URLRequest
  ) -> MatcherRow { MatcherRow(matcher, measured, matching, not: other) }

  private static func plain(_ url: String) -> URLRequest { URLRequest(url: URL(string: url)!) }

  private static func get(_ path: String, method: String = "GET") -> URLRequest {
    var request = URLRequest(url: address(path))
    request.httpMethod = method
    return request
  }

  private static func get(_ path: String, _ header: String, _ value: String) -> URLRequest {
    var request = get(path)
    request.setValue(value, forHTTPHeaderField: header)
    return request
  }

  private static func post(_ body: String, type: String = "application/json") -> URLRequest {
    var request = get("/", method: "POST")
    request.setValue(type, forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    return request
  }
}

@Suite("The tables of the guide to matching", .inTurn)
struct MatchingRequestsTables {
  private let page = Page.guide("MatchingRequests")

  @Test("name matchers as they print, and that match what they should", arguments: MatcherRow.all)
  func matchers(row: MatcherRow) {
    #expect(page.text.contains("\n| [`\(row.matcher)`](<doc:"))
    #expect(row.matcher.matches(row.matching))
    #expect(!row.matcher.matches(row.other))
  }

  @Test("have no entry but these")
  func all() {
    let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| [`") }
    // A path below the base URL of a group does nothing outside of one.
    #expect(rows.filter { !$0.hasPrefix("| [`isSubpath(") }.count == MatcherRow.all.count)
  }

  @Test("have matchers that the benchmarks measure, and leave the costs to the page of promises")
  func costs() throws {
    let rows = Page.promises.table(after: "| Matcher |").map(\.[0])
    for row in MatcherRow.all { #expect(rows.contains { $0.hasPrefix("`\(row.measured)") }, "\(row.measured)") }
    #expect(!page.text.contains(#/[0-9] (ns|µs)\b/#) && !page.text.contains("nanosecond"))
  }
}
