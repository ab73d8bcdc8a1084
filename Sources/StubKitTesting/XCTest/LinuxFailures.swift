#if !canImport(ObjectiveC)
  import Foundation
  import StubKit
  import XCTest

  extension XCTestCase {
    /// The file in which each test case registered its first stub.
    private static let files = Protected<[ObjectIdentifier: String]>([:])

    /// Remembers the file of a test case, which XCTest doesn't know.
    func noteFile(of stub: StubLocation?) {
      guard let stub else { return }
      Self.files.withLock { files in
        let test = ObjectIdentifier(type(of: self))
        files[test] = files[test] ?? stub.filePath
      }
    }

    /// - Parameter location: The location of the failure. If it is `nil`, the failure is in the file of the test case,
    ///   or, if that is unknown, where XCTest places errors that tests throw.
    func recordFailure(_ description: String, at location: StubLocation?) {
      let file = Self.files.withLock { $0[ObjectIdentifier(type(of: self))] }
      let place = location.map { ($0.filePath, $0.line) } ?? file.map { ($0, 1) } ?? ("<EXPR>", 0)
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
