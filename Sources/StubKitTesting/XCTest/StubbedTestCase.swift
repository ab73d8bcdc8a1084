import Foundation
import StubKit
import XCTest

/// A test case whose tests have their own stubs.
///
/// ```swift
/// final class UserTests: StubbedTestCase {
///   override var clock: (any StubClock)? { .immediate }
///
///   func testLoadsAUser() async throws {
///     stub(
///       .get, "https://api.example.com/users/42",
///       response: .json(["id": 42]).delay(.seconds(1)))
///     let user = try await client.user(42)
///     XCTAssertEqual(user.id, 42)
///   }
/// }
/// ```
///
/// The whole test runs in a scope with a new registry, as with `withStubs`. That includes `setUp` and `tearDown` in
/// all their forms, teardown blocks, and the test itself, synchronous or not. You don't have to remove stubs in
/// `tearDown`. Requests that are still in flight after it fail with `StubScopeEndedError`, and the test waits for up to
/// a second until their handlers have returned. What is still under way then is a line on standard error.
///
/// A request that fails because no stub matches it is a failure of the test, at the location of the nearest stub if
/// there is one. Requests with the same report are one failure, and a method and URL have at most five. XCTest runs one
/// test at a time, so a request from a queue of the client's own is a failure of the test, too. If the test throws the
/// request's error, XCTest already reports it, and StubKit doesn't report it again. A request that ``unmatched``
/// answers or lets through is not a failure, and neither is a request in a `withStubs` of the test itself.
///
/// If a test fails, a text on standard error, which is no failure, names some of the last hundred requests and their
/// stubs:
///
/// - at most three stubs that were never used because a newer one, as broad or broader, answered their requests
/// - at most three other unused stubs that a single difference kept from a request, unless a request was unmatched
/// - at most three responses that a client hardly expects, such as a body with the status 204
/// - the last eight requests, with their outcomes
///
/// A stub whose `calls:` were not met is a failure at its own line.
///
/// A request that a stub answered although it has no scheme or no host is a failure, if another request of the test has
/// a host.
open class StubbedTestCase: XCTestCase {
  /// The policy for requests that no stub matches. Defaults to `nil`: such a request fails.
  open var unmatched: UnmatchedPolicy? { nil }

  /// A Boolean value that indicates whether a stub that answered no request fails the test, at its own line, or one
  /// with several responses of which some answered none. A test that failed or was skipped doesn't report unused stubs.
  /// Defaults to `false`.
  open var reportsUnusedStubs: Bool { false }

  /// What every request of a test must meet. Each one that doesn't is a failure. Defaults to `nil`: nothing.
  ///
  /// ```swift
  /// final class SwissTests: StubbedTestCase {
  ///   override var everyRequest: RequestMatcher? {
  ///     hasHeader("Accept-Language", "de-CH")
  ///   }
  /// }
  /// ```
  open var everyRequest: RequestMatcher? { nil }

  /// The clock for all waiting. Defaults to `nil`: real time.
  open var clock: (any StubClock)? { nil }

  /// The network conditions that apply to every stub. Defaults to `nil`: no latency and no losses.
  open var network: NetworkConditions? { nil }

  /// When a test attaches its requests and responses. Defaults to `nil`: if it fails.
  open var attaches: AttachmentPolicy? { nil }

  /// Runs the test in its scope. An override must call `super`.
  open override func invokeTest() {
    invokeStubbed(
      reportUnused: reportsUnusedStubs, clock: clock, network: network, unmatched: unmatched,
      everyRequest: everyRequest, attaches: attaches
    ) { super.invokeTest() }
  }
}

extension XCTestCase {
  /// Runs a test with stubs of its own, as ``StubbedTestCase`` does, in a test case with another base class.
  ///
  /// ```swift
  /// class AppTestCase: XCTestCase {}
  ///
  /// final class SettingsTests: AppTestCase {
  ///   override func invokeTest() {
  ///     invokeStubbed(clock: .immediate) { super.invokeTest() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reportUnused: Whether a stub that answered no request is a failure, and a response in turn that none got.
  ///     Defaults to `false`.
  ///   - clock: The clock for all waiting. Defaults to real time.
  ///   - network: The network conditions that apply to every stub. Defaults to no latency and no losses.
  ///   - unmatched: The policy for requests that no stub matches. By default, such a request fails the test.
  ///   - everyRequest: What every request of the test must meet. Defaults to nothing.
  ///   - attaches: When the test attaches its requests and responses. Defaults to `.onFailure`.
  ///   - test: Runs the test: `super.invokeTest()`.
  public func invokeStubbed(
    reportUnused: Bool? = nil, clock: (any StubClock)? = nil,
    network: NetworkConditions? = nil, unmatched: UnmatchedPolicy? = nil, everyRequest: RequestMatcher? = nil,
    attaches: AttachmentPolicy? = nil, _ test: () -> Void
  ) {
    let own = ScopeOptions(
      reportUnused: reportUnused, clock: clock, network: network, unmatched: unmatched,
      everyRequest: everyRequest, attaches: attaches)
    let scope = TestScope(
      ScopeOptions.enclosing.overridden(by: own), of: name, runsAlone: true, check: TestScope.pendingCheck)
    let findings = scope.run {
      // A test case that runs inside of this test has its own.
      TestScope.$pendingCheck.withValue(nil, operation: test)
    } ending: {
      guard let testRun else { return .whole }
      if testRun.hasBeenSkipped { return .skipped }
      return testRun.totalFailureCount == 0 ? .whole : .stopped
    }
    noteFile(of: scope.registry.stubs.first?.location)
    for finding in findings where !finding.isNote {
      recordFailure(finding.description, at: finding.stub ?? finding.nearest)
    }
    let hasFailed = testRun.map { $0.totalFailureCount > 0 } ?? findings.contains { !$0.isNote }
    for file in scope.attaches.files(of: plainNames, scope.registry, hasFailed: hasFailed) {
      file.attach(to: self, keeps: scope.attaches == .always)
    }
    // XCTest has no warnings, so notes are one text beside the failures.
    let notes = findings.filter(\.isNote).map(\.description)
    if !notes.isEmpty { RunningTest.tell("Beside the failure of \(name):\n\(notes.lines)") }
  }

  /// The class and the method: the last part of `-[AppTests.UserTests testLoads]` and of `UserTests.testLoads`.
  package var plainNames: [String] { ["\(type(of: self))", "\(name.split { " .]".contains($0) }.last ?? "")"] }
}

extension XCTestCase {
  /// Returns an expectation that is fulfilled when a stub has been chosen for a number of requests. Earlier requests
  /// count too.
  ///
  /// ```swift
  /// let upload = stub(
  ///   .post, "https://api.example.com/events",
  ///   response: .status(204))
  /// // Sends a request later, from a queue of its own.
  /// analytics.track("launch")
  /// wait(for: [expectation(forCallsTo: upload)], timeout: 1)
  /// ```
  ///
  /// If the calls don't come, the failure lists the requests that did, and what kept them from the stub. More requests
  /// don't make it fail. The requests can still be in progress, and the closure of the stub may not have
  /// begun. If the client has a handler, expect the completion instead. In an asynchronous test,
  /// `Stub.waitForCalls(_:timeout:)` is shorter, and returns the requests.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - count: The smallest number of requests.
  ///   - file: The file of the expectation, for its failure. Omit this and the following parameter.
  ///   - line: The line of the expectation.
  public func expectation(
    forCallsTo stub: Stub, count: Int = 1, file: StaticString = #file, line: Int = #line
  ) -> XCTestExpectation {
    expectation("\(count == 1 ? "a call" : "\(count) calls") to \(stub)", of: stub, count, .chosen, file, line)
  }

  /// Returns an expectation that is fulfilled when a number of a stub's requests are over and their client has been
  /// told: its completion handler or the last method of its delegate has returned, or its async call has been resumed.
  /// Earlier requests count too.
  ///
  /// ```swift
  /// func testShowsTheName() {
  ///   let user = stub(
  ///     .get, "https://api.example.com/users/42",
  ///     response: .json(["name": "Ann"]))
  ///   client.loadUser(42) { XCTAssertEqual($0?.name, "Ann") }
  ///   wait(for: [expectation(forCompletionsOf: user)], timeout: 1)
  /// }
  /// ```
  ///
  /// The handler therefore runs in this test, and its failed assertion fails this test. In an asynchronous test,
  /// `Stub.waitForCompletions(_:timeout:)` is shorter, and returns the requests. On Apple platforms, the methods of a
  /// delegate are not waited for.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - count: The smallest number of requests.
  ///   - file: The file of the expectation, for its failure. Omit this and the following parameter.
  ///   - line: The line of the expectation.
  public func expectation(
    forCompletionsOf stub: Stub, count: Int = 1, file: StaticString = #file, line: Int = #line
  ) -> XCTestExpectation {
    let requests = count == 1 ? "a request" : "\(count) requests"
    return expectation("the completion of \(requests) to \(stub)", of: stub, count, .completed, file, line)
  }

  private func expectation(
    _ description: String, of stub: Stub, _ count: Int, _ milestone: CallCounts.Milestone, _ file: StaticString,
    _ line: Int
  ) -> XCTestExpectation {
    let expectation = makeExpectation(description, file, line)
    if count < 1 {
      let mistake = "\(count) is not a valid number of requests to expect. Write 1 or more."
      recordFailure(mistake, at: StubLocation(fileID: "\(file)", filePath: "\(file)", line: line, column: 1))
    }
    // An inverted expectation fails where it is fulfilled.
    guard stub.count(of: milestone) < count else {
      expectation.fulfill(at: file, line)
      return expectation
    }
    // It ends with this test. XCTest doesn't tell when it gives up, so the description is kept up to date.
    let wait = Task {
      do {
        var known: [RecordedRequest.Outcome] = []
        while try await !stub.reaches(count, milestone, within: .milliseconds(100)) {
          let outcomes = stub.requestOutcomes
          guard outcomes != known else { continue }
          known = outcomes
          expectation.expectationDescription = ([description] + stub.closestRequests()).lines
        }
        expectation.fulfill(at: file, line)
      } catch let error as StubWaitError {
        expectation.expectationDescription = error.description
      }
    }
    addTeardownBlock { wait.cancel() }
    return expectation
  }
}
