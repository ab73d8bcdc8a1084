import StubKit
import Testing

/// The trait that gives a test stubs of its own: `@Test(.stubbed)`, or `@Suite(.stubbed)` for every test of a suite.
///
/// ```swift
/// @Suite(.stubbed(reportUnused: true, clock: .immediate))
/// struct UserTests {
///   @Test func loadsAUser() async throws {
///     stub(condition: isPath("/users/42"), response: .json(["id": 42]).delay(.seconds(1)))
///     let user = try await client.user(42)
///     #expect(user.id == 42)
///   }
/// }
/// ```
///
/// The test runs in a scope, as `withStubs` makes one, with a new registry; each case of a parameterised test has its own. When it
/// is over, each request that failed because no stub matched it becomes an issue of the test. A request that
/// `UnmatchedPolicy` answers or lets through does not, nor does one in a `withStubs` of the test's own.
///
/// Where several such traits apply, a suite's and a test's for example, there is one registry, and each option is the innermost
/// that is given. Stubs are not inherited: what all tests of a suite need belongs into its `init`.
///
/// > Important: Write it last. A trait that comes before it, say one that makes a known issue of what goes wrong in a test, is
/// > around it and so hears of its issues. In a suite that is stubbed, write it at such a test once more.
public struct StubbedTrait: TestTrait, SuiteTrait, TestScoping {
  let options: ScopeOptions

  /// How many traits of this kind the test is in already that leave it to an inner one to make the registry.
  @TaskLocal private static var depth = 0

  /// True: a suite's trait is for each test in it, and in the suites in it.
  public var isRecursive: Bool { true }

  /// Runs the test in its scope, and then records its issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let traits = test.traits.compactMap { $0 as? StubbedTrait }
    let depth = Self.depth + 1
    // Fewer than this where a trait of the user's own calls this one.
    guard depth >= traits.count else {
      return try await Self.$depth.withValue(depth, operation: function)
    }
    let options = traits.reduce(ScopeOptions.enclosing) { $0.overridden(by: $1.options) }.overridden(by: options)
    let scope = TestScope(options)
    let (findings, error) = await Self.$depth.withValue(0) { await scope.run(function) }
    for finding in findings { finding.record(of: test) }
    if let error { throw error }
  }
}

extension Trait where Self == StubbedTrait {
  /// Gives each test, and each case of a parameterised one, stubs of its own. See ``StubbedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed) func loadsAUser() async throws { … }
  /// ```
  public static var stubbed: Self { .stubbed() }

  /// Gives each test, and each case of a parameterised one, stubs of its own. See ``StubbedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed(network: .threeG), arguments: Page.all) func loads(page: Page) async throws { … }
  /// ```
  ///
  /// An option that is left out, or nil, is that of the enclosing scope: of the trait of the suite, of the suite around that, or
  /// of a `withStubs` in a trait of your own. The global registry's options are not inherited.
  ///
  /// - Parameters:
  ///   - unmatched: What becomes of a request that no stub matches: it fails, and is an issue, if no scope says otherwise.
  ///   - reportUnused: Whether a stub that answered no request is an issue, at its own line; no, if no scope says otherwise. A
  ///     test that throws is not told of them.
  ///   - clock: What all waiting goes by; the real time, if no scope says otherwise. A `ManualClock` given to a suite is shared
  ///     by its tests: rather set `HTTPStubs.clock` in the test.
  ///   - network: The network between the client and the stubs; one that takes no time, if no scope says otherwise.
  public static func stubbed(
    unmatched: UnmatchedPolicy? = nil, reportUnused: Bool? = nil, clock: (any StubClock)? = nil,
    network: NetworkConditions? = nil
  ) -> Self {
    TestScope.isKnownToStubKit
    return StubbedTrait(
      options: ScopeOptions(unmatched: unmatched, reportsUnusedStubs: reportUnused, clock: clock, network: network))
  }
}

extension Finding {
  fileprivate func record(of test: Test) {
    let location = stub.flatMap(SourceLocation.init) ?? test.sourceLocation
    Issue.record(Comment(rawValue: description), sourceLocation: location)
  }
}

extension SourceLocation {
  /// Nil for a place that is none, as a caller may give one.
  fileprivate init?(_ location: StubLocation) {
    guard location.fileID.contains("/"), location.line > 0, location.column > 0 else { return nil }
    self.init(fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
  }
}
