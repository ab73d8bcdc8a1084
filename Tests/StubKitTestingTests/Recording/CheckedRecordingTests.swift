import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder
@testable import StubKitRecording

#if compiler(>=6.3)
  /// Takes the warnings of a test, which would be printed in each run.
  private struct TakesWarnings: TestTrait, TestScoping {
    let expected: [String]

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let warnings = Locked<[String]>([])
      try await withKnownIssue(isIntermittent: true) {
        try await function()
      } matching: { issue in
        guard issue.severity == .warning else { return false }
        ReportsOnPurpose.note()
        warnings.withLock { $0 += issue.comments.map(\.rawValue) }
        return true
      }
      #expect(warnings.withLock { $0 } == expected)
    }
  }

  @Suite("A recording that is checked", .inTurn)
  struct CheckedRecordingTests {
    private static let recording = HasRecordings("users", in: folder, ["http://127.0.0.1:1/users": "[]"])
    private static let folder = temporaryPlace()
    private static let warnings = ["users.har, entry 1: error: was none, is -1004"]

    @Test(
      "warns with the trait", recording, TakesWarnings(expected: warnings), .stubbed,
      .recorded("users", in: folder, mode: .check))
    func trait() async { #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/users") is URLError) }

    @Test("warns with withRecording", recording, TakesWarnings(expected: warnings))
    func function() async throws {
      try await withRecording(Recording("users", in: Self.folder, mode: .check)) {
        #expect(await URLSession.shared.failure(of: "http://127.0.0.1:1/users") is URLError)
      }
    }
  }
#endif
