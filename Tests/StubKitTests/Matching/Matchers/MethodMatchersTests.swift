import Foundation
import StubKit
import TestSupport
import Testing

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

  @Test("an empty method is a mistake")
  func emptyMethod() {
    #expect(isMethod("").mistake != nil)
  }
}
