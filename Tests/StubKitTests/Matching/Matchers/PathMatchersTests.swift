import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Path matchers", .inTurn)
struct PathMatchersTests {
  @Test("isPath compares the whole decoded path")
  func exact() {
    for (path, url, expected) in [
      ("/foo/bar", "http://a.com/foo/bar", true), ("/foo/bar", "http://a.com/foo/bar/", true),
      ("/foo/bar/", "http://a.com/foo/bar", true), ("/foo/bar", "http://a.com/foo/bar?q=1#f", true),
      ("/foo/bar", "http://a.com/foo/bar;param", false), ("/foo/bar;param", "http://a.com/foo/bar;param?q", true),
      ("/foo/bar", "http://a.com/foo/bar/baz", false), ("/foo/bar", "http://a.com/baz/foo/bar", false),
      ("/foo/bar", "http://a.com/?q=/foo/bar", false), ("/foo/bar", "http://a.com/#/foo/bar", false),
      ("/foo/bar", "/foo/bar", true),
      ("foo/bar", "/foo/bar", false), ("/foo/bar", "foo/bar", false), ("/bar", "foo://foo/bar", true),
      ("", "http://a.com/", true), ("/", "http://a.com", true), ("/", "http://a.com?q", true), ("", "foo:", true),
      ("/a b/é", "http://a.com/a%20b/%C3%A9", true), ("/e\u{301}", "http://a.com/é", true),
      ("/é", "http://a.com/e%CC%81", true),
      ("/a/b", "http://a.com/a%2Fb", true), ("/A", "http://a.com/a", false), ("/K", "http://a.com/\u{212A}", true),
      ("/\u{212A}", "http://a.com/K", true),
    ] {
      #expect(isPath(path).matches(request(url)) == expected, "\(path)")
    }
  }

  @Test("pathStartsWith compares the beginning")
  func prefix() {
    for (prefix, url, expected) in [
      ("/foo", "http://a.com/foo", true), ("/foo", "http://a.com/foo/bar?q", true),
      ("/foo", "http://a.com/foobar", true),
      ("/foo", "http://a.com/foo;p/x", true), ("/foo", "http://a.com/bar/foo", false),
      ("/foo", "http://a.com/?/foo", false),
      ("/foo", "http://a.com/#/foo", false), ("foo", "foo/bar", true), ("/", "http://a.com", true),
      ("/a b", "http://a.com/a%20bc", true),
      ("/foo/", "http://a.com/foobar", false),
    ] {
      #expect(pathStartsWith(prefix).matches(request(url)) == expected, "\(prefix)")
    }
  }

  @Test("pathEndsWith compares the end")
  func suffix() {
    for (suffix, url, expected) in [
      ("/bar", "http://a.com/foo/bar", true), ("/bar", "http://a.com/foo/bar?q", true),
      ("/bar", "http://a.com/foo/bar#a", true),
      ("/bar", "http://a.com/path;/foo/bar", true), ("/bar", "http://a.com/foo/bar;p", false),
      ("/bar", "http://a.com/?q=/bar", false),
      ("/bar", "http://a.com/#/bar", false), ("/bar/", "http://a.com/foo/bar/", true), ("bar", "foo/bar", true),
      (" b", "http://a.com/a%20b", true), (":cancel", "http://a.com/operations/1:cancel", true),
    ] {
      #expect(pathEndsWith(suffix).matches(request(url)) == expected, "\(suffix)")
    }
  }

  @Test("pathMatches searches the path")
  func pattern() throws {
    for (pattern, url, expected) in [
      ("/foo/\\d+", "http://a.com/x/foo/12/y", true), ("^/foo/\\d+$", "http://a.com/foo/12?q", true),
      ("^/foo/\\d+$", "http://a.com/foo/12;p", false), ("^/foo$", "http://a.com/FOO", false),
      ("foo", "http://foo.com/?foo#foo", false),
      ("^/é$", "http://a.com/%C3%A9", true),
    ] {
      #expect(pathMatches(pattern).matches(request(url)) == expected, "\(pattern)")
      #expect(pathMatches(try NSRegularExpression(pattern: pattern)).matches(request(url)) == expected, "\(pattern)")
    }
  }

  @Test("pathMatches honours its options")
  func patternOptions() {
    #expect(pathMatches("^/foo$", options: .caseInsensitive).matches(request("http://a.com/FOO")))
  }

  @Test("a path that is not UTF-8 when decoded stays as it is")
  func notUTF8() {
    for (path, expected) in [("/a/%E9", true), ("/", false), ("", false), ("/a/%e9", false), ("/a", false)] {
      #expect(isPath(path).matches(request("http://a.com/a/%E9/?q")) == expected, "\(path)")
    }
  }

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

  @Test("isExtension compares the last segment's extension")
  func pathExtension() {
    for (url, expected) in [
      ("http://a.com/bar.txt", true), ("http://a.com/bar.txt?q=1", true), ("http://a.com/bar.txt/", true),
      ("bar.txt", true),
      ("http://a.com/bar.baz?q=wizz.txt", false), ("txt://a.com/bar", false), ("http://a.com/bar.TXT", false),
      ("http://a.txt/", false), ("http://a.com/x.txt/bar", false), ("http://a.com/.txt", false),
      ("http://a.com/a.b.txt#c.d", true),
      ("http://a.com/a.%74xt", true),
    ] {
      #expect(isExtension("txt").matches(request(url)) == expected, "\(url)")
    }
  }
}

@Suite("A path template", .inTurn)
struct PathTemplateTests {
  @Test("captures what stands in its places")
  func captures() {
    for (template, url, expected) in [
      ("/users/{id}", "http://a.com/users/42", ["id": "42"]), ("/users/{id}", "http://a.com/users/42/", ["id": "42"]),
      ("/users/{id}/posts/{post}", "http://a.com/users/1/posts/2?q#f", ["id": "1", "post": "2"]),
      ("/users/{id}", "http://a.com/users", nil), ("/users/{id}", "http://a.com/users/", nil),
      ("/users/{id}", "http://a.com/users/1/2", nil), ("/users/{id}", "http://a.com/Users/1", nil),
      ("/users/{id}", "http://a.com/users/a%2Fb", ["id": "a/b"]),
      ("/users/{id}", "http://a.com/users/%C3%A9%20x", ["id": "é x"]),
      ("/users/{id}", "http://a.com/users/%FF", ["id": "%FF"]), ("/é/{id}", "http://a.com/e%CC%81/1", ["id": "1"]),
      ("/files/{name}.json", "http://a.com/files/a.b.json", ["name": "a.b"]),
      ("/files/{name}.json", "http://a.com/files/.json", nil),
      ("/v{n}/x", "http://a.com/v12/x", ["n": "12"]), ("/{a}-{b}", "http://a.com/1-2-3", ["a": "1", "b": "2-3"]),
      ("/{a}-{b}", "http://a.com/1-", nil), ("/{a}-{b}", "http://a.com/-1", nil), ("/", "http://a.com", [:]),
      ("/a", "http://a.com/a", [:]),
      ("/{x}", "http://a.com//a", nil), ("/{name}:cancel", "http://a.com/op-1:cancel", ["name": "op-1"]),
      ("/{name}:cancel", "http://a.com/a:b:cancel", ["name": "a:b"]), ("/{name}:cancel", "http://a.com/:cancel", nil),
      ("/{name}:cancel", "http://a.com/op-1:stop", nil), ("/{a}:{b}", "http://a.com/1:2", ["a": "1", "b": "2"]),
      ("/{name}:", "http://a.com/op:", ["name": "op"]), ("/v:{n}", "http://a.com/v:1", ["n": "1"]),
    ] as [(String, String, [String: String]?)] {
      #expect(isPath(template: template).captures(request(url)) == expected, "\(template)")
    }
  }

  @Test("takes a segment only if it matches the place's expression as a whole")
  func expressions() {
    for (template, path, expected) in [
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
    ] as [(String, String, [String: String]?)] {
      let condition = isPath(template: template)
      #expect(condition.captures(request("http://a.com\(path)")) == expected, "\(template)")
      #expect(condition.description == "isPath(template: \(template.debugDescription))", "\(template)")
    }
  }

  @Test("takes the rest of a path, one or more segments")
  func rest() {
    for (template, path, expected) in [
      ("/static/{path...}", "/static/a", ["path": "a"]), ("/static/{path...}", "/static/a/b%2Fc/", ["path": "a/b/c"]),
      ("/static/{path...}", "/static", nil), ("/static/{path...}", "/static/", nil),
      ("/static/{path...}", "/other/a", nil), ("/static/{path...}", "/static//a", ["path": "/a"]),
      ("/{all...}", "/a", ["all": "a"]), ("/{all...}", "/", nil), ("/{all...}/", "/a/b", ["all": "a/b"]),
      ("/users/{id:[0-9]+}/{rest...}", "/users/42/a/b", ["id": "42", "rest": "a/b"]),
      ("/users/{id:[0-9]+}/{rest...}", "/users/ann/a/b", nil),
      ("/{a}/{rest...}", "/%C3%A9/e%CC%81", ["a": "é", "rest": "é"]),
    ] as [(String, String, [String: String]?)] {
      #expect(isPath(template: template).captures(request("http://a.com\(path)")) == expected, "\(template)")
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
