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
    [hasCookie("sid", value: "abcdefghiX"), hasCookie("sid", value: "0"), hasCookie("id")],
    [
      containsQuery(["page": "2"]), containsQuery(["page": "2", "a": "1"]), containsQuery(["a": "1", "b": "2"]),
    ],
    [RequestMatcher("asked by nobody") { _ in true }, isMethodPOST(), isScheme("http"), isPath("/health"), .nothing],
    [isPath("/users/42") || isHost("x"), isPath("/health") || isHost("x")],
    [!isPath("/users/43"), !isPath("/users/43") && !isHost("api.example.com")],
  ]

  @Test("is less for what is nearer", arguments: orders.indices)
  func order(index: Int) {
    var facts = RequestFacts(Self.user)
    let distances = Self.orders[index].map { $0.distance(&facts) }
    #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 < $1 }, "\(distances)")
  }

  @Test("is less for a body that is nearer")
  func bodies() {
    var facts = RequestFacts(post(#"{"a": 1, "b": 2, "c": {"d": 3}}"#))
    let distances = [
      hasJSONBody(["a": 1, "b": 2, "c": ["d": 3]]), hasJSONBody(["a": 1, "b": 2, "c": ["d": 4]]),
      hasJSONBody(["a": 1, "b": 3, "c": ["d": 4]]), hasJSONBody(["x": 1]), hasMultipartPart(named: "x"),
    ].map { $0.distance(&facts) }
    #expect(distances[0] == 0 && zip(distances, distances.dropFirst()).allSatisfy { $0 < $1 }, "\(distances)")
  }

  @Test("is nothing just where the condition matches, and never less than the rough measure")
  func rough() {
    let conditions = RequestMatcherTests.printed.map(\.0) + Self.orders.joined() + MismatchTests.rows.map(\.0)
    let requests = RequestMatcherTests.urls.map { request($0) } + [Self.user] + MismatchTests.rows.map(\.1)
    for condition in conditions {
      for request in requests {
        var facts = RequestFacts(request)
        let (rough, exact) = (condition.distance(&facts, roughly: true), condition.distance(&facts))
        #expect(rough <= exact, "\(condition) \(request)")
        if !condition.holdsClosure { #expect((exact == 0) == condition.matches(request), "\(condition) \(request)") }
      }
    }
  }

  @Test(
    "of two texts is the share of what has to change",
    arguments: [
      ("abc", "abc", 0), ("", "", 0), ("", "abc", 100), ("abcd", "abcx", 25), ("abcd", "acd", 25), ("ab", "ba", 100),
      ("kitten", "sitting", 42), ("abc", "xyz", 100),
      (String(repeating: "a", count: 1_000), String(repeating: "a", count: 1_001), 1),
    ])
  func texts(left: String, right: String, share: Int) {
    for difference in [TextDifference(left, right), TextDifference(right, left)] {
      #expect(difference.share == share && difference.leastShare <= share)
    }
  }

  @Test(
    "of two paths counts a segment as no more than one",
    arguments: [
      ("/users/42", "/users/a1b2c3d4e5f6", 50), ("/a/b/c/x1234567890", "/a/b/c/y", 25), ("/users", "/health", 100),
      ("/", "/", 0),
    ])
  func paths(left: String, right: String, most: Int) {
    #expect(TextDifference(left, right).pathShare <= most)
  }

  @Test("of random texts is never less than the rough measure, and the same both ways")
  func randomTexts() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<500 {
      let texts = (0..<2).map { _ in
        String((0..<Int.random(in: 0...90, using: &generator)).map { _ in "ab/c".randomElement(using: &generator)! })
      }
      let (there, back) = (TextDifference(texts[0], texts[1]), TextDifference(texts[1], texts[0]))
      #expect(there.leastShare <= there.share && there.leastPathShare <= there.pathShare, "\(texts)")
      #expect(there.share == back.share && (there.share == 0) == (texts[0] == texts[1]), "\(texts)")
    }
  }
}
