import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Body matchers", .inTurn)
struct BodyMatchersTests {
  @Test("hasBody compares bytes, and no body is an empty one")
  func bytes() {
    #expect(hasBody(Data("abc".utf8)).matches(post("abc")))
    #expect(!hasBody(Data("abc".utf8)).matches(post("abcd")))
    #expect(!hasBody(Data("é".utf8)).matches(post("e\u{301}")))
    #expect(!hasBody(Data("abc".utf8)).matches(request("http://a/")))
    #expect(hasBody(Data()).matches(request("http://a/")) && hasBody(Data()).matches(post("")))
  }

  @Test(
    "bodyContains looks for UTF-8 bytes",
    arguments: [
      ("needle", "hay needle hay", true), ("needle", "hay", false), ("", "", true), ("é", "café", true),
      ("é", "cafe\u{301}", false),
      ("a", "", false),
    ])
  func text(text: String, body: String, expected: Bool) {
    #expect(bodyContains(text).matches(post(body)) == expected)
  }

  @Test(
    "hasFormBody allows any order, tells nil from empty, and nothing further",
    arguments: [
      ("a=1&b&c=", true), ("c=&b&a=1", true), ("a=%31&b&&c=", true), ("a=1&b&c=&a=1", true), ("a=1&b=&c=", false),
      ("a=1&b&c", false), ("a=2&b&c=", false), ("a=1&c=", false), ("a=1&b&c=&d", false), ("A=1&b&c=", false),
      ("", false),
    ])
  func form(body: String, expected: Bool) {
    #expect(hasFormBody(["a": "1", "b": nil, "c": ""]).matches(post(body)) == expected)
  }

  @Test(
    "in a form a + is a space",
    arguments: [
      ("x=a+b", "a b", true), ("x=a%2Bb", "a+b", true), ("x=a+b", "a+b", false), ("x=%C3%A9", "é", true),
      ("x=+\u{301}", " \u{301}", true),
    ])
  func formSpace(body: String, value: String, expected: Bool) {
    #expect(hasFormBody(["x": value]).matches(post(body)) == expected)
  }

  @Test(
    "in a form a percent sign that encodes nothing stays, and what is not UTF-8 is replaced",
    arguments: [
      ("x=50%+off%21", "50% off!"), ("x=%", "%"), ("x=%2", "%2"), ("x=%+1%zz%%41", "% 1%zz%A"),
      ("x=a%FFb", "a\u{FFFD}b"),
      ("x=%00", "\0"), ("x=%e2%82%AC", "€"),
    ])
  func formPercent(body: String, value: String) {
    #expect(hasFormBody(["x": value]).matches(post(body)))
  }

  @Test(
    "hasFormBody with items counts repeated fields",
    arguments: [
      ("t=a&t=b&u", true), ("u&t=b&t=a", true), ("t=a&t=b&t=b&u", false), ("t=a&u", false), ("t=a&t=b&u=", false),
    ])
  func formItems(body: String, expected: Bool) {
    let matcher = hasFormBody(
      URLQueryItem(name: "t", value: "b"), URLQueryItem(name: "u", value: nil), URLQueryItem(name: "t", value: "a"))
    #expect(matcher.matches(post(body)) == expected)
  }
}
