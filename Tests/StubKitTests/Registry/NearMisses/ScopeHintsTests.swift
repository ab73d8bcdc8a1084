import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a report says about scopes", .inTurn)
struct ScopeHintsTests {
  private let registry = StubRegistry()
  private let scopes = OpenScopes()
  private let request = TestSupport.request("http://scopes.example/users")

  private func hints(
    _ confidence: AttributionConfidence = .certain, _ creator: EndedCreator? = nil, in registry: StubRegistry
  ) -> String {
    ScopeHints.unmatched(IncomingRequest(request), confidence, creator, in: registry, scopes: scopes).joined(
      separator: "\n")
  }

  private func scope(_ condition: RequestMatcher? = nil, line: UInt = 1) -> StubRegistry {
    let registry = StubRegistry()
    if let condition {
      stub(condition: condition, response: .status(204), in: registry, fileID: "App/A.swift", line: line)
    }
    return registry
  }

  /// The stubs of the scope at line 9 don't match, and a closure, in line 10, isn't asked.
  @Test("is how many are open, and which of their stubs match, if the request's own is unclear")
  func matches() throws {
    let calls = Locked(0)
    let closure = RequestMatcher.counting(calls, answer: true)
    let others =
      [scope(isPath("/a"), line: 9), scope(closure, line: 10)]
      + [2, 1, 7, 7].map { scope(isPath("/users"), line: $0) }
    for other in others { scopes.open(other) }
    let error = UnmatchedRequestError(unclear: request, scopes: scopes)
    try expectTexts([hints(in: .global), error.description], in: "open-scopes")
    #expect(calls.withLock(\.self) == 0 && others.allSatisfy { $0.stubs.allSatisfy { $0.callCount == 0 } })
    // Nothing is said about other tests' scopes if the request is certainly in its own.
    scopes.open(registry)
    #expect(hints(in: registry) == "")
  }

  @Test("is why the request counts as this scope's, if that was inferred")
  func inferred() throws {
    registry.testReport = TestReport(of: "loadsAUser()")
    scopes.open(registry)
    try expectTexts([AttributionConfidence.session, .onlyScope].map { hints($0, in: registry) }, in: "inferred-scopes")
  }

  @Test("names a stub of an ended test that would match, as long as a static property keeps the stub")
  func stubOfEndedTest() {
    func register() -> Stub {
      let ended = StubRegistry()
      ended.testReport = TestReport(of: "first()")
      scopes.open(ended)
      defer { scopes.close(ended) }
      stub(condition: isPath("/other"), response: .ok, in: ended)
      return stub(
        condition: isPath("/users"), response: .ok, in: ended, fileID: "App/A.swift", filePath: "/app/A.swift", line: 7)
    }
    scopes.open(registry)
    var kept: Stub? = register()
    #expect(kept?.home == nil)
    #expect(
      hints(in: registry) == """
        A stub that first() registered would match, but ended with it:
          isPath("/users") (App/A.swift:7)
        A static stub belongs to the test that uses it first. Register it in each test, in the init of the suite,
        or in setUp().
        """)
    kept = nil
    #expect(hints(in: registry) == "")
  }

  @Test("is which test or scope created the request's session, if that has ended", arguments: ["loadsAUser()", nil])
  func endedCreator(test: String?) {
    scopes.open(registry)
    let (creator, name) = (EndedCreator(test: test), test ?? "a scope")
    let inferred = hints(.onlyScope, creator, in: registry)
    #expect(inferred.contains("\nIts session was created by \(name), which has ended.\n"), "\(inferred)")
    let unclear = UnmatchedRequestError(unclear: request, creator, scopes: scopes).description
    #expect(
      unclear.contains("through a session that was created\nby \(name), which has ended. One scope is open."),
      "\(unclear)")
  }

  @Test(
    "is which stub of an enclosing scope matches, however many other scopes are open",
    arguments: AttributionConfidence.allCases)
  func enclosing(confidence: AttributionConfidence) {
    let (outer, inner) = (scope(isPath("/users"), line: 3), scope())
    scopes.open(outer)
    scopes.open(inner, inside: outer)
    scopes.open(registry, inside: inner)
    let others = (1...300).map { scope(isPath("/users"), line: $0) }
    for other in others { scopes.open(other) }
    #expect(
      hints(confidence, in: registry) == """
        A stub of an enclosing scope would match:
          isPath("/users") (App/A.swift:3)
        Register the stub inside the scope, or open the scope with withStubs(in: .current).
        A scope does not inherit stubs.
        """)
  }

  @Test("is no stub of an enclosing scope that accepts any request")
  func enclosingAny() {
    let outer = scope()
    stub(condition: .anything, response: .status(204), in: outer)
    scopes.open(outer)
    scopes.open(registry, inside: outer)
    #expect(hints(in: registry) == "")
  }
}
