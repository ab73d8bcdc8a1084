import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Header matchers", .inTurn)
struct HeaderMatchersTests {
  @Test(
    "compare names without case and values with",
    arguments: [
      (["X-Foo": "Bar"], true, true), (["x-foo": "Bar"], true, true), (["X-Foo": "bar"], true, false),
      (["X-Foo": ""], true, false),
      (["X-Bar": "Bar"], false, false), ([:], false, false),
    ])
  func headers(headers: [String: String], isThere: Bool, isEqual: Bool) {
    let request = request("http://a.com/", headers: headers)
    #expect(hasHeaderNamed("X-FOO").matches(request) == isThere)
    #expect(lacksHeader("x-foo").matches(request) == !isThere)
    #expect(hasHeaderNamed("X-Foo", value: "Bar").matches(request) == isEqual)
  }

  @Test("headerMatches searches the value and captures named groups")
  func pattern() {
    let matcher = headerMatches("authorization", "^bearer (?<token>.+)", options: .caseInsensitive)
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Bearer abc"])) == ["token": "abc"])
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Basic abc"])) == nil)
    #expect(matcher.captures(request("http://a.com")) == nil)
  }

  @Test(
    "cookies are pairs of the Cookie header",
    arguments: [
      ("a=b", true, true), ("x=y; a=b", true, true), ("x=y;a=b ;z=1", true, true), ("a=c", true, false),
      ("a=", true, false),
      ("A=b", false, false), ("x=a=b", false, false), ("a", false, false), ("a=\"b\"", true, false),
      ("a=c; a=b", true, true),
    ])
  func cookies(header: String, isThere: Bool, isEqual: Bool) {
    let request = request("http://a.com/", headers: ["Cookie": header])
    #expect(hasCookie("a").matches(request) == isThere)
    #expect(hasCookie("a", value: "b").matches(request) == isEqual)
    #expect(!hasCookie("a").matches(TestSupport.request("http://a.com/?a=b")))
  }

  @Test(
    "basic authentication is decoded",
    arguments: [
      ("Basic dTpwOng=", "u", "p:x", true), ("basic  dTpwOng=", "u", "p:x", true), ("Basic dTpwOng=", "u", "p", false),
      ("Bearer dTpwOng=", "u", "p:x", false), ("Basic ***", "u", "p:x", false), ("Basic", "", "", false),
      ("Basic Og==", "", "", true),
      ("Basic w6k6w6k=", "é", "é", true), ("Basic dTrMgQ==", "u", "\u{301}", true),
    ])
  func basicAuth(header: String, user: String, password: String, expected: Bool) {
    let request = request("http://a.com/", headers: ["Authorization": header])
    #expect(hasBasicAuth(user: user, password: password).matches(request) == expected)
  }

  @Test("names that are none are mistakes")
  func mistakes() {
    #expect(hasHeaderNamed("").mistake != nil)
    #expect(hasHeaderNamed("Accept:").mistake != nil)
    #expect(hasHeaderNamed("X Y", value: "z").mistake != nil)
    #expect(lacksHeader("é").mistake != nil)
    #expect(headerMatches("A", "[").mistake != nil)
    #expect(hasCookie("a=b").mistake != nil)
    #expect(hasBasicAuth(user: "a:b", password: "").mistake != nil)
  }
}
