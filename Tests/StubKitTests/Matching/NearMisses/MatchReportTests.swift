import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A match report", .inTurn)
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
        ✗ path: expected a match of "y", got /x
        ✓ isHost("a.com")
        ✓ lacksHeader("A")
        ✗ header B: expected any value, got none
        ✗ method: expected POST, got GET
        """#)
    #expect(!report.matches && report.mismatches.map(\.criterion) == ["path", "header B", "method"])
    #expect(report.results.map(\.criterion).first == #"pathMatches("y")"#)
  }

  @Test("agrees with the condition")
  func agrees() {
    for (matcher, _) in RequestMatcherTests.printed {
      for url in RequestMatcherTests.urls {
        let report = report(matcher, url)
        #expect(report.matches == matcher.matches(request(url)), "\(matcher)")
        // What is not met says why, and what is met has nothing to say.
        #expect(report.results.allSatisfy { $0.passed == $0.mismatches.isEmpty }, "\(matcher)")
      }
    }
  }

  @Test("runs a closure once")
  func closures() {
    let calls = Protected(0)
    let matcher = RequestMatcher("odd") { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    #expect(report(matcher && isHost("b")).mismatches.map(\.criterion) == [#"closure "odd""#, "host"])
    #expect(calls.withLock(\.self) == 1)
  }
}
