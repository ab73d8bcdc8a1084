import Foundation
import StubKit
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A sealed global registry")
struct SealedTests {
  private static let cure = """
    is registered outside of every scope, where tests that run in parallel share it, and the global registry is sealed. \
    Add the trait .stubbed to the test or its suite. In XCTest, inherit from StubbedTestCase. Elsewhere, use withStubs.
    """

  enum Sealing: String, CaseIterable, Codable, Sendable {
    case byCode, byEnvironment

    func seal() {
      switch self {
      case .byCode: StubRegistry.global.isSealed = true
      case .byEnvironment: setenv("STUBKIT_SEALED", "1", 1)
      }
    }
  }

  #if compiler(>=6.2)
    @Test("traps at a stub outside of every scope, and names it, its line and the cure", arguments: Sealing.allCases)
    func trap(sealing: Sealing) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [sealing] in
        sealing.seal()
        stub(condition: isPath("/users"), response: .empty(), fileID: "App/UserTests.swift", line: 7)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains(#"The stub isPath("/users") (App/UserTests.swift:7) "# + Self.cure), "\(said)")
    }

    @Test("takes no stub either that names it in a scope")
    func named() async {
      await #expect(processExitsWith: .failure) {
        StubRegistry.global.isSealed = true
        withStubs { stub(condition: .anything, response: .empty(), in: .global) }
      }
    }

    @Test("leaves alone scopes, registries of one's own, and the stubs it has", arguments: Sealing.allCases)
    func scopes(sealing: Sealing) async {
      await #expect(processExitsWith: .success) { [sealing] in
        if sealing == .byCode { stub(condition: isPath("/earlier"), response: .empty(status: 201)) }
        sealing.seal()
        precondition(StubRegistry.global.isSealed && !StubRegistry().isSealed)
        let status = try await withStubs {
          stub(condition: isPath("/users"), response: .empty(status: 204))
          return try await Self.status(of: "http://a.example/users", .shared)
        }
        precondition(status == 204)
        let registry = StubRegistry()
        stub(condition: isPath("/own"), response: .empty(status: 205), in: registry)
        let own = try await Self.status(of: "http://a.example/own", registry.makeSession())
        precondition(own == 205)
        if sealing == .byCode {
          let earlier = try await Self.status(of: "http://a.example/earlier", .shared)
          precondition(earlier == 201)
        }
      }
    }

    @Test("is one only where that is said, and until it is taken back")
    func unsealed() async {
      await #expect(processExitsWith: .success) {
        precondition(!StubRegistry.global.isSealed)
        stub(condition: .anything, response: .empty())
        StubRegistry.global.isSealed = true
        StubRegistry.global.isSealed = false
        stub(condition: .anything, response: .empty())
        precondition(StubRegistry.global.stubs.count == 2)
      }
    }
  #endif

  private static func status(of url: String, _ session: URLSession) async throws -> Int? {
    (try await session.data(from: URL(string: url)!).1 as? HTTPURLResponse)?.statusCode
  }
}
