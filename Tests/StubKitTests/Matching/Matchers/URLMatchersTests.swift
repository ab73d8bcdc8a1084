import Foundation
import StubKit
import TestSupport
import Testing

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
      (".example.com", "http://a.com/.example.com", false), ("nchen.de", "http://münchen.de", true),
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
      isScheme("http"), isHost("a"), hostEndsWith("a"), isPort(80), isAbsoluteURLString(""), isPath(""),
      pathStartsWith("/"),
      pathEndsWith(""), pathMatches("^"), isPath(template: "/"), isExtension(""), hasExactQuery([:]),
      containsQuery("a"),
    ] {
      #expect(!matcher.matches(request), "\(matcher)")
    }
  }

  @Test("a scheme with :// is a mistake")
  func schemeMistake() {
    #expect(isScheme("http://").mistake != nil)
  }

  @Test("a host with a slash is a mistake")
  func hostSlashMistake() {
    #expect(isHost("a.com/users").mistake != nil)
  }

  @Test("a host with a scheme is a mistake")
  func hostSchemeMistake() {
    #expect(isHost("http://a.com").mistake != nil)
  }

  @Test("a host with a port is a mistake")
  func hostPortMistake() {
    #expect(isHost("a.com:80").mistake != nil)
    #expect(isHost("[::1]:80").mistake != nil)
    #expect(hostEndsWith(".com:80").mistake != nil)
  }

  @Test("a port outside 0 to 65535 is a mistake")
  func portMistake() {
    #expect(isPort(65536).mistake != nil)
    #expect(isPort(-1).mistake != nil)
  }
}
