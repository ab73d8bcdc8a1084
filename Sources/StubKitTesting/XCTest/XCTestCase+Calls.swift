import StubKit
import XCTest

extension XCTestCase {
  /// Returns an expectation that is fulfilled when a stub has been chosen for a number of requests. Earlier requests
  /// count too.
  ///
  /// ```swift
  /// let upload = stub(
  ///   condition: isMethodPOST() && isPath("/events"),
  ///   response: .empty())
  /// // Sends a request later, from a queue of its own.
  /// analytics.track("launch")
  /// wait(for: [expectation(forCallsTo: upload)], timeout: 1)
  /// ```
  ///
  /// If the calls don't come, the failure lists the requests that did, and what kept them from the stub. More requests
  /// don't make it fail. The requests can still be in progress, and the closure of the stub may not have
  /// begun. If the client has a handler, expect the completion instead. In an asynchronous test, `Stub.waitForCalls(_:timeout:)` is shorter, and returns the requests.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - count: The smallest number of requests.
  ///   - file: The file of the expectation, for its failure. Omit this and the following parameter.
  ///   - line: The line of the expectation.
  public func expectation(
    forCallsTo stub: Stub, count: Int = 1, file: StaticString = #file, line: Int = #line
  ) -> XCTestExpectation {
    expectation("\(count == 1 ? "a call" : "\(count) calls") to \(stub)", of: stub, count, .begun, file, line)
  }

  /// Returns an expectation that is fulfilled when a number of a stub's requests are over and their client has been told: its
  /// completion handler or the last method of its delegate has returned, or its async call has been resumed. Earlier
  /// requests count too.
  ///
  /// ```swift
  /// func testShowsTheName() {
  ///   let user = stub(condition: isPath("/users/42"), response: .json(["name": "Ann"]))
  ///   client.loadUser(42) { XCTAssertEqual($0?.name, "Ann") }
  ///   wait(for: [expectation(forCompletionsOf: user)], timeout: 1)
  /// }
  /// ```
  ///
  /// The handler therefore runs in this test, and its failed assertion fails this test. In an asynchronous test,
  /// `Stub.waitForCompletions(_:timeout:)` is shorter, and returns the requests. On Apple platforms, the methods of a delegate
  /// are not waited for.
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
    _ description: String, of stub: Stub, _ count: Int, _ milestone: StubCalls.Milestone, _ file: StaticString,
    _ line: Int
  ) -> XCTestExpectation {
    let expectation = makeExpectation(description, file, line)
    guard stub.count(of: milestone) < count else {
      expectation.fulfill()
      return expectation
    }
    // It ends with this test. XCTest doesn't tell when it gives up, so the description is kept up to date.
    let wait = Task {
      do {
        var known = (outcomes: [RecordedRequest.Outcome](), droppedCount: 0)
        while try await !stub.reaches(count, milestone, within: .milliseconds(100)) {
          let outcomes = stub.arrivalOutcomes
          guard outcomes != known else { continue }
          known = outcomes
          expectation.expectationDescription = ([description] + stub.arrivals()).joined(separator: "\n")
        }
        expectation.fulfill()
      } catch let error as StubWaitError {
        expectation.expectationDescription = error.description
      }
    }
    addTeardownBlock { wait.cancel() }
    return expectation
  }
}
