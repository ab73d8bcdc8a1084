import Foundation
import StubKitRecorder
import StubKitRecording
import TestSupport
import Testing

private let folder = Result { try RecordingFolder() }
private let place = (try? folder.get().url) ?? temporaryPlace()

/// What only the end of a test's scope finds.
enum LateFinding: String, CaseIterable, Sendable {
  case mistake = "can't match any request."
  case unused = "No request used the stub"
  case unasked = "no condition names its query item access_token."
  case unmatched = "No stub matches GET http://a.example/users?access_token="
  case openCall = "waits for the test, because the response of"

  static let secret = "s3cr" + "et-9Zk2Rw7Q"
  private static let last = Locked<LateFinding?>(nil)

  /// Records a response, and registers what the request of the test finds.
  ///
  /// - Returns: The stub that holds the request, or `nil` if it is to be waited for.
  func begin() -> Stub? {
    answerFromNetwork("new")
    let isUsers = isPath("/users") && containsQuery("access_token")
    switch self {
    case .mistake: stub(condition: pathStartsWith("users/"), response: .ok)
    case .unused: stub(condition: isPath("/posts"), response: .ok)
    case .unasked: stub(condition: isPath("/users"), response: .ok)
    case .unmatched: HTTPStubs.unmatched = .fail
    case .openCall: return stub(condition: isUsers, response: .controlled)
    }
    if self == .mistake || self == .unused { stub(condition: isUsers, response: .ok) }
    return nil
  }

  static var request: URLRequest { TestSupport.request("http://a.example/users?access_token=\(secret)") }

  /// Notes what the test is to fail for.
  func expect() { Self.last.withLock { $0 = self } }

  func ask() async throws {
    let held = begin()
    let asking = Task { _ = try? await URLSession.shared.data(for: Self.request) }
    if let held { try await held.waitForCalls() } else { await asking.value }
  }

  /// Before a test: an old recording.
  static func prepare() throws -> RecordingFolder {
    let folder = try folder.get()
    try folder.write(entry("http://a.example/", "old"))
    try? FileManager.default.removeItem(at: folder.file().appendingPathExtension("failed"))
    return folder
  }

  /// After a test: what it should have failed for, kept aside, or not told.
  static func problems(_ failures: [String], _ folder: RecordingFolder) throws -> [String] {
    let finding = last.withLock { $0.take() }
    var problems: [String] = []
    if !failures.contains(where: { $0.contains(finding?.rawValue ?? "ran") }) { problems = ["fails for \(failures)"] }
    problems += (failures + folder.said).filter { $0.contains(secret) }
    let (texts, failed) = (try folder.texts(), folder.file().appendingPathExtension("failed"))
    if texts != ["old"] { problems.append("has \(texts)") }
    if try folder.texts(in: failed) != ["new"] { problems.append("has kept aside \(failed)") }
    return problems
  }
}

private struct KeepsAside: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try LateFinding.prepare()
    let (_, issues) = await takingIssues { try await folder.with { try await function() } }
    #expect(try LateFinding.problems(issues.map(\.text), folder) == [])
  }
}

/// FailingTestTests have a recording within its stubs.
@Suite("A recorded test whose stubs are within its recording", .inTurn, .serialized)
struct RecordedScopeTests {
  @Test(
    "keeps its old file and its secret if the end of its scope fails it", KeepsAside(),
    .recorded("users", in: place, mode: .all), .stubbed(reportUnused: true, strict: true),
    arguments: LateFinding.allCases)
  func fails(finding: LateFinding) async throws {
    finding.expect()
    try await finding.ask()
  }
}
