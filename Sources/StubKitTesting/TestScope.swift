import StubKit
import Testing

/// The scope of one test.
struct TestScope: Sendable {
  private let registry = StubRegistry()
  private let reportsUnusedStubs: Bool
  private let misses: MissCollection

  /// Lets StubKit ask whether the code that makes a request belongs to a test. The first trait or test case does
  /// this, so that it is known before any test runs.
  static let isKnownToStubKit: Void = RunningTest.ask { Test.current != nil }

  init(_ options: ScopeOptions) {
    Self.isKnownToStubKit
    reportsUnusedStubs = options.reportsUnusedStubs ?? false
    options.apply(to: registry)
    misses = registry.collectMisses()
  }

  /// Runs a test.
  ///
  /// - Returns: What is wrong with the test besides the error that it throws.
  func run(_ body: @Sendable () async throws -> Void) async -> (findings: [Finding], error: (any Error)?) {
    await withStubs(registry: registry) {
      do {
        try await body()
        return (await misses.finish().map(Finding.init) + unusedStubs.map(Finding.init), nil)
      } catch {
        // The test framework reports what a test throws, so it isn't reported twice.
        let thrown = (error as? UnmatchedRequestError)?.description
        let unsaid = await misses.finish().filter { $0.error.description != thrown || $0.count > 1 }
        return (unsaid.map(Finding.init), error)
      }
    }
  }

  /// Runs a test that reports its errors itself.
  ///
  /// - Parameters:
  ///   - body: The test. Returns the descriptions of the errors that it reported.
  ///   - isWhole: A closure that returns whether the test ran to its end. If it didn't, unused stubs aren't reported.
  func run(_ body: () -> [String], isWhole: () -> Bool) -> [Finding] {
    withStubs(registry: registry) {
      let said = body()
      let unsaid = misses.finish().filter { miss in
        miss.count > 1 || !said.contains { $0.contains(miss.error.description) }
      }
      return unsaid.map(Finding.init) + (isWhole() ? unusedStubs.map(Finding.init) : [])
    }
  }

  private var unusedStubs: [Stub] { reportsUnusedStubs ? registry.stubs.filter { $0.callCount == 0 } : [] }
}
