import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The distance from a condition", .inTurn)
struct DistanceTests {
  private static let user = request(
    "https://api.example.com/users/43?page=2", headers: ["Accept": "text/html", "Cookie": "sid=abcdefghij"])

  /// Each nearer than the next.
  static let orders: [[RequestMatcher]] = [
    [isPath("/users/43"), isPath("/users/42"), isPath("/users/me"), isPath("/posts/me"), isPath("/health")],
    [
      isPath("/users/43") && isMethodPOST(), isPath("/users/43") && isHost("cdn.example.com"),
      isPath("/users/43") && isHost("elsewhere.org"),
    ],
    [isHost("api.exmaple.com"), isHost("api.other.org"), isHost("localhost")],
    [
      isURL("https://api.example.com/users/43?page=2"), isURL("https://api.example.com/users/43?page=3"),
      isURL("https://api.example.com/health"), isURL("https://elsewhere.org/health"),
    ],
    [
      isUnder("https://api.example.com/users"), isUnder("https://api.example.com/user"),
      isUnder("https://elsewhere.org"),
    ],
    [queryMatches("page", "^[0-9]$"), queryMatches("page", "^a$"), queryMatches("pge", "^[0-9]$")],
    [isPath(template: "/users/{id}"), isPath(template: "/user/{id}"), isPath(template: "/a/{b}/c/{d}/e")],
    [
      isPath(template: "/users/{id:[0-9]+}"), isPath(template: "/users/{id:[a-z]+}"),
      isPath(template: "/user/{id:[0-9]+}"),
    ],
    [isPath(template: "/{rest...}"), isPath(template: "/user/{rest...}"), isPath(template: "/a/{b}/c/{rest...}")],
    [pathStartsWith("/users"), pathStartsWith("/user5"), pathStartsWith("/quite/other")],
    [containsQuery("page", "2"), containsQuery("page", "3"), containsQuery("pge", "2")],
    [hasCookie("sid", "abcdefghiX"), hasCookie("sid", "0"), hasCookie("id")],
    [
      containsQuery(["page": "2"]), containsQuery(["page": "2", "a": "1"]), containsQuery(["a": "1", "b": "2"]),
    ],
    [RequestMatcher("asked by nobody") { _ in true }, isMethodPOST(), isScheme("http"), isPath("/health"), .nothing],
    [isPath("/users/42") || isHost("x"), isPath("/health") || isHost("x")],
    [!isPath("/users/43"), !isPath("/users/43") && !isHost("api.example.com")],
  ]

  @Test("is less for what is nearer")
  func order() {
    for conditions in Self.orders { check(conditions, Self.user) }
    let bodies = [
      hasJSONBody(["a": 1, "b": 2, "c": ["d": 3]]), hasJSONBody(["a": 1, "b": 2, "c": ["d": 4]]),
      hasJSONBody(["a": 1, "b": 3, "c": ["d": 4]]), hasJSONBody(["x": 1]), hasMultipartPart(named: "x"),
    ]
    check(bodies, post(#"{"a": 1, "b": 2, "c": {"d": 3}}"#))
  }

  private func check(_ conditions: [RequestMatcher], _ request: URLRequest) {
    for (nearer, farther) in zip(conditions, conditions.dropFirst()) {
      let registry = StubRegistry()
      let nearest = stub(condition: nearer, response: .empty(), in: registry)
      // Of equally near stubs, the newer one would come first.
      stub(condition: farther, response: .empty(), in: registry)
      let error = UnmatchedRequestError(RequestFacts(request), in: registry)
      #expect(error.nearest.first?.stub === nearest, "\(nearer) is nearer than \(farther)")
    }
  }

  @Test("is nothing where the condition matches")
  func nothing() {
    let conditions = RequestMatcherTests.printed + Self.orders.flatMap { $0 } + MismatchTests.rows.map(\.0)
    let requests = RequestMatcherTests.urls.map { request($0) } + [Self.user] + MismatchTests.rows.map(\.1)
    for condition in conditions {
      for request in requests {
        var facts = RequestFacts(request)
        let distance = condition.explainMismatch(&facts, isDetailed: false).distance
        #expect(condition.explainMismatch(&facts).distance == distance, "\(condition) \(request)")
        if !condition.holdsClosure { #expect((distance == 0) == condition.matches(request), "\(condition) \(request)") }
        // What is not met says why, and what is met has nothing to say.
        let report = condition.explain(&facts)
        #expect(report.matches == condition.matches(request), "\(condition) \(request)")
        #expect(report.results.allSatisfy { $0.passed == $0.mismatches.isEmpty }, "\(condition) \(request)")
      }
    }
  }
}
