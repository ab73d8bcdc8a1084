#if canImport(ObjectiveC)
  import Foundation
  import StubKit
  import XCTest

  extension XCTestCase {
    /// XCTest knows the file of a test case.
    func noteFile(of stub: StubLocation?) {}

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
