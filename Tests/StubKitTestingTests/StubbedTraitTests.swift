import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A test with the trait .stubbed, or without", .inTurn)
struct StubbedTraitTests {
  @Test(
    "has a registry of its own, with its own answers to one request on one session, for each case", .stubbed,
    arguments: 0..<TestSize.of(200, inPart: 50))
  func ownRegistry(number: Int) async throws {
    let registry = StubRegistry.current
    #expect(registry !== StubRegistry.global && registry.isEnabled)
    #expect(registry.stubs.isEmpty && registry.journal.entries.isEmpty)
    let user = stub(condition: isPath("/users/42"), response: .text("\(number)").delay(.milliseconds(number % 7)))
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 { group.addTask { try await fetch("http://each.example/users/42") } }
      for try await text in group { #expect(text == "\(number)") }
    }
    #expect(user.callCount == 3)
    #expect(registry.journal.entries.map(\.outcome) == Array(repeating: .answered(status: 200), count: 3))
  }

  // Nothing listens there: that it is refused shows that the request was let through.
  @Test("keeps the network if it has no scope, also in its child tasks, whatever other tests have stubs for")
  func unscoped() async throws {
    for isInTask in [false, true] {
      let error = await #expect(throws: URLError.self) {
        guard isInTask else { return try await fetch("http://127.0.0.1:1/") }
        return try await Task { try await fetch("http://127.0.0.1:1/") }.value
      }
      #expect(error?.code == .cannotConnectToHost, "\(isInTask)")
    }
  }

  @Suite("of a suite whose init registers stubs", .inTurn, .stubbed)
  struct Prepared {
    private let users: Stub

    init() { users = stub(condition: isHost("prepared.example"), response: .text("from init")) }

    @Test("finds them, whichever test it is", arguments: 0..<3)
    func registeredInInit(number: Int) async throws {
      let text = try await fetch("http://prepared.example/")
      #expect(text == "from init")
      #expect(StubRegistry.current.stubs.map(\.id) == [users.id] && users.callCount == 1)
    }
  }

  @Suite("in suites with options", .inTurn, .stubbed(clock: .immediate, network: .gprs))
  struct Inheriting {
    @Suite("one in the other", .inTurn, .stubbed(unmatched: .respond { _ in .text("policy") }))
    struct Inner {
      @Test("has those of all")
      func inner() async throws { try await check(.gprs) }

      @Test(
        "has its own before those, one by one, and the last of several", .stubbed(network: .edge),
        .stubbed(network: .wifi))
      func several() async throws { try await check(.wifi) }

      private func check(_ network: NetworkConditions) async throws {
        #expect(StubRegistry.current.clock is ImmediateStubClock && StubRegistry.current.network == network)
        let text = try await fetch("http://inner.example/")
        #expect(text == "policy")
      }
    }
  }

  @Suite("in a stubbed suite", .inTurn, .stubbed(clock: .immediate), Between())
  struct OnlyOne {
    @Test("has the only registry", .stubbed)
    func innermost() {
      #expect(Between.registry === StubRegistry.global)
      #expect(StubRegistry.current !== StubRegistry.global && StubRegistry.current.clock is ImmediateStubClock)
    }

    @Test("has the suite's if it says nothing itself")
    func inherited() {
      #expect(Between.registry === StubRegistry.current && StubRegistry.current !== StubRegistry.global)
    }
  }

  @Test("in a scope has that one's options, and none of its stubs", InAScope(), .stubbed)
  func inAScope() async throws {
    #expect(StubRegistry.current.clock is ImmediateStubClock && StubRegistry.current.network == .edge)
    #expect(StubRegistry.current.stubs.isEmpty)
    let text = try await fetch("http://scope.example/")
    #expect(text == "policy")
  }

  @Test("is made by a trait that calls this one, too", Wrapping(inner: .stubbed(clock: .immediate)))
  func wrapped() {
    #expect(StubRegistry.current !== StubRegistry.global && StubRegistry.current.clock is ImmediateStubClock)
  }
}

/// Looks at the registry between a suite's traits and its tests'.
private struct Between: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var registry: StubRegistry?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$registry.withValue(.current, operation: function)
  }
}

private struct InAScope: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      HTTPStubs.network = .edge
      HTTPStubs.unmatched = .respond { _ in .text("policy") }
      stub(condition: isHost("scope.example"), response: .text("stub of the scope"))
      try await function()
    }
  }
}

private struct Wrapping: TestTrait, TestScoping {
  let inner: StubbedTrait

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await inner.provideScope(for: test, testCase: testCase, performing: function)
  }
}
