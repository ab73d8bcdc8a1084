import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A test with the trait .stubbed, or without", .inTurn)
struct StubbedTraitTests {
  @Test(
    "has a registry of its own, with its own answers to one request on one session, for each case", .stubbed,
    arguments: 0..<TestSize.of(200, inPart: 12))
  func ownRegistry(number: Int) async throws {
    let registry = StubRegistry.current
    #expect(registry !== StubRegistry.global && registry.isEnabled)
    #expect(registry.stubs.isEmpty && registry.journal.entries.isEmpty)
    stub(condition: isPath("/users/42"), response: .text("\(number)").delay(.milliseconds(number % 7)))
    let texts = try await (0..<2).atOnce { _ in try await fetch("http://each.example/users/42") }
    #expect(texts == ["\(number)", "\(number)"])
    #expect(registry.journal.entries.map(\.outcome) == [.answered(status: 200), .answered(status: 200)])
  }

  // Nothing listens there: that it is refused shows that the request was let through.
  @Test("reaches the network if it isn't stubbed, also in a task that it starts, while other tests have stubs")
  func unscoped() async throws {
    let request = { @Sendable in try await fetch("http://127.0.0.1:1/") }
    let own = await #expect(throws: URLError.self) { try await request() }
    let childs = await #expect(throws: URLError.self) { try await Task { try await request() }.value }
    #expect(own?.code == .cannotConnectToHost)
    #expect(childs?.code == .cannotConnectToHost)
  }

  @Suite("A test of a suite whose init registers stubs", .inTurn, .stubbed)
  struct Prepared {
    private let users: Stub

    init() { users = stub(condition: isHost("prepared.example"), response: .text("from init")) }

    @Test("finds them, whichever test it is", arguments: 0..<3)
    func registeredInInit(number: Int) async throws {
      let text = try await fetch("http://prepared.example/")
      #expect(text == "from init")
      #expect(StubRegistry.current.stubs.map(\.id) == [users.id])
      #expect(users.callCount == 1)
    }
  }

  @Suite("A test in a suite with options", .inTurn, .stubbed(clock: .immediate, network: .gprs))
  struct Inheriting {
    @Suite("A test in two stubbed suites", .inTurn, .stubbed(unmatched: .respond { _ in .text("policy") }))
    struct Inner {
      @Test("has the clock, the network and the policy of both")
      func inner() async throws { try await expectSettings(with: .gprs) }

      @Test(
        "has the last network of its own traits, and the other options of the suites", .stubbed(network: .edge),
        .stubbed(network: .wifi))
      func several() async throws { try await expectSettings(with: .wifi) }

      private func expectSettings(with network: NetworkConditions) async throws {
        #expect(StubRegistry.current.clock as? StubTime == .immediate && StubRegistry.current.network == network)
        let text = try await fetch("http://inner.example/")
        #expect(text == "policy")
      }
    }
  }

  @Suite("A test in a stubbed suite", .inTurn, .stubbed(clock: .immediate), Around.between)
  struct OnlyOne {
    @Test("has one registry with the options of both traits, and its suite opens none around it", .stubbed)
    func innermost() {
      #expect(Around.registry === StubRegistry.global)
      #expect(StubRegistry.current !== StubRegistry.global && StubRegistry.current.clock as? StubTime == .immediate)
    }

    @Test("has the registry of its suite's trait if it has no trait itself")
    func inherited() {
      #expect(Around.registry === StubRegistry.current && StubRegistry.current !== StubRegistry.global)
    }
  }

  @Test(
    "within withStubs has the options of that scope, and none of its stubs",
    Around { body in
      try await withStubs {
        HTTPStubs.clock = .immediate
        HTTPStubs.network = .edge
        HTTPStubs.unmatched = .respond { _ in .text("policy") }
        stub(condition: isHost("scope.example"), response: .text("stub of the scope"))
        try await body()
      }
    }, .stubbed)
  func inAScope() async throws {
    #expect(StubRegistry.current.clock as? StubTime == .immediate && StubRegistry.current.network == .edge)
    #expect(StubRegistry.current.stubs.isEmpty)
    #expect(try await fetch("http://scope.example/") == "policy")
  }

  @Test(
    "has notes on its requests if it is cancelled at its time limit, and none if it is cancelled earlier",
    arguments: [true, false])
  func timeLimit(isLimit: Bool) async {
    let scope = TestScope(.enclosing, of: "aTest()", timeLimit: isLimit ? .zero : .seconds(3_600))
    let running = Task {
      await scope.run {
        stub(condition: isPath("/events") && hasHeader("Last-Event-ID"), response: .ok)
        stub(condition: isPath("/events"), response: .ok)
        _ = try await fetch("http://a.example/events")
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    let texts = await running.value.findings.map(\.description)
    let note = "header Last-Event-ID: expected any value, missing"
    #expect(texts.map { $0.contains(note) } == (isLimit ? [true, false] : []), "\(texts)")
  }
}

/// A trait of another library.
private struct Around: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var registry: StubRegistry?
  /// Keeps the registry that is current between a suite's traits and its tests'.
  static let between = Around { try await $registry.withValue(.current, operation: $0) }

  let isRecursive = true
  let scope: @Sendable (_ body: @Sendable () async throws -> Void) async throws -> Void

  init(_ scope: @escaping @Sendable (_ body: @Sendable () async throws -> Void) async throws -> Void) {
    self.scope = scope
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws { try await scope(function) }
}
