import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a report says about scopes", .inTurn)
struct ScopeHintsTests {
  private let registry = StubRegistry()
  private let scopes = OpenScopes()
  private let request = TestSupport.request("http://scopes.example/users")

  private func hints(_ confidence: AttributionConfidence = .certain, in registry: StubRegistry) -> [String] {
    ScopeHints.unmatched(
      RequestFacts(IncomingRequest(request, confidence: confidence)), in: registry, scopes: scopes)
  }

  private var unclear: [String] {
    guard case .failure(let error) = UnattributedReason.several.outcome(of: request, in: registry, scopes: scopes)
    else {
      return []
    }
    return error.description.split(separator: "\n").map(String.init)
  }

  private static let cure = [
    "A request belongs to the scope of its task or its session. If it leaves its task, create its session in",
    "the test, with the registry's makeSession() for example, or pass its configuration to install(in:).",
  ]

  /// Opens scopes with a stub each, the last one first in a report.
  private func within(_ stubs: [(path: String, line: UInt)], _ body: () -> Void) {
    let registries = stubs.reversed().map { stub -> StubRegistry in
      let registry = StubRegistry()
      StubKit.stub(
        condition: isPath(stub.path), response: .empty(), in: registry, fileID: "AppTests/UserTests.swift",
        line: stub.line)
      return registry
    }
    for registry in registries { scopes.enter(registry) }
    defer { for registry in registries { scopes.leave(registry) } }
    body()
  }

  private func match(_ line: Int, count: String = "one") -> String {
    "  \(count) with a matching stub: isPath(\"/users\") (AppTests/UserTests.swift:\(line))"
  }

  @Test("counts the open scopes, and names the stubs in them that match, those of a test's cases in one line")
  func matches() {
    within([("/users", 7)] + (1...8).map { (path: "/users", line: UInt($0)) } + [("/a", 9)]) {
      let list = [match(7, count: "2")] + [1, 2, 3, 4, 5, 6, 8].map { match($0) }
      #expect(
        hints(in: .global) == ["The request was made outside of every scope. 10 scopes are open."] + list + Self.cure)
      #expect(
        unclear == [
          "It is unclear whose request this is: GET http://scopes.example/users",
          "It was made on a queue, on a thread or in a detached task, through a session that was created",
          "outside of every scope. 10 scopes are open.",
        ] + list + Self.cure + [
          "If code outside of scopes may use the network, write once: StubRegistry.global.isEnabled = false."
        ])
    }
  }

  @Test("is nothing about other tests' scopes if the request is certainly in its own")
  func certain() {
    within([("/users", 7)]) {
      scopes.enter(registry)
      #expect(hints(in: registry) == [])
      scopes.leave(registry)
    }
  }

  @Test(
    "is what brought the request into the scope, if that was not its maker, with the scope if it is a guess",
    arguments: [
      (AttributionConfidence.session, ["The request belongs to this scope only because its session was created here."]),
      (
        .onlyScope,
        [
          "It is unknown whose request this is. It names no scope, and no other one is open.",
          "One scope is open: loadsAUser().",
        ]
      ),
    ])
  func inferred(confidence: AttributionConfidence, hint: [String]) {
    _ = registry.collectMisses(of: "loadsAUser()")
    scopes.enter(registry)
    #expect(hints(confidence, in: registry) == hint + ["It may come from another test."] + Self.cure)
    scopes.leave(registry)
  }

  @Test(
    "names the stub of an enclosing scope, however many newer scopes are open",
    arguments: AttributionConfidence.allCases)
  func enclosing(confidence: AttributionConfidence) {
    let (outer, inner) = (StubRegistry(), StubRegistry())
    stub(condition: isPath("/users"), response: .empty(), in: outer, fileID: "AppTests/Outer.swift", line: 3)
    scopes.enter(outer)
    scopes.enter(inner, inside: outer)
    scopes.enter(registry, inside: inner)
    within((1...300).map { (path: "/users", line: UInt($0)) }) {
      #expect(
        hints(confidence, in: registry) == [
          "A stub of an enclosing scope would match:", "  isPath(\"/users\") (AppTests/Outer.swift:3)",
          "A scope does not inherit stubs. Register the stub inside it, or open it with",
          "withStubs(registry: .current).",
        ])
    }
    outer.removeAll()
    stub(condition: .anything, response: .empty(), in: outer)
    #expect(hints(in: registry) == [])
    for registry in [registry, inner, outer] { scopes.leave(registry) }
  }

  @Test("runs no closure and takes no use of another scope's stubs")
  func closures() {
    let calls = Protected(0)
    let other = StubRegistry()
    let limited = stub(condition: isPath("/users"), response: .empty(), times: 1, in: other)
    stub(
      condition: RequestMatcher("counts") { _ in
        calls.withLock { $0 += 1 }
        return true
      }, response: .empty(), in: other)
    scopes.enter(other)
    _ = (hints(in: .global), unclear)
    #expect(calls.withLock(\.self) == 0 && limited.callCount == 0)
    scopes.leave(other)
  }

  @Test("keeps no registry alive, and lets scopes come and go meanwhile")
  func concurrency() async {
    let (scopes, request) = (scopes, request)
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let mine = StubRegistry()
            stub(condition: isPath("/\(worker)"), response: .empty(), in: mine)
            scopes.enter(mine)
            #expect(ScopeHints.unmatched(RequestFacts(request), in: mine, scopes: scopes) == [])
            scopes.leave(mine)
          }
        }
      }
    }
    #expect(scopes.count == 0)
  }
}
