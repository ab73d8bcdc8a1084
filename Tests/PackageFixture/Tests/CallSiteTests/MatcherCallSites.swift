import Foundation
import StubKit
import StubKitOHHTTPStubs

func matchers() {
  _ = isHost("a") && { $0.httpMethod == "GET" } && isPath("/b") || { $0.url == nil } && !isHost("c")
  stub(
    condition: isMethod(.post) && isHost("api.example.com") && pathStartsWith("/v1") && containsQuery("page", "2")
      && hasHeaderNamed("Accept", value: "application/json")
      && hasJSONBody(["user": ["id": 1, "tags": ["a", 2, nil]], "ok": true]) && !hasCookie("session")
      && { $0.timeoutInterval > 3 } && (isPort(80) || isPort(443)) && !(isScheme("http") || isScheme("ftp")),
    response: .json(["ok": true, "items": [1, 2, 3]]), name: "big")
  let base = URL(string: "https://api.example.com/v1")!
  let matchers: [RequestMatcher] = [
    containsQuery("a"), containsQuery(["a": nil, "b": "", "c": "x"]), hasExactQuery([:]), !containsQuery("x"),
    pathMatches("^/a/\\d+$", options: .caseInsensitive), pathMatches(try! NSRegularExpression(pattern: "a")),
    headerMatches("A", "^b"), !hasHeader("x"), hasCookie("a", "b"), hasBaseURL(base), isLoopback(),
    isURL("https://api.example.com/v1/users?page=2") && isMethod(.get) || isURL(base.appendingPathComponent("users")),
    hasBaseURL("https://api.example.com/v1") && !hasBaseURL(base) && { $0.timeoutInterval > 3 },
    urlMatches("^https://(?<host>[^/]+)/"), urlMatches("A", options: .caseInsensitive), hasBearerToken("t"),
    queryMatches("page", "^[0-9]+$"), queryMatches("q", "a", options: [.caseInsensitive]), hasBearerToken(),
    hasBasicAuth(user: "u", password: "p"), .matching { $0.timeoutInterval < 5 }, .matching("old") { $0.url == nil },
    hasBody(Data("x".utf8)), bodyContains("x"), hasJSONBody(containing: ["a": 1]), hasJSONBody([1, 2, "x"]),
    hasJSON(at: "a.b[0].c", equals: 1), hasJSON(at: "a", equals: nil), hasJSON(at: "a", equals: ["x", 1]),
    hasFormBody(["a": "b", "c": nil]), hasFormBody(containing: ["a": "b"]), isGraphQL(operation: "GetUser"),
    hasFormBody(URLQueryItem(name: "a", value: "b"), URLQueryItem(name: "a", value: "c")),
    hasMultipartPart(named: "file", filename: "a.png", contentType: "image/png", value: "x"),
    pathMatches(#/users/#) && urlMatches(#/^https://(?<host>.+)/#) && queryMatches("page", #/\d+/#),
    headerMatches("Accept", #/json/#.ignoresCase()), hasMultipartPart(named: "file", contentType: "image/png"),
  ]
  stub(condition: isPath(template: "/users/{id:[0-9]+}/{rest...}")) { _, match in
    .json(["id": StubJSON(match["id", as: Int.self] ?? 0), "rest": "\(match["rest"] ?? "")"])
  }
  stub(condition: isPath("/login") && hasJSONBody(as: User.self) { $0.name == "ann" }, response: .status(204))
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  _ = hasJSONBody(as: [User].self, decoder: decoder) { users in users.contains { $0.id == 1 } } || !isMethod(.post)
  stub(condition: isPath("/search")) { request in
    .json([
      "page": StubJSON(request.sent.query["page"] ?? "1"), "items": StubJSON(request.sent.queryItems.count),
      "user": StubJSON(request.sent.formItems?.first?.value ?? ""), "body": try request.sent.json(),
    ])
  }
  let request = URLRequest(url: URL(string: "http://x")!)
  _ = (matchers[0].matches(request), isHost("x")(request), "\(isHost("x"))")
  let admin = RequestMatcher("is admin") { $0.value(forHTTPHeaderField: "X-Role") == "admin" }
  _ = admin && isHost("x")
  #if swift(>=6)
    let asBlock: HTTPStubsTestBlock = isHost("x").matches
  #else
    // Swift 5 warns that the reference isn't known to be sendable.
    let asBlock: HTTPStubsTestBlock = { isHost("x").matches($0) }
  #endif
  let old: HTTPStubsTestBlock = { request in request.url?.host == "x" }
  _ = [old && asBlock, old && isHost("y"), !old || isHost("z"), old && old || !old]
  stub(condition: old) { _ in .status(204) }
  stub(condition: asBlock, response: .status(204))
}
