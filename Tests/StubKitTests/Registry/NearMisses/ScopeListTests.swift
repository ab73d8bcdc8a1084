import TestSupport
import Testing

@testable import StubKit

@Suite("The open scopes in the report of a request that names none of them", .inTurn)
struct ScopeListTests {
  private let request = TestSupport.request("http://scopes.example/users")

  /// Opens scopes with a stub each, the last one first in a report, calls the body, and closes them.
  private func within(_ stubs: [(path: String, line: UInt)], _ body: (LivingScopes) -> [String]) -> [String] {
    let scopes = LivingScopes()
    let registries = stubs.reversed().map { stub -> StubRegistry in
      let registry = StubRegistry()
      StubKit.stub(
        condition: isPath(stub.path), response: .empty(), in: registry, fileID: "AppTests/UserTests.swift",
        line: stub.line)
      return registry
    }
    for registry in registries { scopes.enter(registry) }
    defer { for registry in registries { scopes.leave(registry) } }
    return body(scopes)
  }

  private func unclear(_ scopes: LivingScopes) -> [String] {
    let report = UnclearOrigin(scopes: scopes).failure(of: request)?.description ?? ""
    return report.split(separator: "\n").dropFirst(2).dropLast(3).map(String.init)
  }

  private func outside(_ scopes: LivingScopes) -> [String] {
    ScopeHints(scopes: scopes, incoming: IncomingRequest(request, evidence: .certain), registry: .global).lines
      .dropLast(2)
  }

  private func match(_ line: Int, count: String = "one") -> String {
    "  \(count) with a matching stub: isPath(\"/users\") (AppTests/UserTests.swift:\(line))"
  }

  @Test("are all named that have a matching stub, and a few of the others")
  func matches() {
    let stubs = (1...8).map { (path: "/users", line: UInt($0)) } + [("/a", 9), ("/b", 10)]
    let lines = (1...8).map { match($0) }
    #expect(
      within(stubs, unclear) == [
        "outside of every scope. 10 scopes are open. 8 have a matching stub."
      ] + lines + ["  and 2 more"])
    #expect(
      within(stubs, outside) == [
        "The request was made outside of every scope. 10 scopes are open:"
      ] + lines + ["  and 2 more"])
  }

  @Test("share a line if they share a stub's line, as the cases of a test do")
  func cases() {
    let stubs = [("/a", 9), ("/users", 7), ("/users", 8), ("/users", 7)].map { (path: $0, line: UInt($1)) }
    let lines = [match(7, count: "2"), match(8), "  one with 1 stub at AppTests/UserTests.swift:9"]
    #expect(
      within(stubs, unclear) == ["outside of every scope. 4 scopes are open. 3 have a matching stub."] + lines)
    #expect(within(stubs, outside) == ["The request was made outside of every scope. 4 scopes are open:"] + lines)
  }
}
