import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Path matchers", .inTurn)
struct PathMatchersTests {
  @Test(
    "isPath compares the whole decoded path",
    arguments: [
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
    ])
  func exact(path: String, url: String, expected: Bool) {
    #expect(isPath(path).matches(request(url)) == expected)
  }

  @Test(
    "pathStartsWith compares the beginning",
    arguments: [
      ("/foo", "http://a.com/foo", true), ("/foo", "http://a.com/foo/bar?q", true),
      ("/foo", "http://a.com/foobar", true),
      ("/foo", "http://a.com/foo;p/x", true), ("/foo", "http://a.com/bar/foo", false),
      ("/foo", "http://a.com/?/foo", false),
      ("/foo", "http://a.com/#/foo", false), ("foo", "foo/bar", true), ("/", "http://a.com", true),
      ("/a b", "http://a.com/a%20bc", true),
      ("/foo/", "http://a.com/foobar", false),
    ])
  func prefix(prefix: String, url: String, expected: Bool) {
    #expect(pathStartsWith(prefix).matches(request(url)) == expected)
  }

  @Test(
    "pathEndsWith compares the end",
    arguments: [
      ("/bar", "http://a.com/foo/bar", true), ("/bar", "http://a.com/foo/bar?q", true),
      ("/bar", "http://a.com/foo/bar#a", true),
      ("/bar", "http://a.com/path;/foo/bar", true), ("/bar", "http://a.com/foo/bar;p", false),
      ("/bar", "http://a.com/?q=/bar", false),
      ("/bar", "http://a.com/#/bar", false), ("/bar/", "http://a.com/foo/bar/", true), ("bar", "foo/bar", true),
      (" b", "http://a.com/a%20b", true),
    ])
  func suffix(suffix: String, url: String, expected: Bool) {
    #expect(pathEndsWith(suffix).matches(request(url)) == expected)
  }

  @Test(
    "pathMatches searches the path",
    arguments: [
      ("/foo/\\d+", "http://a.com/x/foo/12/y", true), ("^/foo/\\d+$", "http://a.com/foo/12?q", true),
      ("^/foo/\\d+$", "http://a.com/foo/12;p", false), ("^/foo$", "http://a.com/FOO", false),
      ("foo", "http://foo.com/?foo#foo", false),
      ("^/é$", "http://a.com/%C3%A9", true),
    ])
  func pattern(pattern: String, url: String, expected: Bool) throws {
    #expect(pathMatches(pattern).matches(request(url)) == expected)
    #expect(pathMatches(try NSRegularExpression(pattern: pattern)).matches(request(url)) == expected)
  }

  @Test("pathMatches honours its options")
  func patternOptions() {
    #expect(pathMatches("^/foo$", options: .caseInsensitive).matches(request("http://a.com/FOO")))
  }

  @Test(
    "a path that is not UTF-8 when decoded stays as it is",
    arguments: [("/a/%E9", true), ("/", false), ("", false), ("/a/%e9", false), ("/a", false)])
  func notUTF8(path: String, expected: Bool) {
    #expect(isPath(path).matches(request("http://a.com/a/%E9/?q")) == expected)
  }

  @Test(
    "pathMatches captures named groups, and only those that took part",
    arguments: [
      ("^/(?<kind>\\w+)/(?<id>\\d+)$", ["kind": "users", "id": "42"]), ("(?<id>\\d+)|(?<none>x)", ["id": "42"]),
      ("\\(?<no>|users", [:]), ("[(?<x>]", nil), ("(?<=/)(?<id>\\d+)", ["id": "42"]),
      ("\\Q(?<q>\\E|(?<id>4)", ["id": "4"]), ("(?x)(?<id>4) # (?<no>x)", ["id": "4"]), ("(4)|\\Q(?<q>", [:]),
      ("(4)(?#(?<no>)", [:]), ("[\\]](?<none>)|(?<id>4)", ["id": "4"]),
    ])
  func namedGroups(pattern: String, expected: [String: String]?) {
    #expect(pathMatches(pattern).captures(request("http://a.com/users/42")) == expected)
  }

  @Test(
    "a group's name is one only where the pattern has that group",
    arguments: [
      ("(?<a>x)(?<b1>y)", ["a", "b1"]), ("(?x)(?<a>4) # (?<no>x)", ["a"]), ("(4)|\\Q(?<no>", []), ("(4)(?#(?<no>)", []),
      ("(a)\\(?<no>b", []), ("(a)[(?<no>]", []), ("(?<=a)(b)(?<!c)", []), ("(?<a>x)\\Q(?<no>\\E(?<b>y)", ["a", "b"]),
    ])
  func groupNames(pattern: String, expected: [String]) throws {
    #expect(Pattern(try NSRegularExpression(pattern: pattern)).names == expected)
  }

  @Test(
    "isExtension compares the last segment's extension",
    arguments: [
      ("http://a.com/bar.txt", true), ("http://a.com/bar.txt?q=1", true), ("http://a.com/bar.txt/", true),
      ("bar.txt", true),
      ("http://a.com/bar.baz?q=wizz.txt", false), ("txt://a.com/bar", false), ("http://a.com/bar.TXT", false),
      ("http://a.txt/", false), ("http://a.com/x.txt/bar", false), ("http://a.com/.txt", false),
      ("http://a.com/a.b.txt#c.d", true),
      ("http://a.com/a.%74xt", true),
    ])
  func pathExtension(url: String, expected: Bool) {
    #expect(isExtension("txt").matches(request(url)) == expected)
  }

  @Test("a path with a query or a fragment is a mistake")
  func pathMistakes() {
    #expect(isPath("/a?b").mistake != nil)
    #expect(isPath("/a#b").mistake != nil)
    #expect(pathStartsWith("/a?b").mistake != nil)
    #expect(pathEndsWith("/a#b").mistake != nil)
  }

  @Test("an extension with a dot is a mistake")
  func extensionMistake() {
    #expect(isExtension(".txt").mistake != nil)
    #expect(isExtension("tar.gz").mistake != nil)
  }
}
