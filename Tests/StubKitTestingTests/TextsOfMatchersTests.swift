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
    stubs(under: "http://a/v1", in: StubRegistry()) { matcher = RequestMatcher(.any, path) }
    return matcher
  }

  private static let table: [Row] = [
    ("isMethod(TEXT)", { isMethod(StubMethod($0)) }, method),
    (#"RequestMatcher(StubMethod(TEXT), "/")"#, { RequestMatcher(StubMethod($0), "/") }, method),
    ("isScheme(TEXT)", { isScheme($0) }, { url("\($0)://a") }),
    ("isHost(TEXT)", { isHost($0) }, { url("http://\(encoded($0))/") }),
    ("hostEndsWith(TEXT)", { hostEndsWith($0) }, { url("http://\(encoded($0))/") }),
    ("isPath(TEXT)", { isPath($0) }, path),
    (#"isPath("/" + TEXT)"#, { isPath("/" + $0) }, { path("/" + $0) }),
    ("pathStartsWith(TEXT)", { pathStartsWith($0) }, { url(encoded($0)) }),
    (#"pathStartsWith("/" + TEXT)"#, { pathStartsWith("/" + $0) }, { path("/" + $0 + "x") }),
    ("pathEndsWith(TEXT)", { pathEndsWith($0) }, { path("/x" + $0) }),
    ("hasPathExtension(TEXT)", { hasPathExtension($0) }, { path("/x" + ($0.isEmpty ? "" : ".") + $0) }),
    ("isPath(template: TEXT)", { isPath(template: $0) }, path),
    (#"isPath(template: "/{id}/" + TEXT)"#, { isPath(template: "/{id}/" + $0) }, { path("/1/" + $0) }),
    ("stubs(under:) { stub(.any, TEXT) }", subpath, { url("http://a/v1/" + $0) }),
    (#"isURL("http://a/" + TEXT)"#, { isURL("http://a/" + $0) }, { url("http://a/" + $0) }),
    (#"hasBaseURL("http://a/" + TEXT)"#, { hasBaseURL("http://a/" + $0) }, { url("http://a/" + $0) }),
    (
      #"RequestMatcher(.get, "http://a/" + TEXT)"#, { RequestMatcher(.get, "http://a/" + $0) },
      { url("http://a/" + $0) }
    ),
    (
      #"RequestMatcher(.get, "http://" + TEXT + "/b")"#, { RequestMatcher(.get, "http://" + $0 + "/b") },
      { url("http://" + $0 + "/b") }
    ),
    (#"isURL("http://a/?q=" + TEXT)"#, { isURL("http://a/?q=" + $0) }, { url("http://a/?q=" + $0) }),
    ("isAbsoluteURLString(TEXT)", { .absoluteURL($0) }, { url($0) }),
    ("isURL(TEXT)", { isURL($0) }, { url($0) }),
    ("hasBaseURL(TEXT)", { hasBaseURL($0) }, { url($0) }),
    ("RequestMatcher(.get, TEXT)", { RequestMatcher(.get, $0) }, { url($0) }),
    (#"RequestMatcher(.get, "/x" + TEXT)"#, { RequestMatcher(.get, "/x" + $0) }, { url("http://a/x" + $0) }),
    (#"containsQuery(TEXT, "1")"#, { containsQuery($0, "1") }, { query($0, "1") }),
    (#"containsQuery("q", TEXT)"#, { containsQuery("q", $0) }, { query("q", $0) }),
    (#"hasExactQuery(["q": TEXT])"#, { hasExactQuery(["q": $0]) }, { query("q", $0) }),
    (#"queryMatches(TEXT, "1")"#, { queryMatches($0, "1") }, { query($0, "1") }),
    (#"queryMatches("q", TEXT)"#, { queryMatches("q", $0) }, { query("q", $0) }),
    ("pathMatches(TEXT)", { pathMatches($0) }, { path("/" + $0) }),
    ("urlMatches(TEXT)", { urlMatches($0) }, { url("http://a/" + $0) }),
    (#"hasHeader(TEXT, "1")"#, { hasHeader($0, "1") }, { header($0, "1") }),
    (#"hasHeader("X", TEXT)"#, { hasHeader("X", $0) }, { header("X", $0) }),
    (#"headerMatches(TEXT, "1")"#, { headerMatches($0, "1") }, { header($0, "1") }),
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
          path.isEmpty ? 1 : path.pieces(at: ".").reversed().reduce(1 as StubJSON) { .object([String($1): $0]) }
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
          // Each mistake says what to write instead.
          let hasCure = ["write ", "Write ", "Add "].contains { matcher.mistake?.contains($0) == true }
          #expect(matcher.mistake?.contains(sentence) == true && hasCure, comment)
          continue
        }
        #expect(matcher.mistake == nil, comment)
        // The other sentence is "no mistake, and no match": no request can carry the text.
        #expect(matcher.matches(row.request(text)) == (sentence == "no mistake"), comment)
      }
    }
  }

  @Test("is never reported as both expected and actual, for a request that has another text")
  func sides() {
    let texts = Self.texts.filter { $0.utf8.count < 100 }
    for row in Self.table {
      for (place, text) in texts.enumerated() {
        let registry = StubRegistry()
        let matcher = row.matcher(text)
        guard matcher.mistake == nil else { continue }
        stub(condition: matcher, response: .ok, in: registry)
        // The texts before and after it, as all pairs would be too many. Where the matcher accepts the other text
        // too, there is no mismatch to check.
        for other in texts[max(0, place - 2)..<min(texts.count, place + 3)] where row.matcher(other).mistake == nil {
          for mismatch in registry.explain(row.request(other)).candidates.flatMap(\.mismatches) {
            #expect(
              mismatch.expected != mismatch.actual,
              "\(row.name), \(matcher), \(other.debugDescription): \(mismatch)")
          }
        }
      }
    }
  }
}
