#if canImport(ObjectiveC)
  import StubKit
  import XCTest

  extension XCTestCase {
    /// - Parameter location: Nil where none is known.
    func recordFailure(_ description: String, at location: StubLocation?) {
      var issue = XCTIssue(type: .assertionFailure, compactDescription: description)
      if let location {
        issue.sourceCodeContext = XCTSourceCodeContext(
          location: XCTSourceCodeLocation(filePath: location.filePath, lineNumber: location.line))
      }
      record(issue)
    }

    /// XCTest finds the place by itself.
    func makeExpectation(_ description: String, _ file: StaticString, _ line: Int) -> XCTestExpectation {
      expectation(description: description)
    }
  }
#endif
