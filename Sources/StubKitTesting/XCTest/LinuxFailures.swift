#if !canImport(ObjectiveC)
  import StubKit
  import XCTest

  extension XCTestCase {
    /// - Parameter location: Nil where none is known: then it says what XCTest says of errors that tests throw.
    func recordFailure(_ description: String, at location: StubLocation?) {
      recordFailure(
        withDescription: description, inFile: location?.filePath ?? "<EXPR>", atLine: location?.line ?? 0,
        expected: true)
    }

    func makeExpectation(_ description: String, _ file: StaticString, _ line: Int) -> XCTestExpectation {
      expectation(description: description, file: file, line: line)
    }
  }
#endif
