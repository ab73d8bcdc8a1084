import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Evaluation of a condition", .inTurn)
struct MatcherEvaluationTests {
  static let yes = isHost("a"), no = isHost("b"), closure = RequestMatcher("closure") { _ in true }

  @Test("an unread stream matches no criterion of the body where closures run")
  func unreadStream() {
    let request = request("http://a/", method: "POST", streamed: "x")
    #expect(!bodyContains("x").matches(request))
    #expect(!hasBody(Data()).matches(request))
    #expect(request.httpBodyStream?.streamStatus == .notOpen)
  }

  @Test(
    "closures run last, once, and only if they matter",
    arguments: [
      ("http://a/x", 1), ("http://b/x", 0), ("http://a/y", 0),
    ])
  func closuresRunLast(url: String, expected: Int) {
    let count = Protected(0)
    let counting = RequestMatcher("counts") { _ in
      count.withLock { $0 += 1 }
      return true
    }
    let matcher = counting && isHost("a") && (pathMatches("^/x") && !bodyContains("z"))
    #expect(matcher.matches(request(url)) == (expected == 1))
    #expect(count.withLock { $0 } == expected)
  }

  static let captured: [(RequestMatcher, String, [String: String]?)] = [
    (isPath(template: "/u/{id}") || isPath(template: "/p/{name}"), "/u/1", ["id": "1"]),
    (isPath(template: "/u/{id}") || isPath(template: "/p/{name}"), "/p/x", ["name": "x"]),
    (isPath(template: "/u/{id}") && no || isPath(template: "/{kind}/{x}"), "/u/1", ["kind": "u", "x": "1"]),
    (isPath(template: "/u/{id}") || isPath(template: "/{a}/{b}"), "/u/1", ["id": "1"]),
    (isPath(template: "/u/{id}") || yes, "/u/1", ["id": "1"]), (yes || isPath(template: "/u/{id}"), "/u/1", [:]),
    (isPath(template: "/u/{id}") && closure || yes, "/u/1", ["id": "1"]),
    (isPath(template: "/u/{id}") && !closure || yes, "/u/1", [:]),
    (!isPath(template: "/u/{id}"), "/x", [:]), (!(!isPath(template: "/u/{id}")), "/u/1", [:]),
    (isPath(template: "/u/{id}"), "/x", nil),
    (isPath(template: "/u/{id}") && pathMatches("(?<digit>\\d)"), "/u/12", ["id": "12", "digit": "1"]),
    (isPath(template: "/{id}/1") && isPath(template: "/u/{id}"), "/u/1", ["id": "1"]),
  ]

  @Test("captures come from the side that matched")
  func capturing() {
    for index in Self.captured.indices {
      let (matcher, path, expected) = Self.captured[index]
      #expect(matcher.captures(request("http://a" + path)) == expected, "\(matcher)")
    }
  }
}
