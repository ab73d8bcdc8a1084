import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Evaluation of a condition", .inTurn)
struct MatcherEvaluationTests {
  static let yes = isHost("a"), no = isHost("b"), closure = RequestMatcher("closure") { _ in true },
    body = bodyContains("x")

  static let deferred: [(RequestMatcher, Verdict)] = [
    (yes, .matches), (no, .fails), (closure, .undecided), (!closure, .undecided), (!yes, .fails), (!no, .matches),
    (yes && closure, .undecided), (closure && yes, .undecided), (no && closure, .fails), (closure && no, .fails),
    (yes || closure, .matches), (closure || yes, .matches), (no || closure, .undecided), (closure || no, .undecided),
    (!(closure && no), .matches), (!(closure || yes), .fails), (!(closure && yes), .undecided),
    (closure && .nothing, .fails), (closure || .anything, .matches), (closure && .anything, .undecided),
    (closure || .nothing, .undecided),
    ((closure || no) && (no || yes), .undecided), ((closure || yes) && (no || yes), .matches),
    ((closure || yes) && no, .fails),
    (body, .undecided), (!body, .undecided), (body && no, .fails), (body || yes, .matches), (body && yes, .undecided),
    (body && closure, .undecided), (hasJSON(at: "a", equals: nil), .undecided), (hasBody(Data()), .undecided),
  ]

  @Test("is three-valued where closures may not run and the body is unread", arguments: deferred.indices)
  func deferring(index: Int) {
    let (matcher, expected) = Self.deferred[index]
    var facts = RequestFacts(request("http://a/"), body: .unread)
    var captures = Captures()
    #expect(matcher.evaluate(&facts, closures: .defer, captures: &captures) == expected, "\(matcher)")
  }

  @Test("a body that has been read is decided without closures")
  func readBody() {
    var captures = Captures()
    for (body, expected) in [
      (RequestBody.data(Data("axb".utf8)), Verdict.matches), (.data(Data()), .fails), (.none, .fails),
    ] {
      var facts = RequestFacts(request("http://a/"), body: body)
      #expect(Self.body.evaluate(&facts, closures: .defer, captures: &captures) == expected)
    }
  }

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

  @Test("closures wait for the body, and never run where they may not", arguments: [ClosurePolicy.run, .defer])
  func closuresAfterBody(policy: ClosurePolicy) {
    let count = Protected(0)
    let counting = RequestMatcher("counts") { _ in
      count.withLock { $0 += 1 }
      return true
    }
    var captures = Captures()
    var facts = RequestFacts(post("z"))
    #expect((counting && bodyContains("a")).evaluate(&facts, closures: policy, captures: &captures) == .fails)
    #expect((counting || bodyContains("z")).evaluate(&facts, closures: policy, captures: &captures) == .matches)
    #expect(count.withLock { $0 } == 0)
    let both = (counting && bodyContains("z")).evaluate(&facts, closures: policy, captures: &captures)
    #expect(both == (policy == .run ? .matches : .undecided))
    #expect(count.withLock { $0 } == (policy == .run ? 1 : 0))
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

  @Test("captures come from the side that matched", arguments: captured.indices)
  func capturing(index: Int) {
    let (matcher, path, expected) = Self.captured[index]
    #expect(matcher.captures(request("http://a" + path)) == expected, "\(matcher)")
  }

  @Test("captures made before remain, and a failure adds none")
  func earlierCaptures() {
    var captures = Captures()
    captures.add("before", "1")
    var facts = RequestFacts(request("http://a/u/1"))
    #expect((isPath(template: "/u/{id}") && Self.no).evaluate(&facts, closures: .run, captures: &captures) == .fails)
    #expect(captures.dictionary == ["before": "1"])
    #expect(
      (isPath(template: "/u/{id}") && Self.closure).evaluate(&facts, closures: .defer, captures: &captures)
        == .undecided)
    #expect(captures.dictionary == ["before": "1"])
    #expect(captures["before"] == "1" && captures["id"] == nil)
  }
}
