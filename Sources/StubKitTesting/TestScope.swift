import StubKit

/// The scope of one test.
struct TestScope: Sendable {
  private let registry = StubRegistry()
  private let reportsUnusedStubs: Bool

  init(_ options: ScopeOptions) {
    reportsUnusedStubs = options.reportsUnusedStubs ?? false
    options.apply(to: registry)
    registry.collectMisses()
  }

  /// Runs a test.
  ///
  /// - Returns: What is wrong with it beside the error it throws.
  func run(_ body: @Sendable () async throws -> Void) async -> (findings: [Finding], error: (any Error)?) {
    await withStubs(registry: registry) {
      do {
        try await body()
        return (findings(), nil)
      } catch {
        return (findings(after: error), error)
      }
    }
  }

  /// Runs a test that tells of its errors itself.
  ///
  /// - Parameters:
  ///   - body: The test.
  ///   - isWhole: Whether it came to its end: one that did not is not told of stubs that it did not come to.
  func run(_ body: () -> Void, isWhole: () -> Bool) -> [Finding] {
    withStubs(registry: registry) {
      body()
      return findings(isWhole: isWhole())
    }
  }

  private func findings(isWhole: Bool = true) -> [Finding] {
    let unused = isWhole && reportsUnusedStubs ? registry.stubs.filter { $0.callCount == 0 } : []
    return registry.takeMisses().map(Finding.init) + unused.map(Finding.init)
  }

  /// The test framework reports what a test throws: that is not said twice.
  private func findings(after error: any Error) -> [Finding] {
    let thrown = (error as? UnmatchedRequestError)?.description
    return registry.takeMisses().filter { $0.error.description != thrown || $0.count > 1 }.map(Finding.init)
  }
}
