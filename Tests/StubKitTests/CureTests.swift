import Foundation
import StubKit
import TestSupport
import Testing

/// Each cure that a sentence names is applied: it is no mistake, and matches the request that the slip meant.
@Suite("The cure for a mistake", .inTurn)
struct CureTests {
  private struct Row: Sendable {
    let slip: RequestMatcher
    /// The cure as the sentence writes it.
    let text: String
    let cure: RequestMatcher
    let request: URLRequest

    /// A cure that prints as it is written.
    init(_ slip: RequestMatcher, _ cure: RequestMatcher, _ request: URLRequest) {
      self.init(slip, "\(cure)", cure, request)
    }

    init(_ slip: RequestMatcher, _ cure: RequestMatcher, _ address: String) {
      self.init(slip, cure, URLRequest(url: url(address)))
    }

    init(_ slip: RequestMatcher, _ text: String, _ cure: RequestMatcher, _ request: URLRequest) {
      (self.slip, self.text, self.cure, self.request) = (slip, text, cure, request)
    }
  }

  private static let paths: [Row] = [
    Row(isPath("/a%20b"), isPath("/a b"), "http://a/a%20b"),
    Row(isPath("/a%20b"), pathMatches("^/a%20b$"), "http://a/a%2520b"),
    Row(pathMatches("/$"), urlMatches("^[^?#]*/([?#]|$)"), "http://a/users/"),
    Row(pathMatches("^/users/$"), urlMatches("^[^/]*//[^/]*/users/([?#]|$)"), "http://a/users/?page=1"),
    Row(pathMatches("\\A/users/$"), urlMatches("^[^/]*//[^/]*/users/([?#]|$)"), "http://a/users/"),
    Row(pathMatches(#/^\/[a-z]+\/$/#), urlMatches("^[^/]*//[^/]*/[a-z]+/([?#]|$)"), "http://a/users/"),
    // What they decode to is no path that isPath takes.
    Row(isPath("/a%3Fb"), pathMatches("^/a[?]b$"), "http://a/a%3Fb"),
    Row(isPath("/a%23b"), pathMatches("^/a#b$"), "http://a/a%23b"),
    Row(isPath("/a%2Ab"), pathMatches("^/a[*]b$"), "http://a/a*b"),
    Row(isPath("/%3Aid"), pathMatches("^/:id$"), "http://a/:id"),
    Row(isPath("/%7Bid%7D"), pathMatches("^/[{]id[}]$"), "http://a/%7Bid%7D"),
    Row(isPath("/a%20"), pathMatches("^/a $"), "http://a/a%20"),
    Row(isPath("/a%2520b"), pathMatches("^/a%20b$"), "http://a/a%2520b"),
    Row(isPath("/a%5B%5D%5E%5C(x)"), isPath(#"/a[]^\(x)"#), "http://a/a%5B%5D%5E%5C(x)"),
    Row(isPath("/*[]^"), pathMatches(#"^/[*]\[\]\^$"#), "http://a/*%5B%5D%5E"),
    Row(pathStartsWith("/a%3F"), pathMatches("^/a[?]"), "http://a/a%3Fb"),
    Row(pathEndsWith("%3Fb"), pathMatches("[?]b$"), "http://a/a%3Fb"),
    Row(isPath("/v1/{}"), isPath(template: "/v1/{name}"), "http://a/v1/7"),
    Row(isPath("/v1/{id}/{id}"), isPath(template: "/v1/{id}/{id2}"), "http://a/v1/7/8"),
    Row(isPath("/v1/{id}"), pathMatches("^/v1/[{]id[}]$"), "http://a/v1/%7Bid%7D"),
    Row(isPath("v1/{id}"), isPath(template: "/v1/{id}"), "http://a/v1/7"),
    Row(pathStartsWith("/users/{id}"), isPath(template: "/users/{id}/{path...}"), "http://a/users/7/x"),
    Row(pathStartsWith("/users/{id}/"), isPath(template: "/users/{id}/{path...}"), "http://a/users/7/x"),
    Row(pathEndsWith("/{id}.png"), isPath(template: "/files/{id}.png"), "http://a/files/7.png"),
    Row(isPath("/users/*"), isPath(template: "/users/{name}"), "http://a/users/7"),
    Row(isPath("/users/*"), pathMatches("^/users/[*]$"), "http://a/users/*"),
    Row(isPath("/*/x/*"), isPath(template: "/{name}/x/{name2}"), "http://a/1/x/2"),
    Row(isPath("/files/**"), isPath(template: "/files/{path...}"), "http://a/files/a/b"),
    Row(isPath("/:id/x/:id"), isPath(template: "/{id}/x/{id2}"), "http://a/1/x/2"),
    Row(isPath("/:user/posts/:userPost"), isPath(template: "/{user}/posts/{userPost}"), "http://a/1/posts/2"),
    Row(isPath(#"/:id(\d+).json"#), isPath(template: "/{id}"), "http://a/7"),
    Row(isPath("/:id.json"), isPath(template: "/{id}.json"), "http://a/7.json"),
    Row(isPath("users/*"), isPath(template: "/users/{name}"), "http://a/users/7"),
    Row(pathStartsWith("/api/*"), isPath(template: "/api/{name}/{path...}"), "http://a/api/1/2"),
    Row(pathEndsWith("*.png"), pathEndsWith(".png"), "http://a/x.png"),
    Row(isPath("https://a.example/b"), isURL("https://a.example/b"), "https://a.example/b"),
    Row(
      isPath("https://a.example/users/{id}"),
      isUnder("https://a.example") && isPath(template: "/users/{id}"), "https://a.example/users/7"),
    Row(
      isPath("https://a.example/users/*"),
      isUnder("https://a.example") && isPath(template: "/users/{name}"), "https://a.example/users/7"),
    Row(
      isPath(template: "https://a.example/users/{id}"),
      isUnder("https://a.example") && isPath(template: "/users/{id}"), "https://a.example/users/7"),
    Row(isPath("users"), isPath("/users"), "http://a/users"),
    Row(
      isPath("api.example.com/users"), isHost("api.example.com") && isPath("/users"), "http://api.example.com/users"),
    Row(
      isPath(template: "api.example.com/users/{id}"),
      isHost("api.example.com") && isPath(template: "/users/{id}"), "http://api.example.com/users/7"),
    Row(isPath("^/users"), pathMatches("^/users"), "http://a/users/7"),
    Row(isPath("^users"), pathMatches("^/users"), "http://a/users/7"),
    Row(isPath("/a/../b"), isPath("/b"), "http://a/b"), Row(isPath("./b"), isPath("/b"), "http://a/b"),
    Row(isPath(" users "), isPath("/users"), "http://a/users"),
    Row(isPath("/users "), pathMatches("^/users $"), "http://a/users%20"),
    Row(isPath(template: " /users/{id}"), isPath(template: "/users/{id}"), "http://a/users/7"),
    Row(isExtension("..png"), isExtension("png"), "http://a/x.png"),
    Row(isExtension("%70ng"), isExtension("png"), "http://a/x.png"),
    Row(pathStartsWith(""), isPath("/"), "http://a/"), Row(pathEndsWith("/"), isPath("/"), "http://a/"),
  ]

  private static let parts: [Row] = [
    Row(isHost(".example.com"), hostEndsWith(".example.com"), "http://api.example.com/"),
    Row(isHost("*.example.com"), hostEndsWith(".example.com"), "http://api.example.com/"),
    Row(isHost(" a.example "), isHost("a.example"), "http://a.example/"),
    Row(isHost("a%2Dexample.com"), isHost("a-example.com"), "http://a-example.com/"),
    Row(isHost("%2A.example.com"), isHost("api.example.com"), "http://api.example.com/"),
    Row(isScheme("https:"), isScheme("https"), "https://a/"),
    Row(isMethod(""), isMethod("GET"), "http://a/"), Row(isMethod("GET "), isMethod("GET"), "http://a/"),
    Row(isMethod("patch"), isMethod("PATCH"), request("http://a/", method: "PATCH")),
    Row(
      isAbsoluteURLString("/users"), isAbsoluteURLString("https://api.example.com/users"),
      "https://api.example.com/users"),
    Row(isURL("users"), isURL("https://api.example.com/users"), "https://api.example.com/users"),
    Row(isURL(" https://a.example/x "), isURL("https://a.example/x"), "https://a.example/x"),
    Row(lacksQuery("page=2"), lacksQuery("page"), "http://a/?size=3"),
    Row(containsQuery("page=2"), containsQuery("page", "2"), "http://a/?page=2"),
    Row(containsQuery("page=2&sort"), containsQuery("page", "2"), "http://a/?page=2"),
    Row(containsQuery("?page=2&sort"), containsQuery("page", "2"), "http://a/?page=2"),
    Row(containsQuery(" q=a%20b"), containsQuery("q", "a b"), "http://a/?q=a%20b"),
    Row(containsQuery("??page"), containsQuery("page"), "http://a/?page=1"),
    Row(containsQuery(" page"), containsQuery("page"), "http://a/?page=1"),
    Row(containsQuery("q", "a%20b"), containsQuery("q", "a b"), "http://a/?q=a%20b"),
    Row(hasHeader(""), hasHeader("Accept"), request("http://a/", headers: ["Accept": "x"])),
    Row(hasHeader("X", " a"), hasHeader("X", "a"), request("http://a/", headers: ["X": "a"])),
    Row(
      hasBearerToken("Bearer abc"), hasBearerToken("abc"),
      request("http://a/", headers: ["Authorization": "Bearer abc"])),
    Row(hasBearerToken(""), hasBearerToken(), request("http://a/", headers: ["Authorization": "Bearer abc"])),
    Row(hasFormBody(["q": "a%20b"]), hasFormBody(["q": "a b"]), post("q=a%20b")),
    Row(bodyContains(""), "hasBody(Data())", hasBody(Data()), post("")),
    Row(
      isGraphQL(operation: "query GetUser { a }"), isGraphQL(operation: "GetUser"),
      post("query GetUser { a }", contentType: "application/graphql")),
    Row(hasJSON(at: " a", equals: 1), hasJSON(at: "a", equals: 1), post(#"{"a":1}"#)),
  ]

  private static let forms: [Row] = [
    Row(
      RequestMatcher(.get, "/:id/x/:id"), #"stub(.get, "/{id}/x/{id2}")"#, RequestMatcher(.get, "/{id}/x/{id2}"),
      request("http://a/1/x/2")),
    Row(
      RequestMatcher(.get, "https://a.example/*"), #"stub(.get, "https://a.example/{name}")"#,
      RequestMatcher(.get, "https://a.example/{name}"), request("https://a.example/7")),
    Row(
      RequestMatcher(.get, "users"), #""https://api.example.com/users""#,
      RequestMatcher(.get, "https://api.example.com/users"), request("https://api.example.com/users")),
    Row(RequestMatcher(.get, "users"), #""/users""#, RequestMatcher(.get, "/users"), request("http://a/users")),
    Row(
      RequestMatcher(.get, "api.example.com/users"), #""https://api.example.com/users""#,
      RequestMatcher(.get, "https://api.example.com/users"), request("https://api.example.com/users")),
    Row(
      RequestMatcher(.get, "localhost:80/users"), #""http://localhost:80/users""#,
      RequestMatcher(.get, "http://localhost:80/users"), request("http://localhost:80/users")),
  ]

  private static let templates: [Row] = [
    template("/files/{path...}/x", "as the last segment", "/files/{path...}", "/files/a/b"),
    template("/files/a{path...}", "alone, as the last segment", "/files/{path...}", "/files/a/b"),
    template("/{a}{b}", "put some text between them", "/{a}-{b}", "/1-2"),
    template("/a/./b", "Write the template without it", "/a/b", "/a/b"),
    template("/a}", "write a placeholder as {name}", "/{a}", "/1"),
    template("/{a", "write a placeholder as {name}", "/{a}", "/1"),
    template("/{a/b}", "write a placeholder as {name}", "/{a}/{b}", "/1/2"),
    template("/{a{b}}", "{name:expression}", "/{a:[0-9]+}", "/12"),
    template("/{a:x{2}", #"a single brace in an expression as \{ or \}"#, #"/{a:x\{2}"#, "/x%7B2"),
    template("/{a:[0-9}", "with a backslash before a literal ( [", #"/{a:\[0-9}"#, "/%5B0-9"),
    template("/users/:id", "write {id}", "/users/{id}", "/users/7"),
    template("/users/*", "write {name} for any text of a segment", "/users/{name}", "/users/7"),
    template("/users/**", "{path...} for the rest of a path", "/users/{path...}", "/users/7/x"),
    template("/users/*", "{name:[*]} for a literal *", "/users/{name:[*]}", "/users/*"),
    template("/a%20b", "write the decoded text", "/a b", "/a%20b"),
    template("/a%20b", "{name:a%20b}", "/{name:a%20b}", "/a%2520b"),
    template("/{id:}", "write {id}", "/{id}", "/7"),
    template("/{}", "write {name}, not {}", "/{name}", "/7"),
    template("/{id}/{id}", "give each placeholder its own name", "/{id}/{id2}", "/7/8"),
    Row(
      isPath(template: "/users?page=1"), "Add containsQuery(…)",
      isPath(template: "/users") && containsQuery("page", "1"),
      request("http://a/users?page=1")),
  ]

  private static func template(_ slip: String, _ text: String, _ cure: String, _ address: String) -> Row {
    Row(isPath(template: slip), text, isPath(template: cure), request("http://a\(address)"))
  }

  private static let json: [Row] = [
    json("user/name", #""user.name""#, "user.name", #"{"user": {"name": 1}}"#),
    json("user/name", #"Pointer "/user/name""#, "/user/name", #"{"user": {"name": 1}}"#),
    json("user/name", #"["user/name"]"#, #"["user/name"]"#, #"{"user/name": 1}"#),
    json("/a~b", "write ~0 for ~", "/a~0b", #"{"a~b": 1}"#),
    json("/a~b", "~1 for /", "/a~1b", #"{"a/b": 1}"#),
    json("$.a.b", #"as in "a.b[0].c""#, "a.b[0].c", #"{"a": {"b": [{"c": 1}]}}"#),
    json("a..b", #"a key with dots as ["a.b"]"#, #"["a.b"]"#, #"{"a.b": 1}"#),
    json("a[b", #"as in "/a/b/0/c""#, "/a/b/0/c", #"{"a": {"b": [{"c": 1}]}}"#),
    Row(hasJSONBody(#"{"id": 1}"#), #"hasJSONBody(["id": 1])"#, hasJSONBody(["id": 1]), post(#"{"id": 1}"#)),
    Row(
      hasJSONBody(#"{"id": 1}"#), #"hasJSON(at: "", equals: …)"#, hasJSON(at: "", equals: #"{"id": 1}"#),
      post(#""{\"id\": 1}""#)),
    Row(
      hasJSON(at: "a", equals: Double.nan), "Write a JSON literal", hasJSON(at: "a", equals: nil),
      post(#"{"a": null}"#)),
  ]

  private static func json(_ slip: String, _ text: String, _ cure: String, _ body: String) -> Row {
    Row(hasJSON(at: slip, equals: 1), text, hasJSON(at: cure, equals: 1), post(body))
  }

  /// What a report says of a request that a condition doesn't match.
  private static let reports: [Row] = [
    accept("application/json", "^application/json", "application/json;q=0.9, text/html"),
    accept("application/json", "[, \t]application/json", "text/html, application/json;q=0.9"),
    accept("application/json", "[, \t]application/json", "text/html,\tapplication/json;q=0.9"),
    accept("application/json", "[, \t]application/json", ",application/json;q=0.9"),
    accept("application/vnd.api+json", "[, \t]application/vnd[.]api[+]json", "text/html,application/vnd.api+json;q=1"),
    Row(
      hasFormBody(["user": "ann"]), "the body is multipart: write hasMultipartPart",
      hasMultipartPart(named: "user", value: "ann"),
      post(
        "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--b--",
        contentType: "multipart/form-data; boundary=b")),
    Row(
      hasJSONBody(Event(at: Date(timeIntervalSince1970: 1_700_000_000))), "for a Date, write hasJSONBody(as:decoder:)",
      hasJSONBody(as: Event.self, decoder: decoder) { $0.at == Date(timeIntervalSince1970: 1_700_000_000) },
      post(#"{"at": "2023-11-14T22:13:20Z"}"#)),
  ]

  private struct Event: Codable { let at: Date }

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  private static func accept(_ slip: String, _ cure: String, _ value: String) -> Row {
    Row(hasHeader("Accept", slip), headerMatches("Accept", cure), request("http://a", headers: ["Accept": value]))
  }

  @Test("is named by a report, and matches its request")
  func reported() {
    for row in Self.reports {
      let report = row.slip.mismatches(row.request).map(\.description).joined()
      #expect(report.contains(row.text), "\(row.slip) should name \(row.text): \(report)")
      #expect(row.cure.mistake == nil && row.cure.matches(row.request), "\(row.cure)")
    }
  }

  @Test("is none itself, and matches what was meant")
  func cures() {
    for row in Self.paths + Self.parts + Self.templates + Self.json + Self.forms {
      let sentence = row.slip.mistake
      #expect(sentence?.contains(row.text) == true, "\(row.slip) should name \(row.text): \(sentence ?? "no mistake")")
      #expect(row.cure.mistake == nil, "\(row.cure)")
      #expect(row.cure.matches(row.request), "\(row.cure)")
      #expect(row.slip.mistake == nil || !row.slip.isMet(by: row.request))
    }
  }

  @Test("fits below a base URL")
  func subpaths() {
    stubs(on: isUnder("http://a.example/v1"), in: StubRegistry()) {
      for (slip, cure, address) in [
        (isSubpath("a%3Fb"), pathMatches("/a[?]b$"), "http://a.example/v1/a%3Fb"),
        (isSubpath("a%20b"), isSubpath("/a b"), "http://a.example/v1/a%20b"),
        (isSubpath("/users/ "), isSubpath("/users/"), "http://a.example/v1/users"),
      ] {
        #expect(slip.mistake?.contains("\(cure)") == true || slip.mistake?.contains("isSubpath(") == true, "\(slip)")
        #expect(cure.mistake == nil && cure.matches(request(address)), "\(cure)")
      }
    }
  }
}
