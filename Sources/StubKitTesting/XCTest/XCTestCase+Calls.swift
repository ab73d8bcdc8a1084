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
  /// begun. In an asynchronous test, `Stub.waitForCalls(_:timeout:)` is shorter, and returns the requests.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - count: The smallest number of requests.
  ///   - file: The file of the expectation, for its failure. Omit this and the following parameter.
  ///   - line: The line of the expectation.
  public func expectation(
    forCallsTo stub: Stub, count: Int = 1, file: StaticString = #file, line: Int = #line
  ) -> XCTestExpectation {
    let description = "\(count == 1 ? "a call" : "\(count) calls") to \(stub)"
    let expectation = makeExpectation(description, file, line)
    guard stub.callCount < count else {
      expectation.fulfill()
      return expectation
    }
    // It ends with this test. XCTest doesn't tell when it gives up, so the description is kept up to date.
    let wait = Task {
      do {
        var known = (outcomes: [RecordedRequest.Outcome](), droppedCount: 0)
        while try await !stub.reaches(count, within: .milliseconds(100)) {
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
