import StubKit
import XCTest

extension XCTestCase {
  /// An expectation that is fulfilled when a stub has been chosen for so many requests, those that came before included.
  ///
  /// ```swift
  /// let upload = stub(condition: isMethodPOST() && isPath("/events"), response: .empty())
  /// analytics.track("launch")  // sends some time later, from a queue of its own
  /// wait(for: [expectation(forCallsTo: upload)], timeout: 1)
  /// ```
  ///
  /// More requests than that do it no harm. The requests may still be in progress. In an async test
  /// `Stub.waitForCalls(_:timeout:)` is shorter, and returns them.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - count: How many requests, at least.
  ///   - file: Where the expectation is made, for a failure to wait for it; leave it out, like the one that follows.
  ///   - line: The line.
  public func expectation(
    forCallsTo stub: Stub, count: Int = 1, file: StaticString = #file, line: Int = #line
  ) -> XCTestExpectation {
    let expectation = makeExpectation("\(count == 1 ? "a call" : "\(count) calls") of \(stub)", file, line)
    guard stub.callCount < count else {
      expectation.fulfill()
      return expectation
    }
    // Longer than any test takes: it ends with this one.
    let wait = Task {
      try await stub.waitForCalls(count, timeout: .seconds(1_000_000))
      expectation.fulfill()
    }
    addTeardownBlock { wait.cancel() }
    return expectation
  }
}
