#if canImport(ObjectiveC)
  import Foundation
  import StubKit
  import XCTest

  /// Receives the failures that XCTest reports.
  final class FailureObserver: NSObject, XCTestObservation {
    private let receive: (String) -> Void

    init(_ receive: @escaping (String) -> Void) { self.receive = receive }

    func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
      // XCTest's own text can name the error without its description.
      let miss = issue.associatedError.flatMap { UnmatchedRequestError(from: $0) }
      receive(miss?.description ?? issue.compactDescription)
    }
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

  extension XCTestExpectation {
    func fulfill(at file: StaticString, _ line: Int) { fulfill() }
  }
#endif
