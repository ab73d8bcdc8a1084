import Foundation
import StubKitTesting
import Testing

/// A trait that marks the issues of its test as known.
private struct KnownIssues: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await withKnownIssue { try await function() }
  }
}

@Suite("The order of traits")
struct OrderOfTraitsExamples {
  @Test("lets a trait in front of .stubbed see what it records", KnownIssues(), .stubbed)
  func known() async {
    _ = try? await URLSession.shared.data(from: URL(string: "https://api.example.com/unmatched")!)
  }

  @Test("lets a trait behind .stubbed register stubs in its scope", .stubbed, .backend)
  func registers() {
    #expect(StubRegistry.current !== StubRegistry.global && StubRegistry.current.stubs.count == 2)
  }

  @Suite("in a stubbed suite, where the test names .stubbed again", .stubbed)
  struct InStubbedSuite {
    @Test("marks what is recorded as known", KnownIssues(), .stubbed)
    func known() async {
      _ = try? await URLSession.shared.data(from: URL(string: "https://api.example.com/unmatched")!)
    }
  }
}
