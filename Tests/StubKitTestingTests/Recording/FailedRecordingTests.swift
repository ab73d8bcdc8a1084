import Foundation
import StubKitTesting
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder
@testable import StubKitRecording

/// A folder with recordings of failing tests.
private let recordings = temporaryPlace()

private func file(_ name: String) -> URL { recordings.appendingPathComponent(name + ".har") }

private func answer(_ text: String) {
  guard let recorder = StubRegistry.current.tap as? ArchiveRecorder else {
    return #expect(Bool(false), "nothing records")
  }
  recorder.end(
    recorder.begin(),
    [.init(request: URLRequest(url: URL(string: "http://a.example/")!), response: .init(body: Data(text.utf8)))])
}

private func text(_ file: URL) -> String? {
  (try? HTTPArchive(contentsOf: file))?.entries.first?.response.map { String(decoding: $0.body, as: UTF8.self) }
}

/// Makes an old recording before a test, and looks after it that the test has not replaced it.
private struct KeepsTheOldOne: TestTrait, TestScoping {
  let name: String
  var isKept = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let old = HTTPArchive(entries: [
      .init(request: URLRequest(url: URL(string: "http://a.example/")!), response: .init(body: Data("old".utf8)))
    ])
    try old.write(to: file(name))
    let quiet = RecordingSurroundings(environment: [:]) { _ in }
    try await RecordingSurroundings.$current.withValue(quiet, operation: function)
    #expect(text(file(name)) == (isKept ? "old" : "new"))
    let failed = file(name).appendingPathExtension("failed")
    #expect(text(failed) == (isKept ? "new" : nil))
  }
}

extension Trait where Self == KeepsTheOldOne {
  fileprivate static func keeps(_ name: String, _ isKept: Bool = true) -> Self {
    KeepsTheOldOne(name: name, isKept: isKept)
  }
}

private func fail() { Issue.record("wrong") }

@Suite("A test that fails", .inTurn)
struct FailedRecordingTests {
  @Test("does not replace its recording", .keeps("a"), .failing, .stubbed, .recorded("a", in: recordings, mode: .all))
  func issue() {
    answer("new")
    fail()
  }

  @Test("does not replace it without .stubbed", .keeps("b"), .failing, .recorded("b", in: recordings, mode: .all))
  func withoutScope() {
    answer("new")
    fail()
  }

  @Test("does not replace it by withRecording", .keeps("c"), .failing)
  func withRecordingAlone() throws {
    try withRecording(Recording("c", in: recordings, mode: .all)) {
      answer("new")
      fail()
    }
  }

  @Test("does not replace it by withRecording in a task", .keeps("d"), .failing)
  func withRecordingInTask() async throws {
    try await withRecording(Recording("d", in: recordings, mode: .all)) {
      answer("new")
      await Task { fail() }.value
    }
  }

  @Test("does not replace it if it failed before", .keeps("f"), .failing, .stubbed)
  func earlier() throws {
    fail()
    try withRecording(Recording("f", in: recordings, mode: .all)) { answer("new") }
  }

  @Test("replaces it if the issue is a known one, or a warning", .keeps("g", false), .stubbed)
  func known() throws {
    try withRecording(Recording("g", in: recordings, mode: .all)) {
      answer("new")
      withKnownIssue {
        ReportsOnPurpose.note()
        fail()
      }
    }
  }
}

/// Expects the issue of `fail()`, which the traits inside of it see first.
private struct Failing: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await function()
    } matching: {
      ReportsOnPurpose.note()
      return $0.comments.first?.rawValue == "wrong"
    }
  }
}

extension Trait where Self == Failing {
  fileprivate static var failing: Self { Failing() }
}
