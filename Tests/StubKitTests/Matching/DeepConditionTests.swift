import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A deep or long condition", .inTurn)
struct DeepConditionTests {
  enum Shape: CaseIterable {
    case negations, groups, negatedGroups

    /// A condition with that many levels. Requests for /a of host "b" match an even number of negations, and each
    /// number of groups.
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

  @Test("needs no more than a small stack", arguments: Shape.allCases)
  func deepest(shape: Shape) {
    let outcome = onSmallStack {
      let registry = StubRegistry()
      let condition = shape.condition(RequestMatcher.deepest)
      let stub = stub(condition: condition, response: .status(204), in: registry)
      let other = request("http://c/x")
      let explanation = registry.explain(other)
      let near = UnmatchedRequestError(RequestFacts(other), in: registry)
      return (
        matches: condition.matches(request("http://b/a")),
        answers: registry.answerer(of: request("http://b/a")) === stub, length: condition.description.count,
        explained: explanation.candidates.count, near: near.nearest.count
      )
    }
    // The outermost of the negated groups is `!(… || isHost("b"))`, which no request of host "b" matches.
    #expect(outcome.matches == (shape != .negatedGroups))
    #expect(outcome.answers == outcome.matches)
    #expect(outcome.length > RequestMatcher.deepest)
    #expect(outcome.explained == 1)
    #expect(outcome.near == 1)
  }

  @Test("that is too deep is a mistake, however deep it is", arguments: [66, 4_000, 20_000])
  func tooDeep(levels: Int) {
    let outcomes = onSmallStack { Shape.allCases.map { Outcome(of: $0.condition(2 * levels)) } }
    let cure = "is nested more than 64 levels deep. Join the alternatives in one go, as in "
    #expect(outcomes.allSatisfy { $0.mistake?.contains(cure) == true }, "\(outcomes.map(\.mistake))")
    // What is left of it matches nothing, and is printed and explained like any other mistake.
    #expect(outcomes.allSatisfy { !$0.isMet && !$0.isDecided }, "\(outcomes)")
    #expect(outcomes.allSatisfy { $0.description.count < 5_000 })
  }

  /// What each walk over a condition finds.
  private struct Outcome {
    let mistake: String?
    let description: String
    let isMet, isDecided: Bool

    init(of condition: RequestMatcher) {
      var facts = RequestFacts(request("http://b/a"))
      (mistake, description) = (condition.mistake, condition.description)
      (isMet, isDecided) = (condition.isMet(by: &facts), CompiledCondition(condition).decides)
      // These only have to come to an end on a small stack.
      _ = condition.requiredValues()
      _ = condition.node.explainMismatch(&facts)
    }
  }

  @Test("that a loop nests, one level more with each alternative, is one")
  func loop() {
    let mistake = onSmallStack {
      (0..<4_000).reduce(RequestMatcher.nothing) { any, number in (any && isHost("a")) || isPath("/\(number)") }.mistake
    }
    #expect(mistake?.contains("alternatives.reduce(.nothing, ||)") == true)
  }

  private static func paths(_ range: Range<Int>) -> [RequestMatcher] { range.map { isPath("/\($0)") } }

  private static func text(_ range: Range<Int>) -> String {
    range.map { "isPath(\"/\($0)\")" }.joined(separator: " || ")
  }

  private static let lengths = [1, 2, 15, 16, 17, 33, 100, 2_000]

  @Test("of many alternatives is met by each of them and nothing else, whatever its length", arguments: lengths)
  func alternatives(count: Int) {
    let condition = Self.paths(0..<count).dropFirst().reduce(isPath("/0"), ||)
    for number in [0, count - 1] { #expect(condition.matches(request("http://a/\(number)"))) }
    #expect(!condition.matches(request("http://a/\(count)")))
    let registry = StubRegistry()
    let stub = stub(condition: condition, response: .status(204), in: registry)
    #expect(registry.answerer(of: request("http://a/0")) === stub)
  }

  @Test("of many parts that must not be met is met by anything else, whatever its length", arguments: lengths)
  func exclusions(count: Int) {
    let condition = Self.paths(0..<count).reduce(.anything) { $0 && !$1 }
    #expect(condition.matches(request("http://a/\(count)")))
    #expect(!condition.matches(request("http://a/0")))
  }

  @Test("of many alternatives prints them in a row, whatever its length", arguments: lengths)
  func description(count: Int) {
    let condition = Self.paths(0..<count).dropFirst().reduce(isPath("/0"), ||)
    #expect(condition.description == Self.text(0..<count))
  }

  @Test("that is flat stays as it is when longer ones are made of it")
  func branches() async {
    let trunk = Self.paths(0..<20).reduce(.nothing, ||)
    let twigs = await withTaskGroup(of: (Int, RequestMatcher).self) { group in
      for number in 0..<8 {
        group.addTask { (number, Self.paths(100 * number..<100 * number + 50).reduce(trunk, ||)) }
      }
      return await group.reduce(into: [Int: RequestMatcher]()) { $0[$1.0] = $1.1 }
    }
    let start = ".nothing || \(Self.text(0..<20))"
    #expect(trunk.description == start)
    for (number, twig) in twigs {
      #expect(twig.description == "\(start) || \(Self.text(100 * number..<100 * number + 50))", "twig \(number)")
    }
    #expect((trunk || trunk).description == "\(start) || \(start)")
    #expect((trunk && trunk).description == "(\(start)) && (\(start))")
  }
}

/// Runs the work on a thread with a stack of half a megabyte, as Dispatch's threads have on Apple platforms, and waits
/// for it.
///
/// The thread has let go of the work, and of all that it holds, before the call returns: what nests too deep for the
/// thread's stack must not end there.
func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
  let done = DispatchSemaphore(value: 0)
  let (kept, result) = (Protected<(@Sendable () -> Result)?>(work), Protected<Result?>(nil))
  let thread = Thread {
    run(kept, result)
    done.signal()
  }
  thread.stackSize = (isSanitized ? 4 : 1) * 512 << 10
  thread.start()
  done.wait()
  return result.withLock { $0! }
}

/// A function of its own, so that everything it holds has gone when it returns.
private func run<Result: Sendable>(_ work: Protected<(@Sendable () -> Result)?>, _ result: Protected<Result?>) {
  let made = work.withLock { work in
    defer { work = nil }
    return work
  }?()
  result.withLock { $0 = made }
}
