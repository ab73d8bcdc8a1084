import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitOHHTTPStubs

@Suite("Conditions in OHHTTPStubs' words", .inTurn)
struct OHHTTPStubsTests {
  static let yes: HTTPStubsTestBlock = { _ in true }
  static let no: HTTPStubsTestBlock = { _ in false }

  static func request(_ url: String = "http://x/", body: String? = nil) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpBody = body.map { Data($0.utf8) }
    return request
  }

  @Test(
    "combine closures",
    arguments: [
      (yes && yes, true), (yes && no, false), (no && yes, false), (no && no, false),
      (yes || yes, true), (yes || no, true), (no || yes, true), (no || no, false),
      (!yes, false), (!no, true), (!yes || no || !no, true), (yes && !no && yes, true), (no || yes && no, false),
    ])
  func truthTables(condition: RequestMatcher, expected: Bool) throws {
    #expect(try condition.matches(Self.request()) == expected)
  }

  @Test("combine closures with matchers")
  func mixing() throws {
    let block: HTTPStubsTestBlock = isHost("x").matches
    func isAdmin() -> HTTPStubsTestBlock { { request in request.url?.path == "/admin" } }
    let conditions = [
      block && isAdmin(), isHost("x") && isAdmin(), isAdmin() && isHost("x"), !block || isAdmin(),
      { $0.httpMethod == "GET" } && isAdmin(), block && isPath("/admin"), { $0.url?.host == "x" } && isPath("/admin"),
    ]
    for condition in conditions {
      #expect(try condition.matches(Self.request("http://x/admin")))
      #expect(try !condition.matches(Self.request("http://x/other")))
    }
    #expect("\(block && isPath("/a"))" == #"{ … } && isPath("/a")"#)
  }

  @Test(
    "as closures know the paths of relative URLs",
    arguments: [
      ("foo/bar", "foo/bar", true), ("foo/bar", "foo/bar?q=1", true), ("foo/bar", "http://x/foo/bar", false),
      ("foo/bar", "foo/bar/baz", false), ("/foo/bar", "http://x/foo/bar", true), ("/foo/bar", "foo/bar", false),
    ])
  func relativePaths(path: String, url: String, expected: Bool) throws {
    let block: HTTPStubsTestBlock = isPath(path)
    #expect(try block(Self.request(url)) == expected)
  }

  @Test("leave && and || of Bool as they are")
  func booleans() {
    let (id, name) = (2, "u")
    let flag = id > 3 && name.isEmpty || !name.hasPrefix("x") && id < 10 || id == 3 && name == "u"
    #expect(flag)
  }

  @Test(
    "look for query parameters",
    arguments: [
      ("http://x/?q=1&r", true), ("http://x/?r&a=b&q=1", true), ("http://x/?q=1&r=", false), ("http://x/?q=1", false),
      ("http://x/", false), ("http://x/#?q=1&r", false),
    ])
  func queryParameters(url: String, expected: Bool) throws {
    #expect(try containsQueryParams(["q": "1", "r": nil]).matches(Self.request(url)) == expected)
  }

  @Test(
    "compare a JSON body",
    arguments: [
      (#"{"b":[true,null,1.5],"a":{"id":1}}"#, true), (#" {"a": {"id": 1.0}, "b": [true, null, 1.5]} "#, true),
      (#"{"a":{"id":true},"b":[true,null,1.5]}"#, false), (#"{"a":{"id":1},"b":[null,true,1.5]}"#, false),
      (#"{"a":{"id":1}}"#, false), (#"{"a":{"id":1},"b":[true,null,1.5],"c":0}"#, false), ("", false), ("nope", false),
    ])
  func jsonBody(body: String, expected: Bool) throws {
    let condition = hasJsonBody(["a": ["id": 1], "b": [true, NSNull(), 1.5] as [Any]])
    #expect(try condition.matches(Self.request(body: body)) == expected)
  }

  @Test("compare a form's items", arguments: [("b=%202&a", true), ("a&b=+2", true), ("a=&b=+2", false), ("a", false)])
  func formBody(body: String, expected: Bool) throws {
    let condition = hasFormBody([URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: " 2")])
    #expect(try condition.matches(Self.request(body: body)) == expected)
    #expect(try hasFormBody([:]).matches(Self.request(body: body)) == false)
  }

  @Test("name the body")
  func body() throws {
    #expect(try Self.request(body: "abc").ohhttpStubs_httpBody == Data("abc".utf8))
    #expect(URLRequest(url: URL(string: "http://a.example/")!).ohhttpStubs_httpBody == nil)
  }

  @Test("are a mistake for a JSON body that is no JSON")
  func notJSON() {
    #expect(hasJsonBody(["when": Date()]).mistake?.contains("hasJsonBody received a value that is not JSON") == true)
  }
}
