import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("Conditions in OHHTTPStubs' words", .inTurn)
struct OHHTTPStubsTests {
  static let yes: HTTPStubsTestBlock = { _ in true }
  static let no: HTTPStubsTestBlock = { _ in false }

  private static func sent(_ url: String = "http://x/", body: String? = nil) -> URLRequest { request(url, body: body) }

  @Test("combine closures, also with matchers")
  func truthTables() {
    let table = [
      (Self.yes && Self.yes, true), (Self.yes && Self.no, false), (Self.no && Self.yes, false),
      (Self.no && Self.no, false),
      (Self.yes || Self.yes, true), (Self.yes || Self.no, true), (Self.no || Self.yes, true),
      (Self.no || Self.no, false),
      (!Self.yes, false), (!Self.no, true), (!Self.yes || Self.no || !Self.no, true),
      (Self.yes && !Self.no && Self.yes, true), (Self.no || Self.yes && Self.no, false),
    ]
    #expect(table.map { $0.0.matches(Self.sent()) } == table.map(\.1))
    let block: HTTPStubsTestBlock = isHost("x").matches
    func isAdmin() -> HTTPStubsTestBlock { { request in request.url?.path == "/admin" } }
    let conditions = [
      block && isAdmin(), isHost("x") && isAdmin(), isAdmin() && isHost("x"), !block || isAdmin(),
      { $0.httpMethod == "GET" } && isAdmin(), block && isPath("/admin"), { $0.url?.host == "x" } && isPath("/admin"),
    ]
    for (number, condition) in conditions.enumerated() {
      #expect(condition.matches(Self.sent("http://x/admin")), "\(number)")
      #expect(!condition.matches(Self.sent("http://x/other")), "\(number)")
    }
    #expect("\(block && isPath("/a"))" == #"{ … } && isPath("/a")"#)
  }

  @Test("as closures know the paths of relative URLs")
  func relativePaths() {
    for (path, url, expected) in [
      ("foo/bar", "foo/bar", true), ("foo/bar", "foo/bar?q=1", true), ("foo/bar", "http://x/foo/bar", false),
      ("foo/bar", "foo/bar/baz", false), ("/foo/bar", "http://x/foo/bar", true), ("/foo/bar", "foo/bar", false),
    ] {
      let block: HTTPStubsTestBlock = isPath(path)
      #expect(block(Self.sent(url)) == expected, "\(path), \(url)")
    }
  }

  @Test(
    "match parameters of a query, in any order and beside others",
    arguments: [
      ("http://x/?q=1&r", true), ("http://x/?r&a=b&q=1", true), ("http://x/?q=1&r=", false), ("http://x/?q=1", false),
      ("http://x/", false), ("http://x/#?q=1&r", false),
    ])
  func queryParameters(url: String, isMatch: Bool) {
    #expect(containsQueryParams(["q": "1", "r": nil]).matches(Self.sent(url)) == isMatch)
  }

  @Test(
    "match a whole JSON body",
    arguments: [
      (#" {"a": {"id": 1.0}, "b": [true, null, 1.5]} "#, true),
      (#"{"a":{"id":true},"b":[true,null,1.5]}"#, false), (#"{"a":{"id":1},"b":[null,true,1.5]}"#, false),
      (#"{"a":{"id":1}}"#, false), (#"{"a":{"id":1},"b":[true,null,1.5],"c":0}"#, false), ("", false), ("nope", false),
    ])
  func jsonBodies(body: String, isMatch: Bool) {
    let condition = hasJsonBody(["a": ["id": 1], "b": [true, NSNull(), 1.5] as [Any]])
    #expect(condition.matches(Self.sent(body: body)) == isMatch)
  }

  @Test("make a mistake of a JSON body that is no JSON")
  func noJSON() {
    #expect(hasJsonBody(["when": Date()]).mistake?.contains("hasJsonBody received a value that is not JSON") == true)
  }

  @Test(
    "match all fields of a form, in any order",
    arguments: [("b=%202&a", true), ("a&b=+2", true), ("a=&b=+2", false), ("a", false)])
  func forms(body: String, isMatch: Bool) {
    let condition = hasFormBody([URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: " 2")])
    #expect(condition.matches(Self.sent(body: body)) == isMatch)
  }

  @Test("match no form that has fields with an empty list of them")
  func emptyForm() { #expect(!hasFormBody([:]).matches(Self.sent(body: "a=1"))) }

  @Test("have a name for the body of a request")
  func bodyOfRequest() {
    #expect(Self.sent(body: "abc").ohhttpStubs_httpBody == Data("abc".utf8))
    #expect(Self.sent().ohhttpStubs_httpBody == nil)
  }
}
