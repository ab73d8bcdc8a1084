import StubKit
import XCTest

/// A test case each of whose tests has stubs of its own.
///
/// ```swift
/// final class UserTests: StubbedTestCase {
///   override var clock: (any StubClock)? { .immediate }
///
///   func testLoadsAUser() async throws {
///     stub(condition: isPath("/users/42"), response: .json(["id": 42]).delay(.seconds(1)))
///     let user = try await client.user(42)
///     XCTAssertEqual(user.id, 42)
///   }
/// }
/// ```
///
/// The whole test runs in a scope, as `withStubs` makes one, with a new registry: `setUp` and `tearDown` in all their forms,
/// teardown blocks, and the test itself, synchronous or not. So there is nothing to remove in `tearDown`, and whatever is still in
/// flight after it fails with `StubScopeEndedError`.
///
/// Each request that fails because no stub matches it is a failure of the test. It points to the stub that the request came nearest
/// to, if there is one. Where the test throws that request's error, XCTest reports it, and it is not reported again. A request that ``unmatched`` answers or lets through is no failure, nor is one in a `withStubs` of
/// the test's own.
open class StubbedTestCase: XCTestCase {
  /// What becomes of a request that no stub matches. Nil, the default, lets it fail.
  open var unmatched: UnmatchedPolicy? { nil }

  /// Whether a stub that answered no request fails the test, at the stub's own line; false by default. A test that failed
  /// or was skipped is not told of them.
  open var reportsUnusedStubs: Bool { false }

  /// What all waiting goes by. Nil, the default, is the real time.
  open var clock: (any StubClock)? { nil }

  /// The network between the client and the stubs. Nil, the default, is one that takes no time and loses nothing.
  open var network: NetworkConditions? { nil }

  /// Runs the test in its scope. An override calls `super`.
  open override func invokeTest() {
    let own = ScopeOptions(
      unmatched: unmatched, reportsUnusedStubs: reportsUnusedStubs, clock: clock, network: network)
    let scope = TestScope(ScopeOptions.enclosing.overridden(by: own))
    let findings = scope.run {
      let listener = FailureListener(to: self)
      XCTestObservationCenter.shared.addTestObserver(listener)
      defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
      super.invokeTest()
      return listener.failures
    } isWhole: {
      testRun.map { $0.totalFailureCount == 0 && !$0.hasBeenSkipped } ?? true
    }
    for finding in findings { recordFailure(finding.description, at: finding.stub ?? finding.nearest) }
  }
}
