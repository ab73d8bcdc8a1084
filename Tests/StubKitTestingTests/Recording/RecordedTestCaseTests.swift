#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StubKitRecording
  import TestSupport
  @testable import StubKit
  @testable import StubKitRecorder
  import XCTest

  /// A test case with recordings: one for each test, which is named for it.
  final class RecordedTestCaseTests: RecordedTestCase {
    private static let folder = temporaryPlace()
    private var seen: [String] = []
    private var hasRun = false

    private var method: String { name.split(separator: ".").last.map(String.init) ?? name }
    private var file: URL { Self.folder.appendingPathComponent(method + ".har") }

    override var recording: Recording? {
      switch method {
      case "testMakesARecording": Recording(method, in: Self.folder, mode: .once)
      case "testPlaysARecording", "testFailsWithoutARecording": Recording(method, in: Self.folder)
      default: nil
      }
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
      case "testFailsWithoutARecording":
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
      default: break
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

    private static func text(in file: URL) -> String? {
      (try? HTTPArchive(contentsOf: file))?.entries.first?.response.map { String(decoding: $0.body, as: UTF8.self) }
    }

    private func record(_ text: String) {
      let recorder = StubRegistry.current.tap as? ArchiveRecorder
      recorder?.end(
        recorder!.begin(),
        [.init(request: URLRequest(url: URL(string: "http://a.example/")!), response: .init(body: Data(text.utf8)))])
    }

    /// Runs a test inside of this one, whose failure is none of this run, and keeps XCTest from printing it.
    private static func silently(_ run: () -> Void) {
      fflush(nil)
      let (standardOutput, nothing) = (dup(1), open("/dev/null", O_WRONLY))
      dup2(nothing, 1)
      run()
      fflush(nil)
      dup2(standardOutput, 1)
      close(nothing)
      close(standardOutput)
    }

    /// What a failing test leaves: a recording, and one beside it.
    private func leftBy(_ body: @escaping (URL) throws -> Void) throws -> [String?] {
      let file = Self.folder.appendingPathComponent("failing.har")
      let entry = HTTPArchive.Entry(
        request: URLRequest(url: URL(string: "http://a.example/")!), response: .init(body: Data("old".utf8)))
      try HTTPArchive(entries: [entry]).write(to: file)
      let quiet = RecordingSurroundings(environment: [:]) { _ in }
      RecordingSurroundings.$current.withValue(quiet) {
        Self.silently { FailingTestCase(name: "fails on purpose") { _ in try body(Self.folder) }.run() }
      }
      defer { try? FileManager.default.removeItem(at: Self.folder) }
      return [Self.text(in: file), Self.text(in: file.appendingPathExtension("failed"))]
    }

    func testKeepsTheRecordingOfAFailedTest() throws {
      let left = try leftBy { folder in
        try withRecording(Recording("failing", in: folder, mode: .all)) {
          self.record("new")
          XCTFail("on purpose")
        }
      }
      XCTAssertEqual(left, ["old", "new"])
    }

    func testWatchesAnyTestCase() throws {
      let verdict = TestVerdict()
      RunningTest.watch(for: verdict) {
        Self.silently { PlainTestCase(name: "fails on purpose") { _ in XCTFail("on purpose") }.run() }
      }
      XCTAssert(verdict.hasFailed)
    }
  }

  private final class FailingTestCase: StubbedTestCase {}

  private final class PlainTestCase: XCTestCase {}
#endif
