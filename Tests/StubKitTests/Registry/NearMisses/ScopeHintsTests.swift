import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a report says about scopes", .inTurn)
struct ScopeHintsTests {
  private let registry = StubRegistry()
  private let scopes = OpenScopes()
  private let request = TestSupport.request("http://scopes.example/users")

  private func hints(_ confidence: AttributionConfidence = .certain, in registry: StubRegistry) -> String {
    ScopeHints.unmatched(
      RequestFacts(IncomingRequest(request, confidence: confidence)), in: registry, scopes: scopes
    ).joined(separator: "\n")
  }

  private func scope(_ condition: RequestMatcher? = nil, line: UInt = 1) -> StubRegistry {
    let registry = StubRegistry()
    if let condition {
      stub(condition: condition, response: .empty(), in: registry, fileID: "App/A.swift", line: line)
    }
    return registry
  }

  private static let cure = """
    A request belongs to the scope of its task or its session. If it leaves its task, create its session in
    the test, with the registry's makeSession() for example, or pass its configuration to install(in:).
    """

  @Test("counts the open scopes, and names the stubs in them that match, those of a test's cases in one line")
  func matches() {
    let calls = Protected(0)
    let closure = RequestMatcher("counts") { _ in
      calls.withLock { $0 += 1 }
      return true
    }
    let others =
      [scope(isPath("/a"), line: 9), scope(closure, line: 10)]
      + [2, 1, 7, 7].map { scope(isPath("/users"), line: $0) }
    for other in others { scopes.enter(other) }
    let list = """
      6 scopes are open.
        2 with a matching stub: isPath("/users") (App/A.swift:7)
        one with a matching stub: isPath("/users") (App/A.swift:1)
        one with a matching stub: isPath("/users") (App/A.swift:2)
      \(Self.cure)
      """
    #expect(hints(in: .global) == "The request was made outside of every scope. \(list)")
    let outcome = UnattributedReason.several.outcome(of: request, in: registry, scopes: scopes)
    guard case .failure(let error) = outcome else { return _ = Issue.record("\(outcome)") }
    #expect(
      error.description == """
        It is unclear whose request this is: GET http://scopes.example/users
        It was made on a queue, on a thread or in a detached task, through a session that was created
        outside of every scope. \(list)
        If code outside of scopes may use the network, write once: StubRegistry.global.isEnabled = false.
        """)
    #expect(calls.withLock(\.self) == 0 && others.allSatisfy { $0.stubs.allSatisfy { $0.callCount == 0 } })
    // Nothing is said about other tests' scopes if the request is certainly in its own.
    scopes.enter(registry)
    #expect(hints(in: registry) == "")
  }

  @Test("is what brought the request into the scope, if that was not its maker, with the scope if it is a guess")
  func inferred() {
    _ = registry.collectMisses(of: "loadsAUser()")
    scopes.enter(registry)
    for (confidence, hint) in [
      (AttributionConfidence.session, "The request belongs to this scope only because its session was created here."),
      (
        .onlyScope,
        """
        It is unknown whose request this is. It names no scope, and no other one is open.
        One scope is open: loadsAUser().
        """
      ),
    ] {
      #expect(hints(confidence, in: registry) == "\(hint)\nIt may come from another test.\n\(Self.cure)")
    }
  }

  @Test("names the stub of an enclosing scope, however many newer scopes are open")
  func enclosing() {
    let (outer, inner) = (scope(isPath("/users"), line: 3), scope())
    scopes.enter(outer)
    scopes.enter(inner, inside: outer)
    scopes.enter(registry, inside: inner)
    let others = (1...300).map { scope(isPath("/users"), line: $0) }
    for other in others { scopes.enter(other) }
    for confidence in AttributionConfidence.allCases {
      #expect(
        hints(confidence, in: registry) == """
          A stub of an enclosing scope would match:
            isPath("/users") (App/A.swift:3)
          A scope does not inherit stubs. Register the stub inside it, or open it with
          withStubs(registry: .current).
          """)
    }
    outer.removeAll()
    stub(condition: .anything, response: .empty(), in: outer)
    #expect(hints(in: registry) == "")
  }
}
