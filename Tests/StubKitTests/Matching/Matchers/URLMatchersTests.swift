import Foundation
import StubKit
import TestSupport
import Testing

@testable import StubKit

@Suite("URL matchers", .inTurn)
struct URLMatchersTests {
  @Test("isScheme compares the scheme alone, without case")
  func scheme() {
    for (url, expected) in [
      ("foo:", true), ("foo://", true), ("foo://bar/baz", true), ("FOO://bar", true), ("foobar://", false),
      ("fo://foo", false),
      ("bar://foo/foo", false), ("/foo:", false), ("foo", false),
    ] {
      #expect(isScheme("foo").matches(request(url)) == expected, "\(url)")
      #expect(isScheme("Foo").matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("isHost compares the host alone, without case")
  func host() {
    for (url, expected) in [
      ("foo:", false), ("foo://", false), ("foo://bar", false), ("bar://foo", true), ("bar://foo/baz", true),
      ("bar://FOO:80/baz", true), ("bar://u:p@foo?q", true), ("bar://foo@bar/", false), ("bar://foo.com", false),
      ("foo", false),
      ("bar://xfoo", false), ("bar:///foo", false), ("//foo/bar", true),
    ] {
      #expect(isHost("foo").matches(request(url)) == expected, "\(url)")
      #expect(isHost("FOO").matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("isHost takes an international name in Unicode and in punycode")
  func internationalHost() {
    for (matcher, url, expected) in [
      ("münchen.de", "http://münchen.de/", true), ("MÜNCHEN.de", "http://xn--mnchen-3ya.de/", true),
      ("xn--mnchen-3ya.de", "http://münchen.de/", true), ("XN--MNCHEN-3YA.de", "http://xn--mnchen-3ya.de/", true),
      ("mu\u{308}nchen.de", "http://münchen.de/", true), ("日本語.jp", "http://日本語.jp/a", true),
      ("faß.de", "http://faß.de", true),
      ("munchen.de", "http://münchen.de/", false), ("é.com", "http://%C3%A9.com/", true),
    ] {
      #expect(isHost(matcher).matches(request(url)) == expected, "\(matcher)")
    }
  }

  @Test("isHost takes an IPv6 address with and without brackets")
  func ipv6() {
    for matcher in ["[::1]", "::1"] {
      for row in [
        ("http://[::1]/", true), ("http://[::1]:8080/x", true), ("http://u@[::1]", true), ("http://[::2]/", false),
      ] {
        #expect(isHost(matcher).matches(request(row.0)) == row.1, "\(matcher)")
      }
    }
  }

  @Test("hostEndsWith compares the end of the host")
  func hostSuffix() {
    for (suffix, url, expected) in [
      (".example.com", "http://api.example.com/", true), (".EXAMPLE.com", "http://API.example.COM:81/", true),
      (".example.com", "http://example.com/", false), ("example.com", "http://badexample.com", true),
      (".example.com", "http://a.com/.example.com", false), ("münchen.de", "http://münchen.de", true),
      ("nchen.de", "http://münchen.de", false),
      (".münchen.de", "http://a.xn--mnchen-3ya.de", true), (".xn--mnchen-3ya.de", "http://a.münchen.de", true),
      ("com", "foo:com", false),
    ] {
      #expect(hostEndsWith(suffix).matches(request(url)) == expected, "\(suffix)")
    }
  }

  @Test("isPort takes the URL's port, else its scheme's")
  func port() {
    for (port, url, expected) in [
      (80, "http://a.com/", true), (443, "https://a.com", true), (80, "https://a.com", false),
      (8080, "http://a.com:8080/80", true),
      (80, "http://a.com:8080/", false), (80, "HTTP://a.com", true), (80, "foo://a.com", false),
      (666, "foo://a:666", true),
      (80, "http://a.com:/", true), (81, "http://[::1]:81/", true), (0, "http://a:0", true),
    ] {
      #expect(isPort(port).matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("isAbsoluteURLString compares everything")
  func absoluteURL() {
    for (url, expected) in [
      ("http://a.com/p?x=1&y=2#f", true), ("http://a.com/p?y=2&x=1#f", false), ("http://a.com/p?x=1&y=2", false),
      ("http://a.com/p?x=1&y=2#g", false), ("http://a.com/p/?x=1&y=2#f", false), ("https://a.com/p?x=1&y=2#f", false),
    ] {
      #expect(isAbsoluteURLString("http://a.com/p?x=1&y=2#f").matches(request(url)) == expected, "\(url)")
    }
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
  @Test("matches this machine by all of its names")
  func hosts() {
    for (url, isLoopback) in [
      ("http://localhost/", true), ("http://LOCALHOST:8080/a", true), ("http://api.localhost/", true),
      ("http://127.0.0.1:80/", true), ("http://127.255.0.3/", true), ("http://[::1]:8080/", true),
      ("http://localhost./", true), ("http://[0:0:0:0:0:0:0:1]/", true), ("http://[1::]/", false),
      ("http://[1::1]/", false), ("http://localhost.example.com/", false), ("http://128.0.0.1/", false),
      ("http://127.0.0/", false), ("http://127.0.0.256/", false), ("http://[::2]/", false),
      ("http://notlocalhost/", false), ("file:///a", false),
    ] {
      #expect(StubKit.isLoopback().matches(request(url)) == isLoopback, "\(url)")
    }
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

  @Test("match their own method and no other")
  func ownMethodOnly() {
    for index in Self.named.indices {
      for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "FOO"] {
        let (name, matcher) = Self.named[index]
        #expect(matcher.matches(request("http://a.com/", method: method)) == (name == method), "\(method)")
        #expect(isMethod(name).matches(request("http://a.com/", method: method)) == (name == method), "\(method)")
      }
    }
  }

  @Test("compare with case, but for the methods that URLRequest puts in upper case")
  func letterCase() {
    for (matcher, method, expected) in [
      ("FOO", "FOO", true), ("foo", "FOO", false), ("get", "GET", true), ("Delete", "DELETE", true),
      ("patch", "PATCH", false),
    ] {
      #expect(isMethod(matcher).matches(request("http://a.com/", method: method)) == expected, "\(matcher)")
    }
  }
}

@Suite("Query matchers", .inTurn)
struct QueryMatchersTests {
  @Test("containsQuery needs every item it names, among others, in any order")
  func contains() {
    for (url, expected) in [
      ("http://a.com/?q=1&flag&empty=", true), ("http://a.com/?empty=&x=y&&flag&q=1", true), ("?flag&empty=&q=1", true),
      ("http://a.com/?q=1&flag=&empty=", false), ("http://a.com/?q=1&flag&empty", false),
      ("http://a.com/?q=2&flag&empty=", false),
      ("http://a.com/?q=1&flag", false), ("http://a.com/#?q=1&flag&empty=", false),
      ("http://a.com/;q=1&flag&empty=", false),
      ("http://a.com/?q=2&q=1&flag&empty=", true), ("http://a.com/?%71=%31&flag&empty=", true),
      ("http://a.com/", false),
    ] {
      #expect(containsQuery(["q": "1", "flag": nil, "empty": ""]).matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("a + is a plus, %20 a space, the first = ends the name")
  func values() {
    for (value, url, expected) in [
      ("a+b", "http://a.com/?x=a+b", true), ("a b", "http://a.com/?x=a+b", false),
      ("a b", "http://a.com/?x=a%20b", true),
      ("a+b", "http://a.com/?x=a%2Bb", true), ("a=b", "http://a.com/?x=a=b", true),
      ("é", "http://a.com/?x=e%CC%81", true),
      ("?", "http://a.com/?x=?", true), ("%FF", "http://a.com/?x=%FF", true),
    ] {
      #expect(containsQuery("x", value).matches(request(url)) == expected, "\(value)")
      #expect(hasExactQuery(["x": value]).matches(request(url)) == expected, "\(value)")
    }
  }

  @Test("a name alone is met by any value, or none")
  func names() {
    for (url, expected) in [
      ("http://a.com/?x", true), ("http://a.com/?x=", true), ("http://a.com/?y&x=1", true),
      ("http://a.com/?X=1", false),
      ("http://a.com/?y=x", false), ("http://a.com/x", false),
    ] {
      #expect(containsQuery("x").matches(request(url)) == expected, "\(url)")
      #expect(lacksQuery("x").matches(request(url)) == !expected, "\(url)")
    }
  }

  @Test("hasExactQuery allows no other item, and needs every one of a repeated name")
  func exact() {
    for (url, expected) in [
      ("http://a.com/?a=1&b", true), ("http://a.com/?b&a=1", true), ("http://a.com/?b&&a=1", true),
      ("http://a.com/?a=1&b&a=1", true),
      ("http://a.com/?a=1&b&a=2", false), ("http://a.com/?a=1", false), ("http://a.com/?a=1&b=", false),
      ("http://a.com/?a=1&b&c", false),
    ] {
      #expect(hasExactQuery(["a": "1", "b": nil]).matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("an empty exact query is none")
  func exactEmpty() {
    for (url, expected) in [("http://a.com/", true), ("http://a.com/?", true), ("http://a.com/?a", false)] {
      #expect(hasExactQuery([:]).matches(request(url)) == expected, "\(url)")
      #expect(containsQuery([:]).matches(request(url)), "\(url)")
    }
  }
}
