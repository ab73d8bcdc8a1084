import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a condition captures", .inTurn)
struct CapturesTests {
  private static let templates: [(template: String, path: String, captures: [String: String]?)] = [
    ("/users/{id}", "/users/42", ["id": "42"]),
    ("/users/{id}/posts/{post}", "/users/1/posts/2?q#f", ["id": "1", "post": "2"]),
    ("/users/{id}", "/users", nil),
    ("/users/{id}", "/Users/1", nil),
    ("/users/{id}", "/users/a%2Fb", ["id": "a/b"]),
    ("/users/{id}", "/users/%C3%A9%20x", ["id": "é x"]),
    ("/users/{id}", "/users/%FF", ["id": "%FF"]), ("/é/{id}", "/%C3%A9/1", ["id": "1"]),
    ("/files/{name}.json", "/files/a.b.json", ["name": "a.b"]),
    ("/files/{name}.json", "/files/.json", nil),
    ("/{a}-{b}", "/1-2-3", ["a": "1", "b": "2-3"]),
    ("/", "", [:]),
    ("/{x}", "//a", nil),
    ("/{name}:cancel", "/a:b:cancel", ["name": "a:b"]),
    // A segment matches a place's expression as a whole.
    ("/{name:[^:]+}:cancel", "/a:b:cancel", nil),
    ("/users/{id:[0-9]+}", "/users/%34%32/", ["id": "42"]),
    ("/users/{id:[0-9]+}", "/users/a42", nil),
    ("/{a:x|xy}", "/xy", ["a": "xy"]), ("/{a:[^/]+}/b", "/a%2Fb/b", nil), ("/{a:.+}/b", "/a%2Fb/b", ["a": "a/b"]),
    ("/{a:\\{+}", "/%7B%7B", ["a": "{{"]), ("/{a:[\\}]}", "/%7D", ["a": "}"]), ("/{a:\\\\}", "/%5C", ["a": "\\"]),
    ("/e\u{301}-{n:[0-9]}-\u{E9}", "/e%CC%81-1-%C3%A9", ["n": "1"]),
    ("/{date:[0-9]{4}-[0-9]{2}}-{slug}.html", "/2024-01-a-title.html", ["date": "2024-01", "slug": "a-title"]),
    ("/{a:[0-9]*}.{b}", "/.x", nil),
    ("/{a:(x)(y)}-{b:(z)}+{c}", "/xy-z+w", ["a": "xy", "b": "z", "c": "w"]),
    ("/{a:(.)\\1}", "/xx", ["a": "xx"]),
    ("/{a:(?<year>[0-9]{4})-.*}", "/2024-01", ["a": "2024-01", "year": "2024"]),
    ("/{a:(?i)B}c", "/bc", ["a": "b"]), ("/{a:(?i)B}c", "/bC", nil), ("/{a:b:c}", "/b:c", ["a": "b:c"]),
    // The rest of a path is one or more segments.
    ("/static/{path...}", "/static/a/b%2Fc/", ["path": "a/b/c"]),
    ("/static/{path...}", "/static", nil), ("/static/{path...}", "/static/", nil),
    ("/static/{path...}", "/static//a", ["path": "/a"]),
    ("/{all...}", "/", nil), ("/{all...}/", "/a/b", ["all": "a/b"]),
    ("/{a}/{rest...}", "/%C3%A9/e%CC%81", ["a": "\u{E9}", "rest": "e\u{301}"]),
    // A delimiter before a combining mark is a delimiter.
    ("/\u{301}a/{b}", "/%CC%81a/%CC%81b", ["b": "\u{301}b"]), ("/{a}\u{301}x{b}", "/-%CC%81xy", ["a": "-", "b": "y"]),
    ("/v-{b}/{c}.\u{301}d", "/v-%CC%81b/c.%CC%81d", ["b": "\u{301}b", "c": "c"]),
    ("/{name}.{type}", "/a.%CC%81b", ["name": "a", "type": "\u{301}b"]),
    // U+1004F ends in the bits of the letter O, but is another one: with a macron it is no U+14C.
    ("/{a}-\u{1004F}\u{304}", "/a-%F0%90%81%8F%CC%84", ["a": "a"]), ("/{a}-\u{14C}", "/a-%F0%90%81%8F%CC%84", nil),
  ]

  private static let id = isPath(template: "/u/{id}"), closure = RequestMatcher("closure") { _ in true }
  private static let bearer = "^bearer (?<token>.+)"
  private static let bucket = "^http://(?<bucket>[a-z]+)[.]s3[.].*[?]list-type=(?<type>.)#top$"
  private static let date = "^(?<year>[0-9]{4})-[0-9]{2}-[0-9]{2}$"

  /// Conditions, the host and path of a request with credentials, and what each captures; nil where it does not match.
  private static let others: [(condition: RequestMatcher, url: String, captures: [String: String]?)] = [
    // Of named groups, those that took part.
    (pathMatches("^/(?<kind>\\w+)/(?<id>\\d+)$"), "a/users/42", ["kind": "users", "id": "42"]),
    (pathMatches("(?<id>\\d+)|(?<none>x)"), "a/42", ["id": "42"]), (pathMatches("\\(?<no>|users"), "a/users", [:]),
    // What is escaped, quoted, in a comment or in a class is no group, and neither is a look behind.
    (pathMatches("(?<=/)(?<id>\\d+)"), "a/42", ["id": "42"]),
    (pathMatches("\\Q(?<q>\\E|(?<id>4)"), "a/42", ["id": "4"]), (pathMatches("(4)|\\Q(?<q>"), "a/42", [:]),
    (pathMatches("(?x)(?<id>4) # (?<no>x)"), "a/42", ["id": "4"]), (pathMatches("(4)(?#(?<no>)"), "a/42", [:]),
    (pathMatches("[\\]](?<none>)|(?<id>4)"), "a/42", ["id": "4"]),
    (urlMatches(bucket), "films.s3.a/a%20b?list-type=2#top", ["bucket": "films", "type": "2"]),
    (urlMatches(bucket), "FILMS.s3.a/?list-type=2#top", nil),
    (headerMatches("authorization", bearer, options: .caseInsensitive), "a/", ["token": "abc"]),
    (headerMatches("authorization", bearer), "a/", nil),
    (headerMatches("authorization", /^Bearer (?<token>.+)$/), "a/", ["token": "abc"]),
    (pathMatches(#/^/users/(?<id>\d+)(?:/(?<rest>.+))?$/#), "a/users/42", ["id": "42"]),
    (urlMatches(/^http:\/\/(?<host>[a-z.]+)/), "a.com/x", ["host": "a.com"]),
    (urlMatches(/A\.COM/.ignoresCase()), "a.com/x", [:]),
    // Of a query, each value of the name is looked at.
    (queryMatches("since", date), "a/?since=x&since=2025-12-01&since=2026-01-01", ["year": "2025"]),
    (queryMatches("since", date), "a/?%73ince=2024%2D01-31", ["year": "2024"]),
    (queryMatches("since", date), "a/?since", nil), (queryMatches("since", date), "a/?since=24-01-31", nil),
    (queryMatches("since", date), "a/?Since=2024-01-31", nil),
    (queryMatches("since", /^(?<year>\d{4})/), "a/?since=x&since=2024-01", ["year": "2024"]),
    // Of several conditions, they come from the side that matched.
    (id || isPath(template: "/p/{name}"), "a/p/x", ["name": "x"]),
    (id && isHost("b") || isPath(template: "/{kind}/{x}"), "a/u/1", ["kind": "u", "x": "1"]),
    (id || isHost("a"), "a/u/1", ["id": "1"]),
    // No closure is asked where another side matches without it. A negation captures nothing.
    (id && closure || isHost("a"), "a/u/1", [:]),
    (id && !closure || isHost("a"), "a/u/1", [:]), (!id, "a/x", [:]), (!(!id), "a/u/1", [:]), (id, "a/x", nil),
    (id && pathMatches("(?<digit>\\d)"), "a/u/12", ["id": "12", "digit": "1"]),
    (isPath(template: "/{id}/1") && id, "a/u/1", ["id": "1"]),
  ]

  private static let rows =
    templates.map { (condition: isPath(template: $0.template), url: "a.com\($0.path)", captures: $0.captures) } + others

  @Test("is what stands in its placeholders and named groups")
  func captures() {
    for (condition, url, captures) in Self.rows {
      let request = request("http://\(url)", headers: ["Authorization": "Bearer abc"])
      #expect(condition.captures(request) == captures, "\(condition) \(url)")
    }
  }

  @Test("lets its stub answer if all placeholders and groups are there")
  func answers() {
    for (condition, url, captures) in Self.rows {
      let request = request("http://\(url)", headers: ["Authorization": "Bearer abc"])
      let registry = StubRegistry()
      let stub = stub(condition: condition, response: .status(204), in: registry)
      #expect(registry.answerer(of: request) === (captures == nil ? nil : stub), "\(condition) \(url)")
    }
  }

  @Test("is named in a condition that prints as it is written")
  func description() {
    for template in Self.templates.map(\.template) {
      #expect("\(isPath(template: template))" == "isPath(template: \(template.debugDescription))")
    }
  }

  @Test("doesn't keep the body of the request")
  func bodies() {
    var stream: InputStream? = InputStream(data: Data())
    weak var kept: InputStream?
    kept = stream
    var upload = request("http://a.com/u/1", method: "POST")
    upload.httpBodyStream = stream.take()
    let captures = Captures(of: Self.id, for: upload)
    upload.httpBodyStream = nil
    #expect(captures["id"] == "1")
    #expect(kept == nil)
  }

  private static let match: RequestMatch = {
    var captures = Captures()
    for (name, value) in [("id", "42"), ("price", "1.5"), ("name", "ann"), ("flag", "true")] {
      captures.add(name, value)
    }
    return RequestMatch(callNumber: 1, captures: captures)
  }()

  @Test("comes as text or as another type, or as nil if it is missing or of another type")
  func typed() {
    #expect(Self.match["id", as: String.self] == "42")
    #expect(Self.match["id", as: Int.self] == 42)
    #expect(Self.match["id", as: Double.self] == 42)
    #expect(Self.match["price", as: Double.self] == 1.5)
    #expect(Self.match["flag", as: Bool.self] == true)
    #expect(Self.match["name", as: Int.self] == nil)
    #expect(Self.match["other", as: Int.self] == nil)
  }

  @Test("that must be there is asked for with a call, as text or as another type")
  func required() throws {
    #expect(try Self.match("id") == "42")
    #expect(try Self.match("id", as: Int.self) == 42)
    #expect(try Self.match("flag", as: Bool.self))
  }

  private static let errors: [(ask: @Sendable () throws -> Void, sentence: String)] = [
    ({ _ = try match("photoId") }, "There is no capture \"photoId\"; found "),
    ({ _ = try match("photo", as: Int.self) }, "There is no capture \"photo\"; found "),
    ({ _ = try match("name", as: Int.self) }, "The capture \"name\" is \"ann\", which is no Int: "),
    (
      { _ = try RequestMatch(callNumber: 1, captures: Captures())("id") },
      "There is no capture \"id\": the condition captured nothing. "
    ),
  ]

  @Test("that must be there, but is missing or of another type, throws an error that says so", arguments: errors)
  func asked(ask: @Sendable () throws -> Void, sentence: String) {
    let error = #expect(throws: CaptureError.self) { try ask() }
    #expect(error?.description.hasPrefix(sentence) == true, "\(error as Any)")
    #expect(error?.localizedDescription == error?.description)
  }
}
