import Foundation
import StubKit
import TestSupport
import Testing

@testable import StubKit

@Suite("URL matchers", .inTurn)
struct URLMatchersTests {
  @Test(
    "isScheme compares the scheme alone, without case",
    arguments: [
      ("foo:", true), ("foo://", true), ("foo://bar/baz", true), ("FOO://bar", true), ("foobar://", false),
      ("fo://foo", false),
      ("bar://foo/foo", false), ("/foo:", false), ("foo", false),
    ])
  func scheme(url: String, expected: Bool) {
    #expect(isScheme("foo").matches(request(url)) == expected)
    #expect(isScheme("Foo").matches(request(url)) == expected)
  }

  @Test(
    "isHost compares the host alone, without case",
    arguments: [
      ("foo:", false), ("foo://", false), ("foo://bar", false), ("bar://foo", true), ("bar://foo/baz", true),
      ("bar://FOO:80/baz", true), ("bar://u:p@foo?q", true), ("bar://foo@bar/", false), ("bar://foo.com", false),
      ("foo", false),
      ("bar://xfoo", false), ("bar:///foo", false), ("//foo/bar", true),
    ])
  func host(url: String, expected: Bool) {
    #expect(isHost("foo").matches(request(url)) == expected)
    #expect(isHost("FOO").matches(request(url)) == expected)
  }

  @Test(
    "isHost takes an international name in Unicode and in punycode",
    arguments: [
      ("münchen.de", "http://münchen.de/", true), ("MÜNCHEN.de", "http://xn--mnchen-3ya.de/", true),
      ("xn--mnchen-3ya.de", "http://münchen.de/", true), ("XN--MNCHEN-3YA.de", "http://xn--mnchen-3ya.de/", true),
      ("mu\u{308}nchen.de", "http://münchen.de/", true), ("日本語.jp", "http://日本語.jp/a", true),
      ("faß.de", "http://faß.de", true),
      ("munchen.de", "http://münchen.de/", false), ("é.com", "http://%C3%A9.com/", true),
    ])
  func internationalHost(matcher: String, url: String, expected: Bool) {
    #expect(isHost(matcher).matches(request(url)) == expected)
  }

  @Test(
    "isHost takes an IPv6 address with and without brackets", arguments: ["[::1]", "::1"],
    [
      ("http://[::1]/", true), ("http://[::1]:8080/x", true), ("http://u@[::1]", true), ("http://[::2]/", false),
    ])
  func ipv6(matcher: String, row: (String, Bool)) {
    #expect(isHost(matcher).matches(request(row.0)) == row.1)
  }

  @Test(
    "hostEndsWith compares the end of the host",
    arguments: [
      (".example.com", "http://api.example.com/", true), (".EXAMPLE.com", "http://API.example.COM:81/", true),
      (".example.com", "http://example.com/", false), ("example.com", "http://badexample.com", true),
      (".example.com", "http://a.com/.example.com", false), ("münchen.de", "http://münchen.de", true),
      ("nchen.de", "http://münchen.de", false),
      (".münchen.de", "http://a.xn--mnchen-3ya.de", true), (".xn--mnchen-3ya.de", "http://a.münchen.de", true),
      ("com", "foo:com", false),
    ])
  func hostSuffix(suffix: String, url: String, expected: Bool) {
    #expect(hostEndsWith(suffix).matches(request(url)) == expected)
  }

  @Test(
    "isPort takes the URL's port, else its scheme's",
    arguments: [
      (80, "http://a.com/", true), (443, "https://a.com", true), (80, "https://a.com", false),
      (8080, "http://a.com:8080/80", true),
      (80, "http://a.com:8080/", false), (80, "HTTP://a.com", true), (80, "foo://a.com", false),
      (666, "foo://a:666", true),
      (80, "http://a.com:/", true), (81, "http://[::1]:81/", true), (0, "http://a:0", true),
    ])
  func port(port: Int, url: String, expected: Bool) {
    #expect(isPort(port).matches(request(url)) == expected)
  }

  @Test(
    "isAbsoluteURLString compares everything",
    arguments: [
      ("http://a.com/p?x=1&y=2#f", true), ("http://a.com/p?y=2&x=1#f", false), ("http://a.com/p?x=1&y=2", false),
      ("http://a.com/p?x=1&y=2#g", false), ("http://a.com/p/?x=1&y=2#f", false), ("https://a.com/p?x=1&y=2#f", false),
    ])
  func absoluteURL(url: String, expected: Bool) {
    #expect(isAbsoluteURLString("http://a.com/p?x=1&y=2#f").matches(request(url)) == expected)
  }

  @Test("isAbsoluteURLString may be written with characters that Foundation encodes")
  func absoluteURLUnencoded() {
    #expect(isAbsoluteURLString("http://a.com/é b").matches(request("http://a.com/é b")))
    #expect(isAbsoluteURLString("http://a.com/%C3%A9%20b").matches(request("http://a.com/é b")))
  }

  @Test("a request without a URL matches none of them")
  func noURL() {
    var request = URLRequest(url: URL(string: "http://a")!)
    request.url = nil
    for matcher in [
      isScheme("http"), isHost("a"), hostEndsWith("a"), isPort(80), isAbsoluteURLString("http://a"), isPath(""),
      pathStartsWith("/"),
      pathEndsWith("a"), pathMatches("^"), isPath(template: "/"), isExtension(""), hasExactQuery([:]),
      containsQuery("a"),
    ] {
      #expect(!matcher.matches(request), "\(matcher)")
    }
  }
}

@Suite("isLoopback", .inTurn)
struct LoopbackTests {
  @Test(
    "matches this machine by all of its names",
    arguments: [
      ("http://localhost/", true), ("http://LOCALHOST:8080/a", true), ("http://api.localhost/", true),
      ("http://127.0.0.1:80/", true), ("http://127.255.0.3/", true), ("http://[::1]:8080/", true),
      ("http://localhost./", true), ("http://[0:0:0:0:0:0:0:1]/", true), ("http://[1::]/", false),
      ("http://[1::1]/", false), ("http://localhost.example.com/", false), ("http://128.0.0.1/", false),
      ("http://127.0.0/", false), ("http://127.0.0.256/", false), ("http://[::2]/", false),
      ("http://notlocalhost/", false), ("file:///a", false),
    ])
  func hosts(url: String, isLoopback: Bool) {
    #expect(StubKit.isLoopback().matches(request(url)) == isLoopback)
  }

  @Test("prints as it was written, and says which host came instead")
  func report() {
    #expect("\(isLoopback())" == "isLoopback()")
    #expect(
      isLoopback().mismatches(request("http://a.example/")).map(\.description)
        == ["host: expected this machine, got a.example"])
  }
}

@Suite("Method matchers", .inTurn)
struct MethodMatchersTests {
  static let named: [(String, RequestMatcher)] = [
    ("GET", isMethodGET()), ("POST", isMethodPOST()), ("PUT", isMethodPUT()), ("PATCH", isMethodPATCH()),
    ("DELETE", isMethodDELETE()), ("HEAD", isMethodHEAD()), ("OPTIONS", isMethodOPTIONS()),
  ]

  @Test(
    "match their own method and no other", arguments: named.indices,
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "FOO"])
  func ownMethodOnly(index: Int, method: String) {
    let (name, matcher) = Self.named[index]
    #expect(matcher.matches(request("http://a.com/", method: method)) == (name == method))
    #expect(isMethod(name).matches(request("http://a.com/", method: method)) == (name == method))
  }

  @Test(
    "compare with case, but for the methods that URLRequest puts in upper case",
    arguments: [
      ("FOO", "FOO", true), ("foo", "FOO", false), ("get", "GET", true), ("Delete", "DELETE", true),
      ("patch", "PATCH", false),
    ])
  func letterCase(matcher: String, method: String, expected: Bool) {
    #expect(isMethod(matcher).matches(request("http://a.com/", method: method)) == expected)
  }
}

@Suite("Query matchers", .inTurn)
struct QueryMatchersTests {
  @Test(
    "containsQuery needs every item it names, among others, in any order",
    arguments: [
      ("http://a.com/?q=1&flag&empty=", true), ("http://a.com/?empty=&x=y&&flag&q=1", true), ("?flag&empty=&q=1", true),
      ("http://a.com/?q=1&flag=&empty=", false), ("http://a.com/?q=1&flag&empty", false),
      ("http://a.com/?q=2&flag&empty=", false),
      ("http://a.com/?q=1&flag", false), ("http://a.com/#?q=1&flag&empty=", false),
      ("http://a.com/;q=1&flag&empty=", false),
      ("http://a.com/?q=2&q=1&flag&empty=", true), ("http://a.com/?%71=%31&flag&empty=", true),
      ("http://a.com/", false),
    ])
  func contains(url: String, expected: Bool) {
    #expect(containsQuery(["q": "1", "flag": nil, "empty": ""]).matches(request(url)) == expected)
  }

  @Test(
    "a + is a plus, %20 a space, the first = ends the name",
    arguments: [
      ("a+b", "http://a.com/?x=a+b", true), ("a b", "http://a.com/?x=a+b", false),
      ("a b", "http://a.com/?x=a%20b", true),
      ("a+b", "http://a.com/?x=a%2Bb", true), ("a=b", "http://a.com/?x=a=b", true),
      ("é", "http://a.com/?x=e%CC%81", true),
      ("?", "http://a.com/?x=?", true), ("%FF", "http://a.com/?x=%FF", true),
    ])
  func values(value: String, url: String, expected: Bool) {
    #expect(containsQuery("x", value).matches(request(url)) == expected)
    #expect(hasExactQuery(["x": value]).matches(request(url)) == expected)
  }

  @Test(
    "a name alone is met by any value, or none",
    arguments: [
      ("http://a.com/?x", true), ("http://a.com/?x=", true), ("http://a.com/?y&x=1", true),
      ("http://a.com/?X=1", false),
      ("http://a.com/?y=x", false), ("http://a.com/x", false),
    ])
  func names(url: String, expected: Bool) {
    #expect(containsQuery("x").matches(request(url)) == expected)
    #expect(lacksQuery("x").matches(request(url)) == !expected)
  }

  @Test(
    "hasExactQuery allows no other item, and needs every one of a repeated name",
    arguments: [
      ("http://a.com/?a=1&b", true), ("http://a.com/?b&a=1", true), ("http://a.com/?b&&a=1", true),
      ("http://a.com/?a=1&b&a=1", true),
      ("http://a.com/?a=1&b&a=2", false), ("http://a.com/?a=1", false), ("http://a.com/?a=1&b=", false),
      ("http://a.com/?a=1&b&c", false),
    ])
  func exact(url: String, expected: Bool) {
    #expect(hasExactQuery(["a": "1", "b": nil]).matches(request(url)) == expected)
  }

  @Test(
    "an empty exact query is none",
    arguments: [("http://a.com/", true), ("http://a.com/?", true), ("http://a.com/?a", false)])
  func exactEmpty(url: String, expected: Bool) {
    #expect(hasExactQuery([:]).matches(request(url)) == expected)
    #expect(containsQuery([:]).matches(request(url)))
  }
}
