import StubKit

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
      let verdict = TestVerdict()
      defer { verdict.close() }
      if let error = await Self.error(of: body, for: verdict) {
        verdict.fail()
        // The test framework reports what a test throws, so it isn't reported twice.
        let thrown = UnmatchedRequestError(from: error)?.description
        let unsaid = misses.finish().filter { $0.error.description != thrown || $0.count > 1 }
        return (mistakes + unsaid.map(Finding.init) + (end?(false) ?? []).map(Finding.init), error)
      }
      let missed = mistakes + misses.finish().map(Finding.init)
      if missed.contains(where: { !$0.isWarning }) { verdict.fail() }
      return (missed + (end?(!verdict.hasFailed) ?? []).map(Finding.init) + unusedStubs.map(Finding.init), nil)
    }
  }

  /// Runs a test, and returns the error that it throws.
  private static func error(
    of body: @Sendable () async throws -> Void, for verdict: TestVerdict
  ) async -> (any Error)? {
    var thrown: (any Error)?
    await RunningTest.watch(for: verdict) {
      do { try await TestVerdict.$current.withValue(verdict, operation: body) } catch { thrown = error }
    }
    return thrown
  }

  /// Runs a test that reports its errors itself.
  ///
  /// - Parameters:
  ///   - use: What the test uses.
  ///   - body: The test. Returns the descriptions of the errors that it reported.
  ///   - hasPassed: A closure that returns whether the test ran to its end, without a failure. If it didn't, unused
  ///     stubs aren't reported, and nothing is recorded.
  func run(
    with use: (any ScopedUse)?, _ body: () -> [String], hasPassed: () -> Bool
  ) -> [Finding] {
    // XCTest runs one test at a time.
    misses.countEach()
    return withStubs(registry: registry) {
      let end: (@Sendable (Bool) -> [String])?
      do { end = try use?.begin(in: registry) } catch { return [Finding("\(error)")] }
      let verdict = TestVerdict()
      defer { verdict.close() }
      let said = TestVerdict.$current.withValue(verdict, operation: body)
      let missed = misses.finish()
      let unsaid = missed.filter { miss in
        miss.count > 1 || !said.contains { $0.contains(miss.error.description) }
      }
      let hasPassed = hasPassed()
      if !hasPassed || missed.contains(where: { !$0.isWarning }) { verdict.fail() }
      let problems = (end?(!verdict.hasFailed) ?? []).map(Finding.init)
      return mistakes + unsaid.map(Finding.init) + problems + (hasPassed ? unusedStubs.map(Finding.init) : [])
    }
  }

  /// What is wrong with the test's stubs themselves.
  private var mistakes: [Finding] { misses.mistakes.map(Finding.init) + registry.untakenCalls.map(Finding.init) }
  private var unusedStubs: [Stub] { reportsUnusedStubs ? registry.unusedStubs : [] }
}
