import Foundation
import Testing

@testable import StubKit

@Suite("A match report")
struct MatchReportTests {
  func report(_ matcher: RequestMatcher, _ url: String = "http://a.com/x?q=1") -> MatchReport {
    var facts = RequestFacts(request(url))
    return matcher.report(&facts)
  }

  @Test("lists every criterion in written order with what was expected and what was there")
  func lines() {
    let report = report(
      pathMatches("y") && isHost("a.com") && lacksHeader("A") && hasHeaderNamed("B") && isMethodPOST())
    #expect(
      report.description == #"""
        ✗ pathMatches("y"): expected a match of "y", got "/x"
        ✓ isHost("a.com")
        ✓ lacksHeader("A")
        ✗ hasHeaderNamed("B"): expected a header B, got none
        ✗ isMethodPOST(): expected POST, got GET
        """#)
    #expect(
      !report.matches
        && report.mismatches.map(\.criterion) == ["pathMatches(\"y\")", "hasHeaderNamed(\"B\")", "isMethodPOST()"])
  }

  static let rows: [(RequestMatcher, Bool, String, String?)] = [
    (isPath("/a") || isPath("/b"), false, #""/a" or "/b""#, #""/x""#),
    (isPath("/a") || isPath("/x"), true, #""/a" or "/x""#, #""/x""#),
    (isPath("/a") && isPort(1) || isHost("b"), false, #"("/a" and 1) or "b""#, #""/x", 80, "a.com""#),
    (!isHost("a.com"), false, #"not "a.com""#, #""a.com""#),
    (!(isHost("a.com") && isPort(80)), false, #"not ("a.com" and 80)"#, #""a.com", 80"#),
    (RequestMatcher("odd") { _ in false }, false, "true", "false"),
    (containsQuery("q", "2"), false, #"["q": "2"]"#, #"["q": "1"]"#),
    (hasExactQuery([:]), false, "no query", #"["q": "1"]"#), (hasJSONBody(["a": 1]), false, #"["a": 1]"#, nil),
    (isPath(template: "/u/{id}"), false, #""/u/{id}""#, #""/x""#), (pathStartsWith("/u"), false, #""/u…""#, #""/x""#),
    (.anything, true, "anything", nil),
    (.nothing, false, "no request", nil), (hasCookie("a"), false, #"a cookie "a""#, nil),
  ]

  @Test("says for one criterion what was expected and what was there", arguments: rows.indices)
  func row(index: Int) {
    let (matcher, passed, expected, actual) = Self.rows[index]
    let result = report(matcher).results[0]
    #expect(
      result.criterion == matcher.description && result.passed == passed && result.expected == expected
        && result.actual == actual)
  }

  @Test("says what is in the body")
  func body() {
    var facts = RequestFacts(post(#"{"a": {"b": 2}}"#))
    #expect(hasJSON(at: "a.b", equals: 1).report(&facts).results[0].actual == "2")
    #expect(hasJSON(at: "a.c", equals: 1).report(&facts).results[0].actual == nil)
    #expect(hasJSONBody([]).report(&facts).results[0].actual == #"["a": ["b": 2]]"#)
    var unread = RequestFacts(request("http://a/"), body: .unread)
    #expect(bodyContains("x").report(&unread).results[0].actual == "a body stream that has not been read")
  }

  @Test("agrees with the condition")
  func agrees() {
    for (matcher, _) in RequestMatcherTests.printed {
      for url in RequestMatcherTests.urls {
        #expect(report(matcher, url).matches == matcher.matches(request(url)), "\(matcher)")
      }
    }
  }
}
