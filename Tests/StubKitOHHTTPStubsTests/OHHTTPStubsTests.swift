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

  @Test("combine closures")
  func truthTables() throws {
    for (condition, expected) in [
      (Self.yes && Self.yes, true), (Self.yes && Self.no, false), (Self.no && Self.yes, false),
      (Self.no && Self.no, false),
      (Self.yes || Self.yes, true), (Self.yes || Self.no, true), (Self.no || Self.yes, true),
      (Self.no || Self.no, false),
      (!Self.yes, false), (!Self.no, true), (!Self.yes || Self.no || !Self.no, true),
      (Self.yes && !Self.no && Self.yes, true), (Self.no || Self.yes && Self.no, false),
    ] {
      #expect(try condition.matches(Self.request()) == expected, "\(condition)")
    }
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

  @Test("as closures know the paths of relative URLs")
  func relativePaths() throws {
    for (path, url, expected) in [
      ("foo/bar", "foo/bar", true), ("foo/bar", "foo/bar?q=1", true), ("foo/bar", "http://x/foo/bar", false),
      ("foo/bar", "foo/bar/baz", false), ("/foo/bar", "http://x/foo/bar", true), ("/foo/bar", "foo/bar", false),
    ] {
      let block: HTTPStubsTestBlock = isPath(path)
      #expect(try block(Self.request(url)) == expected, "\(path)")
    }
  }

  @Test("leave && and || of Bool as they are")
  func booleans() {
    let (id, name) = (2, "u")
    let flag = id > 3 && name.isEmpty || !name.hasPrefix("x") && id < 10 || id == 3 && name == "u"
    #expect(flag)
  }

  @Test("look for query parameters")
  func queryParameters() throws {
    for (url, expected) in [
      ("http://x/?q=1&r", true), ("http://x/?r&a=b&q=1", true), ("http://x/?q=1&r=", false), ("http://x/?q=1", false),
      ("http://x/", false), ("http://x/#?q=1&r", false),
    ] {
      #expect(try containsQueryParams(["q": "1", "r": nil]).matches(Self.request(url)) == expected, "\(url)")
    }
  }

  @Test("compare a JSON body")
  func jsonBody() throws {
    for (body, expected) in [
      (#"{"b":[true,null,1.5],"a":{"id":1}}"#, true), (#" {"a": {"id": 1.0}, "b": [true, null, 1.5]} "#, true),
      (#"{"a":{"id":true},"b":[true,null,1.5]}"#, false), (#"{"a":{"id":1},"b":[null,true,1.5]}"#, false),
      (#"{"a":{"id":1}}"#, false), (#"{"a":{"id":1},"b":[true,null,1.5],"c":0}"#, false), ("", false), ("nope", false),
    ] {
      let condition = hasJsonBody(["a": ["id": 1], "b": [true, NSNull(), 1.5] as [Any]])
      #expect(try condition.matches(Self.request(body: body)) == expected, "\(body)")
    }
  }

  @Test("compare a form's items")
  func formBody() throws {
    for (body, expected) in [("b=%202&a", true), ("a&b=+2", true), ("a=&b=+2", false), ("a", false)] {
      let condition = hasFormBody([URLQueryItem(name: "a", value: nil), URLQueryItem(name: "b", value: " 2")])
      #expect(try condition.matches(Self.request(body: body)) == expected, "\(body)")
      #expect(try hasFormBody([:]).matches(Self.request(body: body)) == false, "\(body)")
    }
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
