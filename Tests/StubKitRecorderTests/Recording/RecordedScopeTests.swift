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
    answerFromNetwork("http://a.example/", "new")
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

  func run() async throws {
    expect()
    try await ask()
  }

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

private struct KeepsAside: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try LateFinding.prepare()
    let (_, issues) = await takingIssues { try await folder.with { try await function() } }
    #expect(try LateFinding.problems(issues.map(\.text), folder) == [])
  }
}

extension Trait where Self == RecordedTrait {
  fileprivate static var recordedAgain: Self { .recorded("users", in: place, mode: .all) }
}

extension Trait where Self == StubbedTrait {
  fileprivate static var strictlyStubbed: Self { .stubbed(reportUnused: true, strict: true) }
}

@Suite("A test that fails at the end of its scope, and keeps its old recording and its secret", .inTurn, .serialized)
struct RecordedScopeTests {
  @Suite(
    "A recording of a suite that records inside of its stubs", .inTurn, KeepsAside(), .strictlyStubbed, .recordedAgain)
  struct Inside {
    @Test("fails", arguments: LateFinding.allCases)
    func fails(finding: LateFinding) async throws { try await finding.run() }

    @Test("records by itself", .recordedAgain, arguments: LateFinding.allCases)
    func records(finding: LateFinding) async throws { try await finding.run() }
  }

  @Suite(
    "A recording of a suite that records around its stubs", .inTurn, KeepsAside(), .recordedAgain, .strictlyStubbed)
  struct Around {
    @Test("fails", arguments: LateFinding.allCases)
    func fails(finding: LateFinding) async throws { try await finding.run() }
  }

  @Test(
    "records a part of it that ends well", KeepsAside(), .strictlyStubbed, arguments: [LateFinding.unused, .unasked])
  func part(finding: LateFinding) async throws {
    try await withRecording(Recording("users", in: place, mode: .all)) { try await finding.run() }
  }
}
