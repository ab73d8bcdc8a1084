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
  /// More requests don't make it fail. The requests can still be in progress, and the closure of the stub may not have
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
    let expectation = makeExpectation("\(count == 1 ? "a call" : "\(count) calls") to \(stub)", file, line)
    guard stub.callCount < count else {
      expectation.fulfill()
      return expectation
    }
    // Longer than any test takes. The wait ends with this test.
    let wait = Task {
      try await stub.waitForCalls(count, timeout: .seconds(1_000_000))
      expectation.fulfill()
    }
    addTeardownBlock { wait.cancel() }
    return expectation
  }
}
