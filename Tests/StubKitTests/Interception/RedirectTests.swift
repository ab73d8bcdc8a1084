import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A redirect", .inTurn)
struct RedirectTests {
  private func redirect(
    _ status: Int, _ location: String?, method: String = "GET", from text: String = "https://a.example:8443/b/c?d=e#f"
  ) -> Redirect? {
    var request = URLRequest(url: url(text))
    request.httpMethod = method
    request.httpBody = Data("body".utf8)
    request.setValue("kept", forHTTPHeaderField: "X-Mark")
    let response = HTTPURLResponse(
      url: url(text), statusCode: status, httpVersion: nil, headerFields: location.map { ["Location": $0] })!
    return Redirect(response, of: request)
  }

  @Test(
    "is followed for the statuses that lead somewhere else",
    arguments: [
      (301, true), (302, true), (303, true), (305, true), (306, true), (307, true), (308, true),
      (200, false), (201, false), (300, false), (304, false), (309, false), (400, false),
    ])
  func statuses(status: Int, isFollowed: Bool) {
    #expect((redirect(status, "/next") != nil) == isFollowed)
  }

  @Test("is none without a Location")
  func noLocation() { #expect(redirect(302, nil) == nil) }

  @Test(
    "turns POST into GET where HTTP says so, and any method for See Other",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
      (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "HEAD", "GET"), (307, "HEAD", "HEAD"),
      (302, "GET", "GET"),
    ])
  func methods(status: Int, method: String, next: String) throws {
    let request = try #require(redirect(status, "/next", method: method)).request
    #expect(request.httpMethod == next)
    #expect((request.httpBody == nil) == (next == "GET" && (method == "POST" || status == 303)))
  }

  @Test("keeps the request's headers")
  func headers() throws {
    let request = try #require(redirect(302, "https://b.example/")).request
    #expect(request.value(forHTTPHeaderField: "X-Mark") == "kept")
  }

  @Test(
    "leads where its Location says, relative to the request's URL (RFC 3986)",
    arguments: [
      ("https://b.example/x?y#z", "https://b.example/x?y#z"),
      ("http://b.example", "http://b.example"),
      ("//b.example/x", "https://b.example/x"),
      ("//b.example:1/x", "https://b.example:1/x"),
      ("/x", "https://a.example:8443/x"),
      ("x/y", "https://a.example:8443/b/x/y"),
      ("../x", "https://a.example:8443/x"),
      ("?q=1", "https://a.example:8443/b/c?q=1"),
      ("/x?q=a%20b", "https://a.example:8443/x?q=a%20b"),
      ("/a%20b", "https://a.example:8443/a%20b"),
      ("other:x", "other:x"),
      ("app://callback?code=1", "app://callback?code=1"),
    ])
  func targets(location: String, target: String) throws {
    #expect(try #require(redirect(302, location)).request.url?.absoluteString == target)
  }

  @Test("is none where its Location can't be made a URL", arguments: ["", "http://a b/", "http://[", "//[::1"])
  func noTarget(location: String) { #expect(redirect(302, location) == nil) }
}
