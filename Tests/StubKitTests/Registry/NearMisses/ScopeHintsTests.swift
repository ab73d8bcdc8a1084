import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The report of a request that another scope could have answered", .inTurn)
struct OtherScopesReportTests {
  private let registry = StubRegistry()
  private let other = StubRegistry()
  private let scopes = LivingScopes()
  private let request = TestSupport.request("http://scopes.example/users")

  private func hints(_ evidence: Evidence = .session, in registry: StubRegistry) -> [String] {
    ScopeHints(scopes: scopes, incoming: IncomingRequest(request, evidence: evidence), registry: registry).lines
  }

  private static let session = [
    "The request belongs to this scope only because its session was created here.", "It may come from another test.",
  ]
  private static let cure = [
    "A request belongs to the scope of its task or its session. If it leaves its task, create the session",
    "with the registry's makeSession(), or pass its configuration to install(in:).",
  ]

  @Test("names the stub that would have, as long as its scope is open")
  func match() {
    stub(
      condition: isPath("/users"), response: .empty(), name: "users", in: other, fileID: "AppTests/UserTests.swift",
      line: 7)
    let alone = Self.session + Self.cure
    #expect(hints(in: registry) == alone)
    scopes.enter(other)
    scopes.enter(other)
    let expected =
      ["A stub of another scope would match:", "  \"users\" isPath(\"/users\") (AppTests/UserTests.swift:7)"] + alone
    #expect(hints(in: registry) == expected)
    #expect(hints(in: other) == alone)
    scopes.leave(other)
    #expect(hints(in: registry) == expected)
    scopes.leave(other)
    #expect(hints(in: registry) == alone && scopes.count == 0)
  }

  @Test("says nothing of other tests' scopes if the request is certainly in its own")
  func misspelling() {
    stub(condition: isPath("/users"), response: .empty(), in: other)
    scopes.enter(other)
    scopes.enter(registry)
    #expect(hints(.certain, in: registry) == [])
    scopes.leave(registry)
    scopes.leave(other)
  }

  @Test("names the stub of an enclosing scope first, however many newer scopes are open", arguments: Evidence.allCases)
  func enclosing(evidence: Evidence) {
    let (outer, inner) = (StubRegistry(), StubRegistry())
    stub(condition: isPath("/users"), response: .empty(), in: outer, fileID: "AppTests/Outer.swift", line: 3)
    scopes.enter(outer)
    scopes.enter(inner, inside: outer)
    scopes.enter(registry, inside: inner)
    let newer = (0..<300).map { _ in StubRegistry() }
    for registry in newer {
      stub(condition: isPath("/users") && isMethodGET(), response: .empty(), in: registry)
      scopes.enter(registry)
    }
    #expect(
      hints(evidence, in: registry) == [
        "A stub of an enclosing scope would match:", "  isPath(\"/users\") (AppTests/Outer.swift:3)",
        "A scope does not inherit stubs. Register the stub inside it, or open it with",
        "withStubs(registry: .current).",
      ])
    for registry in newer { scopes.leave(registry) }
    scopes.leave(outer)
    #expect(hints(.certain, in: registry) == [])
    scopes.leave(inner)
    scopes.leave(registry)
  }

  @Test("names every stub that would have, first the one that asks for most, and none that takes any request")
  func mostTelling() {
    let third = StubRegistry()
    stub(condition: isHost("scopes.example") && isPath("/users"), response: .empty(), name: "telling", in: other)
    stub(condition: isPath("/users"), response: .empty(), name: "newer", in: third)
    scopes.enter(other)
    scopes.enter(third)
    let named = ["Stubs of other scopes would match:", "  \"telling\" ", "  \"newer\" ", Self.session[0]]
    #expect(zip(hints(in: registry), named).allSatisfy { $0.hasPrefix($1) })
    third.removeAll()
    other.removeAll()
    for registry in [third, other] { stub(condition: .anything, response: .empty(), in: registry) }
    #expect(hints(in: registry) == Self.session + Self.cure)
    scopes.leave(other)
    scopes.leave(third)
  }

  @Test("runs no closure and takes no use of the other scope's stubs")
  func closures() {
    let calls = Protected(0)
    let limited = stub(condition: isPath("/users"), response: .empty(), times: 1, in: other)
    stub(
      condition: RequestMatcher("counts") { _ in
        calls.withLock { $0 += 1 }
        return true
      }, response: .empty(), in: other)
    scopes.enter(other)
    _ = hints(in: registry)
    #expect(calls.withLock(\.self) == 0 && limited.callCount == 0)
    scopes.leave(other)
  }

  @Test("says which scopes there are, if the request was made outside of all")
  func outside() {
    stub(condition: isPath("/a"), response: .empty(), in: other, fileID: "AppTests/A.swift", line: 1)
    stub(condition: isPath("/b"), response: .empty(), in: other, fileID: "AppTests/A.swift", line: 2)
    scopes.enter(other)
    #expect(
      hints(.certain, in: .global) == [
        "The request was made outside of every scope. One scope is open:",
        "  one with 2 stubs, the first at AppTests/A.swift:1",
      ] + Self.cure)
    let empty = (0..<4).map { _ in StubRegistry() }
    for registry in empty { scopes.enter(registry) }
    #expect(
      hints(.certain, in: .global) == [
        "The request was made outside of every scope. 5 scopes are open:", "  one without stubs", "  one without stubs",
        "  and 3 more",
      ] + Self.cure)
    for registry in empty + [other] { scopes.leave(registry) }
  }

  @Test("says so when something else than its maker brought the request into the scope")
  func inferred() {
    #expect(hints(.session, in: registry) == Self.session + Self.cure)
    #expect(
      hints(.onlyScope, in: registry) == [
        "The request names no scope. It belongs here only because no other scope is open.",
        "It may come from another test.",
      ] + Self.cure)
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
            let incoming = IncomingRequest(request, evidence: .certain)
            #expect(ScopeHints(scopes: scopes, incoming: incoming, registry: mine).lines == [])
            scopes.leave(mine)
          }
        }
      }
    }
    #expect(scopes.count == 0)
  }

  @Test("belongs to the error of a request through a session")
  func session() async throws {
    await withStubs {
      stub(
        condition: isMethodGET() && isHost("nested-scopes.example") && isPath("/a") && isPort(80), response: .empty(),
        name: "outer")
      await withStubs {
        let error = await URLSession.shared.failure(of: "http://nested-scopes.example/a")
        #expect(error?.localizedDescription.contains("A stub of an enclosing scope would match:\n  \"outer\" ") == true)
      }
    }
  }
}
