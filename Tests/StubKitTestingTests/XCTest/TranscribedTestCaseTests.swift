import Foundation
import StubKitTranscripts
import TestSupport
import XCTest

private let folder: URL = {
  let folder = temporaryPlace()
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for (name, path) in [("TranscribedTestCaseTests.testComparesItsRequests", "1"), ("TranscribedCase.inner", "2")] {
    try? Data("GET http://a.example/\(path)\nX: {{x}}\n".utf8).write(to: folder.appendingPathComponent("\(name).http"))
  }
  return folder
}()

private func load() async throws {
  stub(condition: isHost("a.example"), response: .text("stubbed"))
  _ = try await URLSession.shared.data(for: request("http://a.example/1", headers: ["X": "1"]))
}

/// A test case whose tests are compared with files.
final class TranscribedTestCaseTests: TranscribedTestCase {
  override var transcript: Transcript? { Transcript(in: folder) }

  func testComparesItsRequests() async throws {
    try await load()
    XCTAssertEqual(expectRequests("GET http://a.example/1\nX: {{x}}"), ["x": "1"])
  }
}

#if os(Linux)
  import Testing

  private final class TranscribedCase: TranscribedTestCase {
    override var transcript: Transcript? { Transcript(in: folder) }
  }

  private final class Listener: XCTestObservation {
    var failures: [String] = []

    func testCase(
      _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
      atLine lineNumber: Int
    ) { if testCase is TranscribedCase { failures.append(description) } }
  }

  /// XCTest knows no expected failures here, so a test case runs inside of a test, and its failures are taken.
  @Suite("A test case with transcripts", .inTurn)
  struct FailuresOfTranscribedCaseTests {
    @Test("fails at its end if its requests differ", .oneFramework)
    func fails() async {
      let failures = await Task.detached { @MainActor in
        let listener = Listener()
        XCTestObservationCenter.shared.addTestObserver(listener)
        defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
        TranscribedCase(name: "inner") { _ in
          stub(condition: isHost("a.example"), response: .text("stubbed"))
          let isDone = DispatchSemaphore(value: 0)
          URLSession.shared.dataTask(with: request("http://a.example/1", headers: ["X": "1"])) { _, _, _ in
            isDone.signal()
          }.resume()
          isDone.wait()
          // A test case inside of it has no transcript, so that its requests are compared with none.
          let nested = StubbedTestCase(name: "nested") { _ in
            stub(condition: isHost("a.example"), response: .text("stubbed"))
            let isDone = DispatchSemaphore(value: 0)
            URLSession.shared.dataTask(with: url("http://a.example/3")) { _, _, _ in isDone.signal() }.resume()
            isDone.wait()
          }
          nested.run()
          #expect(nested.testRun?.hasSucceeded == true)
        }.run()
        return listener.failures
      }.value
      #expect(failures.count == 1, "\(failures)")
      #expect(failures.first?.contains("- GET http://a.example/2\n+ GET http://a.example/1\n") == true, "\(failures)")
    }
  }
#endif
