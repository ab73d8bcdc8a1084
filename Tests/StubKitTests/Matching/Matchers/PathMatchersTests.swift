import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Path matchers", .inTurn)
struct PathMatchersTests {
  @Test("pathMatches captures named groups, and only those that took part")
  func namedGroups() {
    for (pattern, expected) in [
      ("^/(?<kind>\\w+)/(?<id>\\d+)$", ["kind": "users", "id": "42"]), ("(?<id>\\d+)|(?<none>x)", ["id": "42"]),
      ("\\(?<no>|users", [:]), ("[(?<x>]", nil), ("(?<=/)(?<id>\\d+)", ["id": "42"]),
      ("\\Q(?<q>\\E|(?<id>4)", ["id": "4"]), ("(?x)(?<id>4) # (?<no>x)", ["id": "4"]), ("(4)|\\Q(?<q>", [:]),
      ("(4)(?#(?<no>)", [:]), ("[\\]](?<none>)|(?<id>4)", ["id": "4"]),
    ] {
      #expect(pathMatches(pattern).captures(request("http://a.com/users/42")) == expected, "\(pattern)")
    }
  }
}

@Suite("A path template", .inTurn)
struct PathTemplateTests {
  private static let captured: [(template: String, path: String, captures: [String: String]?)] = [
    ("/users/{id}", "/users/42", ["id": "42"]), ("/users/{id}", "/users/42/", ["id": "42"]),
    ("/users/{id}/posts/{post}", "/users/1/posts/2?q#f", ["id": "1", "post": "2"]),
    ("/users/{id}", "/users", nil), ("/users/{id}", "/users/", nil),
    ("/users/{id}", "/users/1/2", nil), ("/users/{id}", "/Users/1", nil),
    ("/users/{id}", "/users/a%2Fb", ["id": "a/b"]),
    ("/users/{id}", "/users/%C3%A9%20x", ["id": "é x"]),
    ("/users/{id}", "/users/%FF", ["id": "%FF"]), ("/é/{id}", "/e%CC%81/1", ["id": "1"]),
    ("/files/{name}.json", "/files/a.b.json", ["name": "a.b"]),
    ("/files/{name}.json", "/files/.json", nil),
    ("/v{n}/x", "/v12/x", ["n": "12"]), ("/{a}-{b}", "/1-2-3", ["a": "1", "b": "2-3"]),
    ("/{a}-{b}", "/1-", nil), ("/{a}-{b}", "/-1", nil), ("/", "", [:]),
    ("/a", "/a", [:]),
    ("/{x}", "//a", nil), ("/{name}:cancel", "/op-1:cancel", ["name": "op-1"]),
    ("/{name}:cancel", "/a:b:cancel", ["name": "a:b"]), ("/{name}:cancel", "/:cancel", nil),
    ("/{name}:cancel", "/op-1:stop", nil), ("/{a}:{b}", "/1:2", ["a": "1", "b": "2"]),
    ("/{name}:", "/op:", ["name": "op"]), ("/v:{n}", "/v:1", ["n": "1"]),
    // A segment matches a place's expression as a whole.
    ("/{name:[^:]+}:cancel", "/op-1:cancel", ["name": "op-1"]), ("/{name:[^:]+}:cancel", "/a:b:cancel", nil),
    ("/users/{id:[0-9]+}", "/users/42", ["id": "42"]), ("/users/{id:[0-9]+}", "/users/%34%32/", ["id": "42"]),
    ("/users/{id:[0-9]+}", "/users/42a", nil), ("/users/{id:[0-9]+}", "/users/a42", nil),
    ("/users/{id:[0-9]{3}}/x", "/users/123/x", ["id": "123"]), ("/users/{id:[0-9]{3}}/x", "/users/1234/x", nil),
    ("/{a:x|xy}", "/xy", ["a": "xy"]), ("/{a:[^/]+}/b", "/a%2Fb/b", nil), ("/{a:.+}/b", "/a%2Fb/b", ["a": "a/b"]),
    ("/{a:\\{+}", "/%7B%7B", ["a": "{{"]), ("/{a:[\\}]}", "/%7D", ["a": "}"]), ("/{a:\\\\}", "/%5C", ["a": "\\"]),
    ("/files/{name:[a-z]+}.json", "/files/ab.json", ["name": "ab"]),
    ("/files/{name:[a-z]+}.json", "/files/a.b.json", nil), ("/files/{name:[a-z]*}.json", "/files/.json", nil),
    ("/\u{E9}-{n:[0-9]}-\u{E9}", "/e%CC%81-1-%C3%A9", ["n": "1"]),
    (
      "/{date:[0-9]{4}-[0-9]{2}}-{slug}.html", "/2024-01-a-title.html", ["date": "2024-01", "slug": "a-title"]
    ),
    ("/{date:[0-9]{4}-[0-9]{2}}-{slug}.html", "/2024-a-title.html", nil),
    ("/{a}.{b:[a-z]+}", "/1.2.x", ["a": "1.2", "b": "x"]), ("/{a:[0-9]*}.{b}", "/.x", nil),
    ("/{a:(x)(y)}-{b:(z)}+{c}", "/xy-z+w", ["a": "xy", "b": "z", "c": "w"]),
    ("/{a:(.)\\1}", "/xx", ["a": "xx"]), ("/{a:(.)\\1}", "/xy", nil),
    ("/{a:(?<year>[0-9]{4})-.*}", "/2024-01", ["a": "2024-01", "year": "2024"]),
    ("/{a:(?i)B}c", "/bc", ["a": "b"]), ("/{a:(?i)B}c", "/bC", nil), ("/{a:b:c}", "/b:c", ["a": "b:c"]),
    // The rest of a path is one or more segments.
    ("/static/{path...}", "/static/a", ["path": "a"]), ("/static/{path...}", "/static/a/b%2Fc/", ["path": "a/b/c"]),
    ("/static/{path...}", "/static", nil), ("/static/{path...}", "/static/", nil),
    ("/static/{path...}", "/other/a", nil), ("/static/{path...}", "/static//a", ["path": "/a"]),
    ("/{all...}", "/a", ["all": "a"]), ("/{all...}", "/", nil), ("/{all...}/", "/a/b", ["all": "a/b"]),
    ("/users/{id:[0-9]+}/{rest...}", "/users/42/a/b", ["id": "42", "rest": "a/b"]),
    ("/users/{id:[0-9]+}/{rest...}", "/users/ann/a/b", nil),
    ("/{a}/{rest...}", "/%C3%A9/e%CC%81", ["a": "é", "rest": "é"]),
    // A delimiter before a combining mark is a delimiter.
    ("/\u{301}a/{b}", "/%CC%81a/%CC%81b", ["b": "\u{301}b"]), ("/{a}\u{301}x{b}", "/-%CC%81xy", ["a": "-", "b": "y"]),
    ("/v-{b}/{c}.\u{301}d", "/v-%CC%81b/c.%CC%81d", ["b": "\u{301}b", "c": "c"]),
    ("/{name}.{type}", "/a.%CC%81b", ["name": "a", "type": "\u{301}b"]),
    ("/{a}-\u{1004F}\u{304}", "/a-%F0%90%81%8F%CC%84", ["a": "a"]), ("/{a}-\u{14C}", "/a-%F0%90%81%8F%CC%84", nil),
  ]

  @Test("captures what stands in its places, and prints as it was written")
  func captures() {
    for (template, path, captures) in Self.captured {
      let condition = isPath(template: template)
      #expect(condition.captures(request("http://a.com\(path)")) == captures, "\(template) \(path)")
      #expect(condition.description == "isPath(template: \(template.debugDescription))", "\(template)")
    }
  }

  @Test("takes Swift's regular expressions, whose named groups capture")
  func regexes() {
    let users = pathMatches(#/^/users/(?<id>\d+)(?:/(?<rest>.+))?$/#)
    #expect(users.captures(request("http://a.com/users/42")) == ["id": "42"])
    #expect(users.captures(request("http://a.com/users/42/a%20b")) == ["id": "42", "rest": "a b"])
    #expect(users.captures(request("http://a.com/users/ann")) == nil)
    #expect(urlMatches(/^https:\/\/(?<host>[a-z.]+)/).captures(request("https://a.com/x")) == ["host": "a.com"])
    #expect(urlMatches(/A\.COM/.ignoresCase()).matches(request("https://a.com/x")))
    let since = queryMatches("since", /^(?<year>\d{4})/)
    #expect(since.captures(request("http://a.com/?since=x&since=2024-01")) == ["year": "2024"])
    #expect(!since.matches(request("http://a.com/?since")) && !since.matches(request("http://a.com/")))
    let bearer = request("http://a.com/", headers: ["Authorization": "Bearer abc"])
    #expect(headerMatches("authorization", /^Bearer (?<token>.+)$/).captures(bearer) == ["token": "abc"])
    #expect(headerMatches("X Y", /a/).mistake?.contains("is not a valid header name") == true)
    let registry = StubRegistry()
    let stub = stub(condition: users && isHost("a.com"), response: .ok, in: registry)
    #expect(registry.stub(matching: request("http://a.com/users/42")) === stub)
    #expect(registry.stub(matching: request("http://a.com/users/ann")) == nil)
  }

  @Test("gives what it captured as a value of another type")
  func typed() throws {
    var captures = Captures()
    for (name, value) in [("id", "42"), ("price", "1.5"), ("name", "ann"), ("flag", "true")] {
      captures.add(name, value)
    }
    let match = RequestMatch(callNumber: 1, captures: captures)
    #expect(
      match["id", as: Int.self] == 42 && match["id", as: Double.self] == 42 && match["id", as: String.self] == "42")
    #expect(match["price", as: Double.self] == 1.5 && match["flag", as: Bool.self] == true)
    #expect(match["name", as: Int.self] == nil && match["other", as: Int.self] == nil)
    #expect(try match("id") == "42")
    #expect(try match("id", as: Int.self) == 42)
    #expect(try match("flag", as: Bool.self))
  }

  @Test("names the captures there are where one is mistyped")
  func mistyped() throws {
    var captures = Captures()
    captures.add("photo", "7")
    captures.add("user", "ann")
    let match = RequestMatch(callNumber: 1, captures: captures)
    let missing = try #require(throws: CaptureError.self) { try match("photoId") }
    #expect(missing.description.hasPrefix("There is no capture \"photoId\": there are photo and user. "))
    let typed = try #require(throws: CaptureError.self) { try match("photoId", as: Int.self) }
    #expect(typed.description == missing.description)
    let text = try #require(throws: CaptureError.self) { try match("user", as: Int.self) }
    #expect(text.localizedDescription.hasPrefix("The capture \"user\" is \"ann\", which is no Int: "))
    let empty = try #require(throws: CaptureError.self) { try RequestMatch(callNumber: 1, captures: Captures())("id") }
    #expect(empty.description.hasPrefix("There is no capture \"id\": the condition captured nothing. "))
  }
}
