#if !canImport(ObjectiveC)
  import StubKit
  import XCTest

  /// Receives the failures that XCTest reports, with the test case of each.
  final class FailureObserver: XCTestObservation {
    private let receive: (XCTestCase, String) -> Void

    init(_ receive: @escaping (XCTestCase, String) -> Void) { self.receive = receive }

    func testCase(
      _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
      atLine lineNumber: Int
    ) { receive(testCase, description) }
  }

  extension XCTestCase {
    /// - Parameter location: The location of the failure. If it is `nil`, the text is that of XCTest for errors that
    ///   tests throw.
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
