import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Evaluation of a condition", .inTurn)
struct MatcherEvaluationTests {
  static let yes = isHost("a"), no = isHost("b"), closure = RequestMatcher("closure") { _ in true },
    body = bodyContains("x")

  /// What a condition can turn out to be by the head alone: `true`, `false`, or, with `nil`, both.
  static let byHead: [(RequestMatcher, Bool?)] = [
    (yes, true), (no, false), (closure, nil), (!closure, nil), (!yes, false), (!no, true),
    (yes && closure, nil), (closure && yes, nil), (no && closure, false), (closure && no, false),
    (yes || closure, true), (closure || yes, true), (no || closure, nil), (closure || no, nil),
    (!(closure && no), true), (!(closure || yes), false), (!(closure && yes), nil),
    (closure && .nothing, false), (closure || .anything, true), (closure && .anything, nil), (closure || .nothing, nil),
    ((closure || no) && (no || yes), nil), ((closure || yes) && (no || yes), true), ((closure || yes) && no, false),
    (body, nil), (!body, nil), (body && no, false), (body || yes, true), (body && yes, nil),
    (body && closure, nil), (hasJSON(at: "a", equals: nil), nil), (hasBody(Data()), nil),
  ]

  @Test("leaves open by the head what hangs on a closure or on the body")
  func head() {
    for index in Self.byHead.indices {
      let (matcher, expected) = Self.byHead[index]
      for unread in [RequestBody.unread, .data(Data(count: 100_000))] {
        var facts = RequestFacts(request("http://a/"), body: unread)
        #expect(matcher.canBe(true, &facts, readsBody: false) == (expected != false), "\(matcher)")
        #expect(matcher.canBe(false, &facts, readsBody: false) == (expected != true), "\(matcher)")
        let asksMore = !matcher.traits.stages.isDisjoint(with: [.body, .closure])
        #expect(matcher.needsTask(&facts) == (asksMore && expected != false), "\(matcher)")
      }
    }
  }

  @Test("a body that has been read, and that is short, needs no task")
  func readBody() {
    var captures = Captures()
    for (body, expected) in [(RequestBody.data(Data("axb".utf8)), true), (.data(Data()), false), (.none, false)] {
      var facts = RequestFacts(request("http://a/"), body: body)
      #expect(!Self.body.needsTask(&facts))
      #expect(Self.body.isMet(by: &facts, &captures) == expected)
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

  @Test("closures wait for the body, and never run where they may not")
  func closuresAfterBody() {
    let count = Protected(0)
    let counting = RequestMatcher("counts") { _ in
      count.withLock { $0 += 1 }
      return true
    }
    var captures = Captures()
    var facts = RequestFacts(post("z"))
    #expect(!(counting && bodyContains("a")).isMet(by: &facts, &captures))
    #expect((counting || bodyContains("z")).isMet(by: &facts, &captures))
    #expect(!((counting || isHost("a")) && (isHost("b") && counting || bodyContains("a"))).isMet(by: &facts, &captures))
    let both = counting && bodyContains("z")
    #expect(both.needsTask(&facts))
    #expect(count.withLock { $0 } == 0)
    #expect(both.isMet(by: &facts, &captures))
    #expect(count.withLock { $0 } == 1)
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

  @Test("captures made before remain, and a failure adds none")
  func earlierCaptures() {
    var captures = Captures()
    captures.add("before", "1")
    var facts = RequestFacts(request("http://a/u/1"))
    for failing in [Self.no, !Self.closure] {
      #expect(!(isPath(template: "/u/{id}") && failing).isMet(by: &facts, &captures))
      #expect(captures.dictionary == ["before": "1"])
    }
    #expect(captures["before"] == "1" && captures["id"] == nil)
  }
}
