import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Header matchers", .inTurn)
struct HeaderMatchersTests {
  @Test("compare names without case and values with")
  func headers() {
    for (headers, isThere, isEqual) in [
      (["X-Foo": "Bar"], true, true), (["x-foo": "Bar"], true, true), (["X-Foo": "bar"], true, false),
      (["X-Foo": ""], true, false),
      (["X-Bar": "Bar"], false, false), ([:], false, false),
    ] {
      let request = request("http://a.com/", headers: headers)
      #expect(hasHeader("X-FOO").matches(request) == isThere, "\(headers)")
      #expect(lacksHeader("x-foo").matches(request) == !isThere, "\(headers)")
      #expect(hasHeader("X-Foo", "Bar").matches(request) == isEqual, "\(headers)")
    }
  }

  @Test("take a value of a list, and a whole list in either form")
  func lists() {
    for (name, sent, value, expected) in [
      ("Accept", "text/html,*/*", "text/html", true), ("Accept", "text/html, */*", "*/*", true),
      ("Accept", "text/html,*/*", "text/html, */*", true), ("Accept", "text/html, */*", "text/html,*/*", true),
      ("Accept", "a, b,c", "b, c", true), ("Accept", "a, b, c", "a, c", false), ("Accept", "a;q=1, b", "a", false),
      ("If-None-Match", #""a,b", W/"c\",""#, #""a,b""#, true), ("If-None-Match", #""a,b""#, #""a"#, false),
      ("If-None-Match", #""a\",b", "c""#, #""c""#, true), ("X-Tag", ", ,1", "1", true), ("X-Tag", "12, 3", "1", false),
      ("User-Agent", "A (KHTML, like Gecko)", "A (KHTML", false), ("user-agent", " A, b ", "A, b", true),
      ("If-Modified-Since", "Tue, 15 Nov 1994 12:45:26 GMT", "Tue", false), ("Cookie", "a=1, b=2", "a=1", false),
      ("Set-Cookie", "a=1, b=2", "a=1", false), ("X-Tag", "", "", true), ("X-Tag", "1,2", "", false),
      ("X-Tag", #"a,"z\"#, "a", true), ("X-Tag", "a", #"a,"z\"#, false),
    ] {
      let (request, registry) = (request("http://a.com/", headers: [name: sent]), StubRegistry())
      #expect(hasHeader(name, value).matches(request) == expected, "\(name)")
      stub(condition: hasHeader(name, value), response: .empty(), in: registry)
      #expect((registry.stub(matching: request) != nil) == expected, "\(name)")
    }
  }

  @Test("headerMatches searches the value and captures named groups")
  func pattern() {
    let matcher = headerMatches("authorization", "^bearer (?<token>.+)", options: .caseInsensitive)
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Bearer abc"])) == ["token": "abc"])
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Basic abc"])) == nil)
    #expect(matcher.captures(request("http://a.com")) == nil)
  }

  @Test("cookies are pairs of the Cookie header")
  func cookies() {
    for (header, isThere, isEqual) in [
      ("a=b", true, true), ("x=y; a=b", true, true), ("x=y;a=b ;z=1", true, true), ("a=c", true, false),
      ("a=", true, false),
      ("A=b", false, false), ("x=a=b", false, false), ("a", false, false), ("a=\"b\"", true, false),
      ("a=c; a=b", true, true),
    ] {
      let request = request("http://a.com/", headers: ["Cookie": header])
      #expect(hasCookie("a").matches(request) == isThere, "\(header)")
      #expect(hasCookie("a", "b").matches(request) == isEqual, "\(header)")
      #expect(!hasCookie("a").matches(TestSupport.request("http://a.com/?a=b")), "\(header)")
    }
  }

  @Test("basic authentication is decoded")
  func basicAuth() {
    for (header, user, password, expected) in [
      ("Basic dTpwOng=", "u", "p:x", true), ("basic  dTpwOng=", "u", "p:x", true), ("Basic dTpwOng=", "u", "p", false),
      ("Bearer dTpwOng=", "u", "p:x", false), ("Basic ***", "u", "p:x", false), ("Basic", "", "", false),
      ("Basic Og==", "", "", true),
      ("Basic w6k6w6k=", "é", "é", true), ("Basic dTrMgQ==", "u", "\u{301}", true),
    ] {
      let request = request("http://a.com/", headers: ["Authorization": header])
      #expect(hasBasicAuth(user: user, password: password).matches(request) == expected, "\(header)")
    }
  }
}

@Suite("hasBearerToken", .inTurn)
struct BearerTokenTests {
  @Test("compares the scheme without case and the token with")
  func tokens() {
    for (header, isThere, isEqual) in [
      ("Bearer abc", true, true), ("bearer  abc ", true, true), ("BEARER abc", true, true), ("Bearer ABC", true, false),
      ("Bearer abc.def", true, false), ("Bearer", false, false), ("Bearer ", false, false), ("Basic abc", false, false),
      ("abc", false, false),
    ] {
      let request = request("http://a.com/", headers: ["Authorization": header])
      #expect(hasBearerToken().matches(request) == isThere, "\(header)")
      #expect(hasBearerToken("abc").matches(request) == isEqual, "\(header)")
      #expect(!hasBearerToken().matches(TestSupport.request("http://a.com/")), "\(header)")
    }
  }

  @Test("prints as it was written, and says what came instead")
  func report() {
    #expect("\(hasBearerToken())" == "hasBearerToken()")
    #expect("\(hasBearerToken("abc"))" == #"hasBearerToken("abc")"#)
    #expect(
      mismatches(of: hasBearerToken("abc"), ["Authorization": "Bearer abd"]) == [
        #"bearer token: expected "abc", got "abd""#
      ])
    #expect(mismatches(of: hasBearerToken(), [:]) == ["bearer token: expected any value, got none"])
    #expect(
      mismatches(of: !hasBearerToken(), ["Authorization": "Bearer abc"]) == [
        #"bearer token: expected none, got "abc""#
      ])
  }

  private func mismatches(of condition: RequestMatcher, _ headers: [String: String]) -> [String] {
    condition.mismatches(request("http://a.com/", headers: headers)).map(\.description)
  }
}
