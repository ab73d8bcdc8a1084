import Foundation
import StubKit
import TestSupport
import Testing

/// What each matcher says to each kind of wrong text, for each of its texts. A text that is no mistake matches a
/// request that carries it, if one can.
@Suite("A text of a matcher", .inTurn)
struct TextsOfMatchersTests {
  static let texts = [
    "", "  ", " a", "a ", "a b", "a\u{7}b", "a\nb", "a\0b", "https://a.example/b", "%61", "a=b", "?a", "#a", "a/b",
    "é🎈", String(repeating: "a", count: 10_000), "*", "a/*/b", ":a/b", "{a}", "{a}.b/", "a/../b", "./",
  ]

  typealias Row = (
    name: String, matcher: @Sendable (String) -> RequestMatcher, request: @Sendable (String) -> URLRequest
  )

  private static func url(_ text: String) -> URLRequest {
    URLRequest(url: URL(string: text) ?? URL(string: "http://b/")!)
  }
  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed)!
  }
  private static func path(_ path: String) -> URLRequest {
    url("http://a" + path.pieces(at: "/").map { encoded(String($0)) }.joined(separator: "/"))
  }
  private static func query(_ name: String, _ value: String) -> URLRequest {
    url("http://a?\(escaped(name))=\(escaped(value))")
  }
  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
  }
  private static func header(_ name: String, _ value: String) -> URLRequest {
    request("http://a", headers: [name: value])
  }
  private static func part(_ name: String, _ more: String = "") -> URLRequest {
    let name = name.replacing("\n", with: "%0A").replacing("\"", with: "%22")
    return post(
      "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\r\n--x--",
      contentType: "multipart/form-data; boundary=x")
  }
  private static func method(_ method: String) -> URLRequest { request("http://a", method: method) }

  private static func subpath(_ path: String) -> RequestMatcher {
    var matcher = RequestMatcher.nothing
    stubs(on: isUnder("http://a/v1"), in: StubRegistry()) { matcher = isSubpath(path) }
    return matcher
  }

  private static let table: [Row] = [
    ("isMethod(TEXT)", { isMethod($0) }, method),
    (#"RequestMatcher(StubMethod(TEXT), "/")"#, { RequestMatcher(StubMethod($0), "/") }, method),
    ("isScheme(TEXT)", { isScheme($0) }, { url("\($0)://a") }),
    ("isHost(TEXT)", { isHost($0) }, { url("http://\(encoded($0))/") }),
    ("hostEndsWith(TEXT)", { hostEndsWith($0) }, { url("http://\(encoded($0))/") }),
    ("isPath(TEXT)", { isPath($0) }, path),
    (#"isPath("/" + TEXT)"#, { isPath("/" + $0) }, { path("/" + $0) }),
    ("pathStartsWith(TEXT)", { pathStartsWith($0) }, { url(encoded($0)) }),
    (#"pathStartsWith("/" + TEXT)"#, { pathStartsWith("/" + $0) }, { path("/" + $0 + "x") }),
    ("pathEndsWith(TEXT)", { pathEndsWith($0) }, { path("/x" + $0) }),
    ("isExtension(TEXT)", { isExtension($0) }, { path("/x" + ($0.isEmpty ? "" : ".") + $0) }),
    ("isPath(template: TEXT)", { isPath(template: $0) }, path),
    (#"isPath(template: "/{id}/" + TEXT)"#, { isPath(template: "/{id}/" + $0) }, { path("/1/" + $0) }),
    ("isSubpath(TEXT)", subpath, { path("/v1/" + $0) }),
    (#"pathEndsWith("/" + TEXT)"#, { pathEndsWith("/" + $0) }, { path("/x/" + $0) }),
    (#"isURL("http://a/" + TEXT)"#, { isURL("http://a/" + $0) }, { url("http://a/" + $0) }),
    (#"isURL("http://" + TEXT + "/b")"#, { isURL("http://" + $0 + "/b") }, { url("http://" + $0 + "/b") }),
    (#"isUnder("http://a/" + TEXT)"#, { isUnder("http://a/" + $0) }, { url("http://a/" + $0) }),
    (#"isAbsoluteURLString("http://a/" + TEXT)"#, { isAbsoluteURLString("http://a/" + $0) }, { url("http://a/" + $0) }),
    (
      #"RequestMatcher(.get, "http://a/" + TEXT)"#, { RequestMatcher(.get, "http://a/" + $0) },
      { url("http://a/" + $0) }
    ),
    (
      #"RequestMatcher(.get, "http://" + TEXT + "/b")"#, { RequestMatcher(.get, "http://" + $0 + "/b") },
      { url("http://" + $0 + "/b") }
    ),
    (#"isURL("http://a/?q=" + TEXT)"#, { isURL("http://a/?q=" + $0) }, { url("http://a/?q=" + $0) }),
    ("isAbsoluteURLString(TEXT)", { isAbsoluteURLString($0) }, { url($0) }),
    ("isURL(TEXT)", { isURL($0) }, { url($0) }),
    ("isUnder(TEXT)", { isUnder($0) }, { url($0) }),
    ("RequestMatcher(.get, TEXT)", { RequestMatcher(.get, $0) }, { url($0) }),
    (#"RequestMatcher(.get, "/x" + TEXT)"#, { RequestMatcher(.get, "/x" + $0) }, { url("http://a/x" + $0) }),
    ("containsQuery(TEXT)", { containsQuery($0) }, { query($0, "1") }),
    ("lacksQuery(TEXT)", { lacksQuery($0) }, { _ in url("http://a/?x") }),
    (#"containsQuery(TEXT, "1")"#, { containsQuery($0, "1") }, { query($0, "1") }),
    (#"containsQuery("q", TEXT)"#, { containsQuery("q", $0) }, { query("q", $0) }),
    (#"containsQuery([TEXT: "1"])"#, { containsQuery([$0: "1"]) }, { query($0, "1") }),
    (#"hasExactQuery(["q": TEXT])"#, { hasExactQuery(["q": $0]) }, { query("q", $0) }),
    (#"queryMatches(TEXT, "1")"#, { queryMatches($0, "1") }, { query($0, "1") }),
    (#"queryMatches("q", TEXT)"#, { queryMatches("q", $0) }, { query("q", $0) }),
    ("pathMatches(TEXT)", { pathMatches($0) }, { path("/" + $0) }),
    ("urlMatches(TEXT)", { urlMatches($0) }, { url("http://a/" + $0) }),
    ("hasHeader(TEXT)", { hasHeader($0) }, { header($0, "1") }),
    ("lacksHeader(TEXT)", { lacksHeader($0) }, { _ in url("http://a/?x") }),
    (#"hasHeader(TEXT, "1")"#, { hasHeader($0, "1") }, { header($0, "1") }),
    (#"hasHeader("X", TEXT)"#, { hasHeader("X", $0) }, { header("X", $0) }),
    (#"headerMatches(TEXT, "1")"#, { headerMatches($0, "1") }, { header($0, "1") }),
    ("hasCookie(TEXT)", { hasCookie($0) }, { header("Cookie", "a=b; \($0)=1") }),
    (#"hasCookie(TEXT, "1")"#, { hasCookie($0, "1") }, { header("Cookie", "a=b; \($0)=1") }),
    (#"hasCookie("a", TEXT)"#, { hasCookie("a", $0) }, { header("Cookie", "a=\($0)") }),
    (
      #"hasBearerToken("t" + TEXT)"#, { hasBearerToken("t" + $0) }, { header("Authorization", "Bearer t\($0)") }
    ),
    ("bodyContains(TEXT)", { bodyContains($0) }, { post($0) }),
    (#"hasFormBody([TEXT: "1"])"#, { hasFormBody([$0: "1"]) }, { post("\(escaped($0))=1") }),
    (#"hasFormBody(["q": TEXT])"#, { hasFormBody(["q": $0]) }, { post("q=\(escaped($0))") }),
    ("hasMultipartPart(named: TEXT)", { hasMultipartPart(named: $0) }, { part($0) }),
    (
      #"hasMultipartPart(named: "x", contentType: TEXT)"#, { hasMultipartPart(named: "x", contentType: $0) },
      { part("x", "\r\nContent-Type: \($0)") }
    ),
    (
      "hasJSON(at: TEXT, equals: 1)", { hasJSON(at: $0, equals: 1) },
      { path in
        let json =
          path.isEmpty ? 1 : path.pieces(at: ".").reversed().reduce(1 as JSONValue) { .object([String($1): $0]) }
        return post("\(json)")
      }
    ),
    (
      "isGraphQL(operation: TEXT)", { isGraphQL(operation: $0) },
      { post("query \($0) { a }", contentType: "application/graphql") }
    ),
  ]

  /// `Fixtures/texts-of-matchers.txt` has a section for each row, with what its mistake says to which text.
  @Test("is a mistake if it most likely means something else")
  func verdicts() throws {
    let sections = try sectionsOfFile("texts-of-matchers")
    #expect(Set(sections.keys) == Set(Self.table.map(\.name)))
    for row in Self.table {
      var expected: [Substring: Substring] = [:]
      for line in sections[row.name, default: ""].split(separator: "\n") {
        guard let colon = line.firstRange(of: ": ") else { continue }
        for text in line[colon.upperBound...].split(separator: ", ") { expected[text] = line[..<colon.lowerBound] }
      }
      for text in Self.texts {
        let name = text.count > 100 ? #"10,000 times "a""# : text.debugDescription
        let (matcher, sentence) = (row.matcher(text), expected[Substring(name)] ?? "nothing: the text is missing")
        let comment: Comment = """
          \(row.name) with \(name) must say \(sentence), and says \((matcher.mistake ?? "no mistake").prefix(200))
          """
        guard sentence.hasPrefix("no mistake") else {
          let hasCure = ["write ", "Write ", "Add "].contains { matcher.mistake?.contains($0) == true }
          #expect(matcher.mistake?.contains(sentence) == true && hasCure, comment)
          continue
        }
        let isMatch = matcher.matches(row.request(text))
        #expect(matcher.mistake == nil && isMatch == (sentence == "no mistake"), comment)
      }
    }
  }

  @Test("is reported with two sides that differ, beside a request that has another one")
  func sides() {
    let texts = Self.texts.filter { $0.utf8.count < 100 }
    for row in Self.table {
      for (place, text) in texts.enumerated() {
        let registry = StubRegistry()
        let matcher = row.matcher(text)
        guard matcher.mistake == nil else { continue }
        stub(condition: matcher, response: .ok, in: registry)
        for other in texts[max(0, place - 2)..<min(texts.count, place + 3)] where row.matcher(other).mistake == nil {
          for mismatch in registry.explain(row.request(other)).candidates.flatMap(\.mismatches) {
            #expect(mismatch.expected != mismatch.actual, "\(matcher), \(other.debugDescription): \(mismatch)")
          }
        }
      }
    }
  }
}

@Suite("The sentence about a mistake", .inTurn)
struct MistakeSentenceTests {
  static let matchers: [RequestMatcher] = [
    isScheme("https:"), isHost("ann@a.example"), isHost("a.example:80"), hostEndsWith(".com:80"), isHost("[::1]:80"),
    isHost("*.example.com"), isHost("api.*"), isMethod("patch"), isMethod("PropFind"), isUnder("file:///users"),
    isUnder(URL(string: "https://a.example/v1?k=1")!), isAbsoluteURLString("/users"), isURL("a.example/users"),
    isPath(template: "/users/{id"), isPath(template: "/users/id}"), isPath(template: "/users/{i{d}"),
    isPath(template: "/users/{}"), isPath(template: "/users/{id}/{id}"), isPath(template: "/users/{a}{b}"),
    isPath(template: "/{id}/{a:(?<id>x)}"), isPath(template: "/{rest...}/x"), isPath(template: "/v{rest...}"),
    isPath(template: "/{...}"), isPath(template: "/{a?}"), isPath(template: "/{rest...:[a-z]}"),
    isPath(template: "/v2/:id"), isPath(template: "/v1/{name=**}"), isPath(template: "/{id}/*"),
    isPath(template: "/a%20b/{id}"), isPath(template: "https://a.example/{id}"),
    hasJSONBody(#"{"id": 1}"#), hasJSONBody(containing: "[]"), hasJSON(at: "a[0", equals: 1),
    hasJSON(at: "a/b", equals: 1), isPath("v2/notes"), pathStartsWith("v1/"), isPath("/v2/{id}"),
    isPath("/users/:id"), isPath("/users/*"), pathStartsWith("/api/*"), pathEndsWith("/{id}"), isPath("/a%20b"),
    pathEndsWith("%20b"), isPath("/a%3Fb"), isPath("https://a.example/users"), isPath("/users?page=2"),
    isPath("/users/Optional(42)"), pathMatches("^/users/$"), isURL("https://a.example/users/{id}"),
    isURL("https://api.example.com/users/*"), isURL("https://api.example.com/users/:id"),
    isUnder("https://api.example.com/v1/*"), isURL("https://a.example/?page={n}"),
    isAbsoluteURLString("https://a.example/:id"), RequestMatcher(.get, "/users?page={n}"),
    RequestMatcher(.get, "https://a.example/:id"), RequestMatcher(.get, "users"), containsQuery("page=2"),
    containsQuery("?page=2&sort"), containsQuery("&page"), lacksQuery("page=2"), queryMatches("page=", "2"),
    containsQuery("q", "a%20b"), hasExactQuery(["caf%C3%A9": nil]), hasFormBody(["q": "a%20b"]),
    hasHeader("X-Id", "Optional(4)"), pathMatches(#"^/users/(?<user_id>\d+)$"#), urlMatches(#"(?P<id>\d+)"#),
    pathMatches("(?'id'x)"), queryMatches("q", #"(?<1>\d+)"#), isPath(template: "/{id:(?<user_id>x)}"),
  ]

  /// The sentences are in `Fixtures/mistakes.txt`, one a line.
  @Test("is carried by the matcher, with what to write instead")
  func sentence() throws {
    let file = try #require(Bundle.module.url(forResource: "Fixtures/mistakes", withExtension: "txt"))
    let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let sentences = Self.matchers.map { $0.mistake?.replacing("\n", with: "\\n") ?? "no mistake" }
    #expect(sentences.map { Substring($0) }.difference(from: expected).isEmpty)
    // These tell also what Foundation says.
    let pattern = isPath(template: "/users/{id:[0-9}").mistake
    #expect(pattern?.contains(#"has {id:[0-9}, and "[0-9" is not a regular expression"#) == true)
    #expect(hasJSONBody(Double.infinity).mistake?.contains("can't encode its value") == true)
  }
}
