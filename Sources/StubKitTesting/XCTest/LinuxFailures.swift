#if !canImport(ObjectiveC)
  import Foundation
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
    /// - Parameter location: The location of the failure. If it is `nil`, the failure is at the test method, or, if that
    ///   isn't found, where XCTest places errors that tests throw.
    func recordFailure(_ description: String, at location: StubLocation?) {
      let place = location.map { ($0.filePath, $0.line) } ?? declaration ?? ("<EXPR>", 0)
      recordFailure(withDescription: description, inFile: place.0, atLine: place.1, expected: true)
    }

    /// The file and line of the test method, as far as it is below the working directory, which is the package with
    /// `swift test`. XCTest knows only its name.
    private var declaration: (file: String, line: Int)? {
      let parts = name.split(separator: ".")
      let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      guard parts.count == 2,
        let files = FileManager.default.enumerator(
          at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      else { return nil }
      // A working directory that is no package can contain anything.
      for case let file as URL in files.lazy.prefix(20_000) where file.pathExtension == "swift" {
        guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("class \(parts[0])"),
          let method = text.range(of: "func \(parts[1])(")
        else { continue }
        return (file.path, text[..<method.lowerBound].count(where: \.isNewline) + 1)
      }
      return nil
    }

    func makeExpectation(_ description: String, _ file: StaticString, _ line: Int) -> XCTestExpectation {
      expectation(description: description, file: file, line: line)
    }
  }
#endif
