import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A condition with conditions in it, level upon level", .inTurn)
struct DeepConditionTests {
  enum Shape: CaseIterable {
    case negations, groups, negatedGroups

    /// A condition with that many levels, which matches requests for /a of host "b" if there is an even number of `!`.
    func condition(_ levels: Int) -> RequestMatcher {
      let closure = RequestMatcher("a closure") { $0.url?.path == "/a" }
      switch self {
      case .negations: return (0..<levels).reduce(closure) { inner, _ in !inner }
      case .groups:
        return (0..<levels).reduce(closure) { inner, level in
          level.isMultiple(of: 2) ? inner && isHost("b") : inner || isPath(template: "/never/{x}")
        }
      case .negatedGroups:
        return (0..<levels / 2).reduce(closure) { inner, level in
          level.isMultiple(of: 2) ? !(inner && isHost("b")) : !(inner || isHost("b"))
        }
      }
    }
  }

  @Test("is matched, printed, registered, explained and let go on a small stack", arguments: Shape.allCases)
  func deepest(shape: Shape) {
    let outcome = onSmallStack {
      let registry = StubRegistry()
      let condition = shape.condition(RequestMatcher.deepest)
      let stub = stub(condition: condition, response: .empty(), in: registry)
      let other = request("http://c/x")
      let explanation = registry.explain(other)
      let near = UnmatchedRequestError(RequestFacts(other), in: registry)
      return (
        condition.matches(request("http://b/a")), registry.stub(matching: request("http://b/a")) === stub,
        condition.description.count, explanation.candidates.count, near.nearest.count
      )
    }
    #expect(outcome.0 == outcome.1)
    #expect(outcome.0 == (shape != .negatedGroups))
    #expect(outcome.2 > RequestMatcher.deepest && outcome.3 == 1 && outcome.4 == 1)
  }

  @Test("is a mistake where it would be too deep, with a sentence that says what to write")
  func tooDeep() throws {
    let conditions = [
      (0..<1_000).reduce(isHost("a")) { inner, _ in !inner },
      (0..<1_000).reduce(isHost("a")) { $1.isMultiple(of: 2) ? $0 && isPath("/") : $0 || isPath("/b") },
    ]
    for condition in conditions {
      let mistake = try #require(condition.mistake)
      #expect(mistake.contains("This condition is nested more than 256 levels deep. Write it flat"))
      #expect(!condition.matches(request("http://a/")) && !(!condition).matches(request("http://b/a")))
    }
  }

  @Test("is not deep where groups of one kind are joined")
  func flat() {
    let all = (0..<2_000).reduce(RequestMatcher.anything) { $0 && isPath("/\($1)") }
    let any = (0..<2_000).map { isPath("/\($0)") }.reduce(.nothing, ||)
    #expect(!all.matches(request("http://a/1")) && any.matches(request("http://a/1999")))
  }

  @Test("knows which tests are in it without a walk through it")
  func stages() {
    let condition = Shape.groups.condition(10)
    guard case .either(_, let stages) = condition.node else {
      Issue.record("not a group")
      return
    }
    #expect(stages == [.head, .closure, .captures] && condition.stages == stages)
    #expect((!isPath(template: "/{a}") && hasBody(Data())).stages == [.head, .body])
    #expect(RequestMatcher.anything.stages == .head && (isHost("a") || .nothing).stages == .head)
  }

  @Test("says the same of the nearest alternative, however deep it lies")
  func nearest() {
    let inner = isPath("/users/42") || isPath("/users/43") && isMethodPOST() && isHost("b")
    var facts = RequestFacts(request("http://a/users/44"))
    let lines = ((inner && isMethodGET()) || isPort(81) && isHost("c")).node.mismatches(&facts).map(\.description)
    #expect(
      lines == ["path: expected /users/42, got /users/44; nearest of 2 alternatives; nearest of 2 alternatives"])
  }
}
