#if canImport(ObjectiveC)
  import Foundation
  import StubKit
  import XCTest

  /// Records the failures that XCTest reports for a test.
  final class FailureListener: NSObject, XCTestObservation {
    private let testCase: XCTestCase
    private(set) var failures: [String] = []

    init(to testCase: XCTestCase) { self.testCase = testCase }

    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
      guard testCase === self.testCase else { return }
      // XCTest's own text can name the error without its description.
      let miss = issue.associatedError.flatMap { UnmatchedRequestError(from: $0) }
      failures.append(miss?.description ?? issue.compactDescription)
    }
  }

  /// Learns of every failure that XCTest reports.
  final class FailureObserver: NSObject, XCTestObservation {
    private let fail: @Sendable () -> Void

    init(_ fail: @escaping @Sendable () -> Void) { self.fail = fail }

    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { fail() }
  }

  extension XCTestCase {
    /// - Parameter location: The location of the failure, or `nil` if it is unknown.
    func recordFailure(_ description: String, at location: StubLocation?) {
      var issue = XCTIssue(type: .assertionFailure, compactDescription: description)
      if let location {
        issue.sourceCodeContext = XCTSourceCodeContext(
          location: XCTSourceCodeLocation(filePath: location.filePath, lineNumber: location.line))
      }
      record(issue)
    }

    /// XCTest finds the location by itself.
    func makeExpectation(_ description: String, _ file: StaticString, _ line: Int) -> XCTestExpectation {
      expectation(description: description)
    }
  }
#endif
