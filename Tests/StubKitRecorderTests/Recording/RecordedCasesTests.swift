import StubKitRecorder
import StubKitRecording
import TestSupport
import Testing

private let folder = Result { try RecordingFolder() }
private let place = (try? folder.get().url) ?? temporaryPlace()

/// Checks that a file, which existed before, has what each case of a test has recorded.
private struct HasAllCases: TestTrait, TestScoping {
  let name: String

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try folder.get()
    guard testCase == nil else { return try await folder.with { try await function() } }
    try folder.write(entry("http://a.example/old", "old"), name: name)
    try await function()
    #expect(try folder.texts(name) == RecordedCasesTests.texts)
  }
}

@Suite("The cases of a parameterized test that record one file anew", .inTurn, .serialized)
struct RecordedCasesTests {
  static let texts = ["1", "2", "3"]

  @Test(
    "are all in it, if its trait names the file", HasAllCases(name: "trait"), .stubbed,
    .recorded("trait", in: place, mode: .all), arguments: texts)
  func trait(text: String) { answerFromNetwork(text) }

  @Test("are all in it, if a part of each case records", HasAllCases(name: "part"), .stubbed, arguments: texts)
  func part(text: String) throws {
    try withRecording(Recording("part", in: place, mode: .all)) { answerFromNetwork(text) }
  }

  @Test("are all in it, if they have no scope", HasAllCases(name: "plain"), arguments: texts)
  func plain(text: String) throws {
    try withRecording(Recording("plain", in: place, mode: .all)) { answerFromNetwork(text) }
  }

  @Test(
    "are in it but for those without a request", HasAllCases(name: "some"), .stubbed,
    .recorded("some", in: place, mode: .all), arguments: ["1", "", "2", "3", ""])
  func some(text: String) { if !text.isEmpty { answerFromNetwork(text) } }
}
