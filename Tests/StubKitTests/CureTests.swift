import Foundation
import StubKit
import TestSupport
import Testing

/// The sentence for a mistake says what to write instead, its cure. Each is applied: it is no mistake, and matches the
/// request that the slip meant.
@Suite("What a mistake says to write instead", .inTurn)
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
    Row(pathStartsWith("/a%20"), pathStartsWith("/a "), "http://a/a%20b"),
    Row(pathEndsWith("%20b"), pathEndsWith(" b"), "http://a/a%20b"),
    literally(isPath("/a%20b"), pathMatches("^/a%20b$"), "http://a/a%2520b"),
    // What they decode to is no path that isPath takes.
    literally(isPath("/a%3Fb"), pathMatches("^/a[?]b$"), "http://a/a%3Fb"),
    literally(isPath("/%7Bid%7D"), pathMatches("^/[{]id[}]$"), "http://a/%7Bid%7D"),
    literally(isPath("/v1/{id}"), pathMatches("^/v1/[{]id[}]$"), "http://a/v1/%7Bid%7D"),
    literally(isPath("/users/*"), pathMatches("^/users/[*]$"), "http://a/users/*"),
    Row(isPath("/v1/{id}"), isPath(template: "/v1/{id}"), "http://a/v1/7"),
    Row(isPath("v1/{id}"), isPath(template: "/v1/{id}"), "http://a/v1/7"),
    Row(isPath("/users/*"), isPath(template: "/users/{name}"), "http://a/users/7"),
    Row(isPath("/it's/*"), isPath(template: "/it's/{name}"), "http://a/it's/7"),
    Row(isPath("/*/*"), isPath(template: "/{name}/{name2}"), "http://a/1/2"),
    Row(isPath("/{name}/*"), isPath(template: "/{name}/{name2}"), "http://a/1/2"),
    // A template takes no percent escape, and no brace alone.
    Row(isPath("/a%20b/*"), isPath(template: "/files/{name}"), "http://a/files/7"),
    Row(isPath("/a}/*"), isPath(template: "/files/{name}"), "http://a/files/7"),
    Row(isPath("users/*.png"), isPath(template: "/users/{name}.png"), "http://a/users/7.png"),
    Row(isPath("/files/**"), isPath(template: "/files/{path...}"), "http://a/files/a/b"),
    Row(isPath("/:user/posts/:userPost"), isPath(template: "/{user}/posts/{userPost}"), "http://a/1/posts/2"),
    Row(
      pathStartsWith("/users/{id}"), "{path...} for the rest", isPath(template: "/users/{id}/{path...}"),
      request("http://a/users/7/x")),
    Row(
      pathEndsWith("/{id}.png"), "isPath(template: ", isPath(template: "/files/{id}.png"),
      request("http://a/files/7.png")),
    Row(isPath("https://a.example/b"), "or isURL(…)", isURL("https://a.example/b"), request("https://a.example/b")),
    Row(
      isPath(template: "https://a.example/{id}"), "hasBaseURL(…) for what comes before it",
      hasBaseURL("https://a.example") && isPath(template: "/{id}"), request("https://a.example/7")),
    Row(isPath("users"), isPath("/users"), "http://a/users"),
    Row(
      pathMatches("^/users/$"), "write urlMatches(…)", urlMatches("^[^/]*//[^/]*/users/([?#]|$)"),
      request("http://a/users/")),
    Row(pathMatches(#/^\/[a-z]+\/$/#), "leave it out", pathMatches("^/[a-z]+$"), request("http://a/users/")),
    Row(pathMatches("/(?<user_id>7)"), "write (?<userid>…)", pathMatches("/(?<userid>7)"), request("http://a/users/7")),
    Row(urlMatches("/(?P<id>7)"), "write (?<id>…)", urlMatches("/(?<id>7)"), request("http://a/users/7")),
    // What an Optional in a string interpolation leaves.
    Row(isPath("/users/Optional(42)"), "unwrap the value", isPath("/users/42"), request("http://a/users/42")),
  ]

  private static func literally(_ slip: RequestMatcher, _ cure: RequestMatcher, _ address: String) -> Row {
    Row(slip, "write pathMatches(…)", cure, URLRequest(url: url(address)))
  }

  private static let parts: [Row] = [
    Row(isHost("*.example.com"), hostEndsWith(".example.com"), "http://api.example.com/"),
    Row(isHost("*.example.*"), "write hostEndsWith(…)", hostEndsWith(".com"), request("http://api.example.com/")),
    Row(isHost("api.*"), "write hostEndsWith(…)", hostEndsWith(".example.com"), request("http://api.example.com/")),
    Row(
      hasBaseURL(url("https://a.example/v1?k=1")), "Add containsQuery(…)",
      hasBaseURL("https://a.example/v1") && containsQuery("k", "1"), request("https://a.example/v1/x?k=1")),
    Row(queryMatches("q", "(?<1>7)"), "write (?<name>…)", queryMatches("q", "(?<name>7)"), request("http://a/?q=7")),
    Row(isScheme("https:"), isScheme("https"), "https://a/"),
    Row(isMethod("patch"), #"isMethod("PATCH")"#, isMethod("PATCH"), request("http://a/", method: "PATCH")),
    Row(
      .absoluteURL("/users"), .absoluteURL("https://api.example.com/users"),
      "https://api.example.com/users"),
    Row(isURL("users"), isURL("https://api.example.com/users"), "https://api.example.com/users"),
    Row(containsQuery("page=2"), containsQuery("page", "2"), "http://a/?page=2"),
    Row(containsQuery("?q=a%20b&sort"), containsQuery("q", "a b"), "http://a/?q=a%20b"),
    Row(containsQuery("q", "a%20b"), containsQuery("q", "a b"), "http://a/?q=a%20b"),
    Row(containsQuery("a%20b=it's"), containsQuery("a b", "it's"), "http://a/?a%20b=it's"),
    Row(containsQuery("=2"), containsQuery("page", "2"), "http://a/?page=2"),
    Row(containsQuery("q=a%2541"), containsQuery("page", "2"), "http://a/?page=2"),
    // What it decodes to is a mistake again.
    Row(
      containsQuery("q", "a%2541"), "decoded texts: Where the % itself is escaped, test it in a closure",
      RequestMatcher("q") { $0.url?.query() == "q=a%252541" }, request("http://a/?q=a%252541")),
    Row(hasFormBody(["q": "a%20b"]), hasFormBody(["q": "a b"]), post("q=a%20b")),
    Row(
      RequestMatcher(.get, "/:id/x"), #"stub(.get, "/{id}/x")"#, RequestMatcher(.get, "/{id}/x"),
      request("http://a/1/x")),
    Row(
      RequestMatcher(.get, "https://a.example/*"), #"stub(.get, "https://a.example/{name}")"#,
      RequestMatcher(.get, "https://a.example/{name}"), request("https://a.example/7")),
    Row(
      RequestMatcher(.get, "api.example.com/users"), #""https://api.example.com/users""#,
      RequestMatcher(.get, "https://api.example.com/users"), request("https://api.example.com/users")),
    Row(RequestMatcher(.get, "users"), #""/users""#, RequestMatcher(.get, "/users"), request("http://a/users")),
    Row(
      RequestMatcher(.get, "?page=2"), #"write "https://api.example.com/users" for a URL, or "/?page=2""#,
      RequestMatcher(.get, "/?page=2"), request("http://a/?page=2")),
    stubbing("/it's/*", "/it's/{name}", "/it's/7"), stubbing("/say \"x\"/*", "/say \"x\"/{name}", "/say%20%22x%22/7"),
    stubbing("/a\\b/*", "/a\\b/{name}", "/a%5Cb/7"), stubbing("/a%20b/*", "/a%20b/{name}", "/a%20b/7"),
    stubbing("/x/../v1/*?page=1", "/v1/{name}?page=1", "/v1/7?page=1"),
    stubbing("/*/*", "/{name}/{name2}", "/1/2"), stubbing("/a*b*", "/a{name}b{name2}", "/a1b2"),
    stubbing("/**/x", "/{name}/x", "/1/x"), stubbing("/:id/:id", "/{id}/{id2}", "/1/2"),
    stubbing("/:id(\\d+)/x", "/{id}/x", "/1/x"),
    Row(
      RequestMatcher(.get, "https://*.example.com/users"), #"where: hostEndsWith(".example.com") for the host"#,
      RequestMatcher(.get, "/users", where: hostEndsWith(".example.com")), request("https://api.example.com/users")),
  ]

  private static func stubbing(_ slip: String, _ cure: String, _ address: String) -> Row {
    Row(
      RequestMatcher(.get, slip), "stub(.get, \(cure.debugDescription))", RequestMatcher(.get, cure),
      request("http://a\(address)"))
  }

  /// A URL of any host below a domain, as the host alone says it.
  private static let hosts: [Row] = [
    ("https://*.example.com", { hasBaseURL($0) }, "/users/7"), ("https://*.example.com/users", { isURL($0) }, "/users"),
    ("https://*.example.com:8080/users", { .absoluteURL($0) }, "/users"),
    ("https://{tenant}.example.com/users", { isURL($0) }, "/users"),
  ].map { (url: String, matcher: (String) -> RequestMatcher, path: String) in
    Row(
      matcher(url), #"isPath(…) for the path, and hostEndsWith(".example.com") for the host"#,
      pathStartsWith("/users") && hostEndsWith(".example.com"), request("https://api.example.com\(path)"))
  }

  private static let templates: [Row] = [
    template("/files/{path...}/x", "as the last segment", "/files/{path...}", "/files/a/b"),
    template("/files/a{path...}", "alone, as the last segment", "/files/{path...}", "/files/a/b"),
    template("/{rest...:[a-z]}", "alone, as the last segment", "/{rest...}", "/a/b"),
    template("/v1/{name=**}", "write {name}, not {name=**}", "/v1/{name}", "/v1/7"),
    template("/{id}/{a:(?<id>x)}", "give each placeholder its own name", "/{id}/{a:x}", "/1/x"),
    template("/{a?}", "Add containsQuery(…)", "/{a}", "/1"),
    template("/{a}{b}", "put some text between them", "/{a}-{b}", "/1-2"),
    template("/a}", "write a placeholder as {name}", "/{a}", "/1"),
    template("/{a", "write a placeholder as {name}", "/{a}", "/1"),
    template("/{a/b}", "write a placeholder as {name}", "/{a}/{b}", "/1/2"),
    template("/{a{b}}", "{name:expression}", "/{a:[0-9]+}", "/12"),
    template("/{a:x{2}", #"a single brace in an expression as \{ or \}"#, #"/{a:x\{2}"#, "/x%7B2"),
    template("/{a:[0-9}", "with a backslash before a literal ( [", #"/{a:\[0-9}"#, "/%5B0-9"),
    template("/users/:id", "write {id}", "/users/{id}", "/users/7"),
    template(#"/users/:id(\d+)"#, "write {id}", "/users/{id}", "/users/7"),
    template("/users/:a=b", "write {a}", "/users/{a}", "/users/7"),
    template("/a%20(b)^[c", #"{name:a%20[(]b[)]\^\[c}"#, #"/{name:a%20[(]b[)]\^\[c}"#, "/a%2520(b)%5E%5Bc"),
    template("/users/*", "write {name} for any text of a segment", "/users/{name}", "/users/7"),
    template("/users/**", "{path...} for the rest of a path", "/users/{path...}", "/users/7/x"),
    template("/users/*", "{name:[*]} for a literal *", "/users/{name:[*]}", "/users/*"),
    template("/a%20b", "write the decoded text", "/a b", "/a%20b"),
    template("/a%20b", "{name:a%20b}", "/{name:a%20b}", "/a%2520b"),
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
    json("user/name", "keys with dots", "user.name", #"{"user": {"name": 1}}"#),
    json("user/name", "or a JSON Pointer", "/user/name", #"{"user": {"name": 1}}"#),
    json("user/name", #"a dot or a slash as ["a.b"]"#, #"["user/name"]"#, #"{"user/name": 1}"#),
    json("$.a.b", #"as in "a.b[0].c""#, "a.b[0].c", #"{"a": {"b": [{"c": 1}]}}"#),
    json("a..b", #"a key that has a dot or a slash as ["a.b"]"#, #"["a.b"]"#, #"{"a.b": 1}"#),
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
    accept("a^b", "[, \t]a\\^b", "text/html, a^b;q=0.9"),
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

  /// A call of a matcher with texts, by what stands before the first one.
  private static let calls: [String: @Sendable ([String]) -> RequestMatcher] = [
    "isPath(": { isPath($0[0]) }, "isPath(template: ": { isPath(template: $0[0]) },
    "pathStartsWith(": { pathStartsWith($0[0]) }, "pathEndsWith(": { pathEndsWith($0[0]) },
    "stub(.get, ": { RequestMatcher(.get, $0[0]) }, "isURL(": { isURL($0[0]) }, "hasBaseURL(": { hasBaseURL($0[0]) },
    "isAbsoluteURLString(": { .absoluteURL($0[0]) }, "isScheme(": { isScheme($0[0]) },
    "isHost(": { isHost($0[0]) }, "hostEndsWith(": { hostEndsWith($0[0]) },
    "isMethod(": { isMethod(StubMethod($0[0])) },
    "containsQuery(": { $0.count == 1 ? containsQuery($0[0]) : containsQuery($0[0], $0[1]) },
    "containsQuery([": { containsQuery([$0[0]: nil]) }, "hasExactQuery([": { hasExactQuery([$0[0]: $0[1]]) },
    "hasHeader(": { hasHeader($0[0], $0[1]) },
  ]

  /// The text of a literal, as the compiler reads it.
  private static func text(ofLiteral literal: Substring) -> String {
    String(literal.dropFirst().dropLast()).replacing(#/\\(?:u\{(\w+)\}|(.))/#) { match in
      if let number = match.1, let scalar = UInt32(number, radix: 16).flatMap(Unicode.Scalar.init) {
        return "\(scalar)"
      }
      return ["n": "\n", "r": "\r", "t": "\t", "0": "\0"][match.2 ?? ""] ?? String(match.2 ?? "")
    }
  }

  @Test("leads, after at most four steps, to calls that are no mistake, whatever the text of the first one")
  func odd() {
    let parts = [
      "it's", "say \"x\"", "a\\b", "a\nb", "a\0b", "*", "**", "a*b*c", ":id", ":id(\\d+)", "{id}", "{", "}", "{id:[*]}",
      "a%20b", "a%2541", "%7Bid%7D", "?x=1", "#x", "a=b%20c", "*.example.com", "*.a.*", "é🎈", "http://*/a", "..", "",
    ]
    // A plain run takes one end.
    let ends = TestSize.of(["/*", "/:id", "/%41", "=it's"], inPart: ["/:id"])
    let texts = parts + parts.flatMap { part in ends.map { part + $0 } }
    for (name, call) in Self.calls {
      for text in texts.flatMap({ [$0, "/\($0)", "https://a.example/\($0)", "https://\($0)/*"] }) {
        guard let sentence = call([text, "1"]).mistake else { continue }
        let left = Self.left(by: sentence, of: name)
        #expect(left == nil, "\(sentence)\n\(left ?? "")")
      }
    }
  }

  /// Follows the calls that a mistake says to write, and those that their own mistakes say, because a text can have
  /// several. Returns the last mistake, or `nil` if there is none any more.
  private static func left(by sentence: String, of name: String, steps: Int = 4) -> String? {
    // The call of the slip itself comes first.
    let cures = sentence.dropFirst(name.count).matches(
      of: #/(?:write|as in|or) ((?:\w+\((?:template: |\.get, |\[)?)?)("(?:[^"\\]|\\.)*")(?:[,:] ("(?:[^"\\]|\\.)*"))?/#
    )
    for cure in cures {
      let written = cure.1.isEmpty ? name : String(cure.1)
      guard let matcher = calls[written]?([cure.2, cure.3].compactMap { $0.map(text) }) else { return "\(cure.0)" }
      guard let mistake = matcher.mistake else { continue }
      guard steps > 1 else { return mistake }
      if let left = left(by: mistake, of: written, steps: steps - 1) { return left }
    }
    return nil
  }

  @Test("stands in the mistake or the report, is no mistake itself, and matches the request that was meant")
  func cures() {
    for row in Self.paths + Self.parts + Self.hosts + Self.templates + Self.json + Self.reports {
      let sentence = row.slip.mistake ?? row.slip.mismatches(row.request).map(\.description).joined()
      #expect(sentence.contains(row.text), "\(row.slip) should name \(row.text): \(sentence)")
      // Some rows differ in nothing but the fields of their requests.
      #expect(
        row.cure.mistake == nil && row.cure.matches(row.request),
        "\(row.cure) for \(row.slip), \(row.request.allHTTPHeaderFields ?? [:]): \(row.cure.mistake as Any)")
    }
  }
}
