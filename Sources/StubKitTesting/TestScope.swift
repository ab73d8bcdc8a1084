import StubKit

/// The scope of one test.
package struct TestScope: Sendable {
  /// What a trait or a test case leaves to the scope inside it, which creates the test's registry.
  @TaskLocal package static var pendingUse: (any ScopedUse)?

  private let registry = StubRegistry()
  private let reportsUnusedStubs: Bool
  private let misses: MissCollection

  /// - Parameter test: The name of the test, for reports.
  package init(_ options: ScopeOptions, of test: String? = nil) {
    RunningTest.prepare()
    reportsUnusedStubs = options.reportsUnusedStubs ?? false
    options.apply(to: registry)
    misses = registry.collectMisses(of: test)
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
      // A request that comes to wait for the test after this is a warning.
      let missed = mistakes + misses.finish().map(Finding.init)
      if !missed.isEmpty { verdict.fail() }
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
      if !hasPassed || !missed.isEmpty { verdict.fail() }
      let problems = (end?(!verdict.hasFailed) ?? []).map(Finding.init)
      return mistakes + unsaid.map(Finding.init) + problems + (hasPassed ? unusedStubs.map(Finding.init) : [])
    }
  }

  /// What is wrong with the test's stubs themselves.
  private var mistakes: [Finding] { misses.mistakes.map(Finding.init) + registry.untakenCalls.map(Finding.init) }
  private var unusedStubs: [Stub] { reportsUnusedStubs ? registry.unusedStubs : [] }
}

/// The options of a test's scope. `nil` stands for the option of the enclosing scope.
package struct ScopeOptions: Sendable {
  var unmatched: UnmatchedPolicy?
  var reportsUnusedStubs: Bool?
  var clock: (any StubClock)?
  var network: NetworkConditions?
  var loopback: LoopbackPolicy?

  /// The options outside of all scopes of the test framework, which are those of a `withStubs`, if there is one.
  package static var enclosing: ScopeOptions {
    let registry = StubRegistry.current
    guard registry !== StubRegistry.global else { return ScopeOptions() }
    return ScopeOptions(
      unmatched: registry.unmatched, clock: registry.clock, network: registry.network, loopback: registry.loopback)
  }

  func overridden(by inner: ScopeOptions) -> ScopeOptions {
    ScopeOptions(
      unmatched: inner.unmatched ?? unmatched, reportsUnusedStubs: inner.reportsUnusedStubs ?? reportsUnusedStubs,
      clock: inner.clock ?? clock, network: inner.network ?? network, loopback: inner.loopback ?? loopback)
  }

  func apply(to registry: StubRegistry) {
    if let unmatched { registry.unmatched = unmatched }
    if let clock { registry.clock = clock }
    if let network { registry.network = network }
    if let loopback { registry.loopback = loopback }
  }
}

/// Something that a test uses in its registry, from before its first line until after its last one, such as a recording.
package protocol ScopedUse: Sendable {
  /// Begins the use. If it can't, the test doesn't run.
  ///
  /// - Returns: A closure that ends the use, and returns a sentence about each problem. Its parameter says whether the
  ///   test ended normally.
  func begin(in registry: StubRegistry) throws -> @Sendable (_ isWhole: Bool) -> [String]
}

/// Something wrong with a test that its stubs reveal.
package struct Finding: Sendable, CustomStringConvertible {
  package let description: String
  /// The location of the stub concerned, or `nil` for a request, which can come from anywhere.
  let stub: StubLocation?
  /// The location of the stub that is nearest to a request.
  let nearest: StubLocation?

  init(_ miss: MissCollection.Miss) {
    let report = miss.error.description
    description =
      miss.count == 1 ? report : "\(report)\n\(miss.count) such requests failed; this is the report of the first."
    stub = nil
    nearest = miss.error.nearest.first?.stub.location
  }

  /// - Parameter untaken: A request that waits for the test.
  init(_ untaken: (sentence: String, location: StubLocation)) {
    description = untaken.sentence
    stub = untaken.location
    nearest = nil
  }

  init(_ mistake: MissCollection.Mistake) {
    description = mistake.sentence
    stub = mistake.location
    nearest = nil
  }

  /// - Parameter sentence: A sentence about what the test uses.
  package init(_ sentence: String) {
    description = sentence
    stub = nil
    nearest = nil
  }

  /// - Parameter unused: A stub that answered no request.
  init(_ unused: Stub) {
    description =
      (["No request used the stub \(unused)"] + unused.arrivals(most: 3)
      + ["Remove the stub, or mend its condition or the request."]).joined(separator: "\n")
    stub = unused.location
    nearest = nil
  }
}
