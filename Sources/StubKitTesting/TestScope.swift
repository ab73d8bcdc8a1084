import StubKit
import Testing

/// The scope of one test.
package struct TestScope: Sendable {
  /// What a trait or a test case leaves to the scope inside it, which creates the test's registry.
  @TaskLocal package static var pendingUse: (any ScopedUse)?

  private let registry = StubRegistry()
  private let reportsUnusedStubs: Bool
  private let misses: MissCollection

  package init(_ options: ScopeOptions) {
    RunningTest.prepare()
    reportsUnusedStubs = options.reportsUnusedStubs ?? false
    options.apply(to: registry)
    misses = registry.collectMisses()
  }

  /// Runs a test.
  ///
  /// - Parameters:
  ///   - use: What the test uses.
  ///   - body: The test.
  /// - Returns: What is wrong with the test besides the error that it throws.
  package func run(
    with use: (any ScopedUse)? = nil, _ body: @Sendable () async throws -> Void
  ) async -> (findings: [Finding], error: (any Error)?) {
    await withStubs(registry: registry) {
      let end: (@Sendable (Bool) -> [String])?
      do { end = try use?.begin(in: registry) } catch { return ([Finding("\(error)")], nil) }
      do {
        try await body()
        let missed = await misses.finish().map(Finding.init)
        return (missed + (end?(true) ?? []).map(Finding.init) + unusedStubs.map(Finding.init), nil)
      } catch {
        // The test framework reports what a test throws, so it isn't reported twice.
        let thrown = UnmatchedRequestError(from: error)?.description
        let unsaid = await misses.finish().filter { $0.error.description != thrown || $0.count > 1 }
        return (unsaid.map(Finding.init) + (end?(false) ?? []).map(Finding.init), error)
      }
    }
  }

  /// Runs a test that reports its errors itself.
  ///
  /// - Parameters:
  ///   - use: What the test uses.
  ///   - body: The test. Returns the descriptions of the errors that it reported.
  ///   - isWhole: A closure that returns whether the test ran to its end. If it didn't, unused stubs aren't reported.
  ///   - hasThrown: A closure that returns whether the test ended with an error. If it did, nothing is recorded.
  func run(
    with use: (any ScopedUse)?, _ body: () -> [String], isWhole: () -> Bool, hasThrown: () -> Bool
  ) -> [Finding] {
    withStubs(registry: registry) {
      let end: (@Sendable (Bool) -> [String])?
      do { end = try use?.begin(in: registry) } catch { return [Finding("\(error)")] }
      let said = body()
      let unsaid = misses.finish().filter { miss in
        miss.count > 1 || !said.contains { $0.contains(miss.error.description) }
      }
      let problems = (end?(!hasThrown()) ?? []).map(Finding.init)
      return unsaid.map(Finding.init) + problems + (isWhole() ? unusedStubs.map(Finding.init) : [])
    }
  }

  private var unusedStubs: [Stub] { reportsUnusedStubs ? registry.unusedStubs : [] }
}

/// The tests of Swift Testing, for StubKit, which finds this class by its name.
final class TestsOfSwiftTesting: TestFramework {
  static var knowsTest: Bool { Test.current != nil }
}
