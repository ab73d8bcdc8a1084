#if !canImport(ObjectiveC)
  import Foundation
  import StubKit
  import XCTest

  extension XCTestCase {
    /// - Parameter location: The location of the failure. If it is `nil`, the failure is where XCTest places errors
    ///   that tests throw.
    func recordFailure(_ description: String, at location: StubLocation?) {
      let place = location.map { ($0.filePath, $0.line) } ?? ("<EXPR>", 0)
      recordFailure(withDescription: description, inFile: place.0, atLine: place.1, expected: true)
    }

    func makeExpectation(_ description: String, _ file: StaticString, _ line: Int) -> XCTestExpectation {
      expectation(description: description, file: file, line: line)
    }
  }

  extension XCTestExpectation {
    func fulfill(at file: StaticString, _ line: Int) { fulfill(file, line: line) }
  }
#endif
