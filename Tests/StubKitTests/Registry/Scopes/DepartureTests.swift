import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Whether a request may leave for the network")
struct DepartureTests {
  private static let registry = StubRegistry()
  private static let (one, two) = (
    OpenScopes.Inferred.only(RegistryReference(registry), []), OpenScopes.Inferred.several([])
  )
  private static let (global, never, ended) = (
    OpenScopes.Inferred.global(isAlone: false), OpenScopes.Inferred.never, OpenScopes.Inferred.ended("aTest()")
  )

  /// The rows of the table in *Parallel tests*, by their sentences, with what becomes of requests that no scope claims.
  /// One that "departs" goes to the network, one that "stays" is answered by stubs, "hangsOnStubs" means that it leaves
  /// only if no stub is for it, and one that is "late" or "unclear" fails. `isKept` is what the stubs say.
  private static let rows: [(situation: String, departures: [(Departure, String)])] = [
    (
      "The global registry is enabled.",
      [
        (Departure(global, isLoopback: false), "stays"), (Departure(global, isLoopback: true, isKept: false), "stays"),
        (Departure(isLate: true, isUnscoped: true, global, isLoopback: true), "stays"),
      ]
    ),
    (
      "The process has never had a scope.",
      [(Departure(never, isLoopback: false), "departs"), (Departure(never, isLoopback: true), "departs")]
    ),
    (
      "The request is for a loopback host, and the innermost open scope, or each of several side by side, has no stub for "
        + "it.",
      [
        (Departure(one, isLoopback: true), "hangsOnStubs"),
        (Departure(one, isLoopback: true, isKept: false), "departs"),
        (Departure(two, isLoopback: true), "hangsOnStubs"),
        (Departure(two, isLoopback: true, isKept: false), "departs"),
        (Departure(ended, isLoopback: true), "departs"),
      ]
    ),
    (
      "One scope is open, or each open scope is nested in the next.",
      [
        (Departure(one, isLoopback: false), "stays"), (Departure(one, isLoopback: true, isKept: true), "stays"),
        (Departure(one, isLoopback: false, unscoped: .passThrough), "stays"),
      ]
    ),
    (
      "Several scopes are open side by side.",
      [
        (Departure(two, isLoopback: false), "unclear"), (Departure(two, isLoopback: true, isKept: true), "unclear"),
        (Departure(two, isLoopback: false, unscoped: .passThrough), "unclear"),
      ]
    ),
    (
      "No scope is open any more.",
      [
        (Departure(ended, isLoopback: false), "late"),
        (Departure(ended, isLoopback: false, unscoped: .passThrough), "departs"),
      ]
    ),
  ]

  @Test("is as the table of the guide says")
  func table() {
    for (situation, departures) in Self.rows {
      for (number, (departure, expected)) in departures.enumerated() {
        #expect("\(departure)" == expected, "\(situation) Number \(number) of its list.")
      }
    }
  }

  @Test("has a row in the guide for each situation, in the same order")
  func situations() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/StubKit/StubKit.docc/ParallelTests.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    let table = try #require(guide.components(separatedBy: "| Situation | What happens |\n| --- | --- |\n").last)
    let situations = table.prefix { $0 != "#" }.split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
      $0.components(separatedBy: "|")[1].trimmingCharacters(in: .whitespaces)
    }
    #expect(situations == Self.rows.map(\.situation))
  }

  @Test("is yes for a test without a scope, and no for a callback whose scope is over")
  func known() {
    for owner in [Self.never, Self.ended, Self.one, Self.two] {
      for isLoopback in [false, true] {
        let unscoped = Departure(isUnscoped: true, owner, isLoopback: isLoopback)
        let late = Departure(isLate: true, isUnscoped: true, owner, isLoopback: isLoopback, unscoped: .passThrough)
        #expect("\(unscoped)" == "departs", "\(owner) \(isLoopback)")
        #expect("\(late)" == "late", "\(owner) \(isLoopback)")
      }
    }
  }

  /// Which policy there is, and whether there is a network, are rows of IssueTableTests.
  @Test("is up to the policy if no stub matches, but for a local server's request whose scope is a guess")
  func unmatched() {
    let registry = StubRegistry()
    stub(condition: isPath("/a"), response: .ok, in: registry)
    // It leaves only if it goes to this machine, has its scope by a mere guess, and no stub is for its path.
    for (address, confidence, expected) in [
      ("http://127.0.0.1/b", .onlyScope, "departs"),
      ("http://127.0.0.1/b", .certain, "followsPolicy(StubKit.UnmatchedPolicy.Kind.fail)"),
      ("http://127.0.0.1/a", .onlyScope, "followsPolicy(StubKit.UnmatchedPolicy.Kind.fail)"),
      ("http://a.example/b", .onlyScope, "followsPolicy(StubKit.UnmatchedPolicy.Kind.fail)"),
    ] as [(String, AttributionConfidence, String)] {
      let departure = registry.departure(ofUnmatched: IncomingRequest(request(address)), confidence)
      #expect("\(departure)" == expected, "\(address) \(confidence)")
    }
    registry.loopback = .fail
    let kept = registry.departure(ofUnmatched: IncomingRequest(request("http://127.0.0.1/b")), .onlyScope)
    #expect("\(kept)" == "followsPolicy(StubKit.UnmatchedPolicy.Kind.fail)")
  }
}
