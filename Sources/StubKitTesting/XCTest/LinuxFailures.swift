#if !canImport(ObjectiveC)
  import StubKit
  import XCTest

  /// Records the failures that XCTest reports for a test.
  final class FailureListener: XCTestObservation {
    private let testCase: XCTestCase
    private(set) var failures: [String] = []

    init(to testCase: XCTestCase) { self.testCase = testCase }

    func testCase(
      _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
      atLine lineNumber: Int
    ) {
      if testCase === self.testCase { failures.append(description) }
    }
  }

  /// Learns of every failure that XCTest reports.
  final class FailureObserver: XCTestObservation {
    private let fail: @Sendable () -> Void

    init(_ fail: @escaping @Sendable () -> Void) { self.fail = fail }

    func testCase(
      _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
      atLine lineNumber: Int
    ) { fail() }
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
