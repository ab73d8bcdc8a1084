#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StubKitRecording
  import XCTest

  /// A test case with recordings: one for each test, which is named for it.
  final class RecordedTestCaseTests: RecordedTestCase {
    private static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "StubKitTests-\(UUID().uuidString)")
    private var seen: [String] = []
    private var hasRun = false

    private var method: String { name.split(separator: ".").last.map(String.init) ?? name }
    private var file: URL { Self.folder.appendingPathComponent(method + ".har") }

    override var recording: Recording? {
      Recording(method, in: Self.folder, mode: method == "testMakesARecording" ? .once : .replay)
    }

    override func invokeTest() {
      if method == "testPlaysARecording" {
        let entry = HTTPArchive.Entry(
          request: URLRequest(url: URL(string: "http://a.example/")!), response: .init(body: Data("recorded".utf8)))
        try? HTTPArchive(entries: [entry]).write(to: file)
      }
      super.invokeTest()
      switch method {
      case "testPlaysARecording": XCTAssert(hasRun && seen.isEmpty)
      case "testMakesARecording": XCTAssert(FileManager.default.fileExists(atPath: file.path))
      default:
        XCTAssertFalse(hasRun)
        XCTAssertEqual(
          seen,
          [
            """
            There is no recording "testFailsWithoutARecording". StubKit looked for \(file.path).
            To record it from the network, run the test once with
                STUBKIT_RECORD=once swift test --filter RecordedTestCaseTests/testFailsWithoutARecording
            """
          ])
      }
      try? FileManager.default.removeItem(at: file)
    }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard description.hasPrefix("There is no recording") else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      seen.append(description)
    }

    func testPlaysARecording() async throws {
      hasRun = true
      let text = try await fetch("http://a.example/")
      XCTAssertEqual(text, "recorded")
    }

    func testMakesARecording() { hasRun = true }

    func testFailsWithoutARecording() { hasRun = true }
  }
#endif
