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

  /// Returns what the test that noted its finding last is to fail for.
  static func expected() -> String { last.withLock { $0.take() }?.rawValue ?? "ran" }
}

/// Checks that the test fails for what only the end of its scope finds, keeps its recording aside, and tells no secret.
private struct KeepsAside: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try folder.get()
    try folder.write(entry("http://a.example/", "old"))
    let failed = folder.file().appendingPathExtension("failed")
    defer { try? FileManager.default.removeItem(at: failed) }
    let (_, issues) = await takingIssues { try await folder.with { try await function() } }
    let (failures, expected) = (issues.map(\.text), LateFinding.expected())
    #expect(failures.contains { $0.contains(expected) }, "\(failures)")
    #expect((failures + folder.said).filter { $0.contains(LateFinding.secret) } == [])
    #expect(try folder.texts() == ["old"])
    #expect(try folder.texts(in: failed) == ["new"])
  }
}

/// FailingTestTests have a recording within its stubs.
@Suite("A recorded test whose stubs are within its recording", .inTurn, .serialized)
struct RecordedScopeTests {
  @Test(
    "keeps its old file, and prints no secret, if only the end of its scope makes it fail", KeepsAside(),
    .recorded("users", in: place, mode: .all), .stubbed(reportUnused: true),
    arguments: LateFinding.allCases)
  func fails(finding: LateFinding) async throws {
    finding.expect()
    try await finding.ask()
  }
}
