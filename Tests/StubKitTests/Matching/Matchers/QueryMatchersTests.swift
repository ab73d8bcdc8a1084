import Foundation
import StubKit
import TestSupport
import Testing

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
