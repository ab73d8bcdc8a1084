import Foundation
import StubKit
import Testing

/// A trait that gives a test its own stubs: `@Test(.stubbed)`, or `@Suite(.stubbed)` for every test of a suite.
///
/// ```swift
/// @Suite(.stubbed(reportUnused: true, clock: .immediate))
/// struct UserTests {
///   @Test func loadsAUser() async throws {
///     stub(
///       .get, "https://api.example.com/users/42",
///       response: .json(["id": 42]).delay(.seconds(1)))
///     let user = try await client.user(42)
///     #expect(user.id == 42)
///   }
/// }
/// ```
///
/// The test runs in a scope with a new registry, as with `withStubs`. Each case of a parameterized test has its own.
/// When the test ends, the trait records an issue for the requests that failed because no stub matched them: one for
/// each report, at most five for a method and URL, and the number of the rest. It records none for a request that
/// `UnmatchedPolicy` answers or lets through, and none for a request in a `withStubs` of the test itself.
///
/// If the test fails, the trait also records warnings. It looks at the last hundred requests for them:
///
/// - at most three stubs that were never used because a newer one, as broad or broader, answered their requests
/// - at most three other unused stubs that a single difference kept from a request, unless a request was unmatched
/// - at most three responses that a client hardly expects, such as a body with the status 204
/// - the last eight requests, with their outcomes
///
/// A stub whose `calls:` were not met is an issue at its own line.
///
/// A request that a stub answered although it has no scheme or no host is an issue, if another request of the test has
/// a host.
///
/// At the end, requests that are still in flight fail, and the test waits for up to a second until the client's
/// handlers have returned. What is still under way then is a warning of the test.
///
/// If several such traits apply, for example those of a suite and of a test, there is one registry, and each option
/// comes from the innermost trait that sets it. Stubs are not inherited. Put stubs that every test needs into the
/// suite's `init`.
///
/// > Important: A trait surrounds those behind it. Write this one in front of traits that need its scope, and behind
/// > one that marks issues as known. If such a test is in a stubbed suite, add `.stubbed` to the test again.
public struct StubbedTrait: TestTrait, SuiteTrait, TestScoping {
  let options: ScopeOptions

  /// The number of such traits around the test that leave it to an inner one to create the registry.
  @TaskLocal private static var depth = 0

  /// Applies to every test in the suite, nested suites included.
  public var isRecursive: Bool { true }

  /// Runs the test in its scope, and then records its issues.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case of the test, or `nil` for a suite or all cases.
  ///   - function: Runs the test.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let traits = test.traits.compactMap { $0 as? StubbedTrait }
    let depth = Self.depth + 1
    // There are fewer if a trait of the user calls this one.
    guard depth >= traits.count else {
      return try await Self.$depth.withValue(depth, operation: function)
    }
    let options = traits.reduce(ScopeOptions.enclosing) { $0.overridden(by: $1.options) }.overridden(by: options)
    let scope = TestScope(
      options, of: test.name, at: StubLocation(test.sourceLocation), timeLimit: test.timeLimit,
      check: test.requestCheck(of: testCase))
    try await Self.$depth.withValue(0) { try await scope.run(function, of: test) }
  }
}

extension Trait where Self == StubbedTrait {
  /// Gives each test, and each case of a parameterized test, its own stubs. See ``StubbedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed) func loadsAUser() async throws { … }
  /// ```
  public static var stubbed: Self { .stubbed() }

  /// Gives each test, and each case of a parameterized test, its own stubs. See ``StubbedTrait``.
  ///
  /// ```swift
  /// @Test(.stubbed(network: .threeG), arguments: Page.all)
  /// func loads(page: Page) async throws { … }
  /// ```
  ///
  /// An option that you omit comes from the enclosing scope: the trait of the suite, the suite around that, or a
  /// `withStubs` in a trait of your own. The global registry's options are not inherited.
  ///
  /// - Parameters:
  ///   - reportUnused: Whether a stub that answered no request records an issue, at its own line, or one with several
  ///     responses of which some answered none. Defaults to
  ///     `false`. A test that throws an error records none of them.
  ///   - clock: The clock for all waiting. Defaults to real time. The tests of a suite share a `ManualClock` that you
  ///     pass to the suite, so better set `HTTPStubs.clock` in each test.
  ///   - network: The network conditions that apply to every stub. Defaults to no latency and no losses.
  ///   - unmatched: The policy for requests that no stub matches. By default, such a request fails and records an
  ///     issue.
  ///   - everyRequest: What every request of the test must meet, such as `hasHeader("Accept-Language", "de-CH")`. It is
  ///     asked when a request arrives, and closures and conditions on the body at the end. Each request that doesn't
  ///     meet it is an issue. Defaults to nothing.
  ///   - httpVersion: The version of HTTP as which the client sees every response. With `.http2`, the names of header
  ///     fields arrive in lower case. Defaults to `.http1`.
  ///   - attaches: When the test attaches its requests and responses. Defaults to `.onFailure`.
  public static func stubbed(
    reportUnused: Bool? = nil, clock: (any StubClock)? = nil,
    network: NetworkConditions? = nil, unmatched: UnmatchedPolicy? = nil,
    everyRequest: RequestMatcher? = nil, httpVersion: StubResponse.HTTPVersion? = nil,
    attaches: AttachmentPolicy? = nil
  ) -> Self {
    RunningTest.prepare()
    return StubbedTrait(
      options: ScopeOptions(
        reportUnused: reportUnused, clock: clock, network: network, unmatched: unmatched,
        everyRequest: everyRequest, httpVersion: httpVersion, attaches: attaches))
  }
}

extension StubLocation {
  /// The location of a call in Swift Testing, for a function of your own around `stub`.
  ///
  /// ```swift
  /// func stubUser(
  ///   _ id: Int, sourceLocation: SourceLocation = #_sourceLocation
  /// ) -> Stub {
  ///   stub(
  ///     condition: isPath("/users/\(id)"), response: .json(["id": id]),
  ///     at: .init(sourceLocation))
  /// }
  ///
  /// stubUser(42)  // Reports name this line.
  /// ```
  public init(_ location: SourceLocation) {
    // Swift Testing has `filePath` since 6.3. Before, it has only the name with the underscore.
    #if compiler(>=6.3)
      let path = location.filePath
    #else
      let path = location._filePath
    #endif
    self.init(fileID: location.fileID, filePath: path, line: location.line, column: location.column)
  }
}

extension SourceLocation {
  /// Returns `nil` for an invalid location, which a caller can pass.
  init?(_ location: StubLocation) {
    guard location.fileID.contains("/"), location.line > 0, location.column > 0 else { return nil }
    self.init(fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
  }
}
