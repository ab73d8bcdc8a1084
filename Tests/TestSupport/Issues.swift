import StubKit
import Testing

/// Runs a part of the current test. The issues that it records don't fail the test. An error that it throws is one of
/// them. Neither its lines nor its attachments are printed.
package func takingIssues<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async -> (result: Result?, issues: [Issue]) {
  await RunningTest.$sink.withValue({ _ in }) { await takingTheirIssues(body) }
}

private func takingTheirIssues<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async -> (result: Result?, issues: [Issue]) {
  let issues = Locked<[Issue]>([])
  let result = Locked<Result?>(nil)
  let test = Test.current!
  #if compiler(>=6.3)
    // They are not printed either.
    let taking: IssueHandlingTrait = .filterIssues { issue in
      // A known issue isn't printed either.
      guard issue.isFailure || issue.severity == .warning else { return false }
      issues.withLock { $0.append(issue) }
      return false
    }
    try? await taking.provideScope(for: test, testCase: nil) {
      do {
        let value = try await body()
        result.withLock { $0 = value }
      } catch {
        Issue.record(error, sourceLocation: test.sourceLocation)
      }
    }
  #else
    try? await withKnownIssue(isIntermittent: true, sourceLocation: test.sourceLocation) {
      let value = try await body()
      result.withLock { $0 = value }
    } matching: { issue in
      issues.withLock { $0.append(issue) }
      return true
    }
  #endif
  return (result.withLock(\.self), issues.withLock(\.self))
}

extension Issue {
  /// What the issue says.
  package var text: String { comments.first?.rawValue ?? error.map { "threw \($0)" } ?? "\(self)" }
}

#if compiler(>=6.3)
  extension Trait where Self == IssueHandlingTrait {
    /// Takes the warnings of a test that provokes some. Write it before `.stubbed`, whose warnings come at the end.
    package static var withoutWarnings: Self { .filterIssues { $0.severity != .warning } }
  }
#else
  /// Before Swift 6.3, a test can't take its warnings.
  package struct WithoutWarnings: TestTrait, SuiteTrait {}

  extension Trait where Self == WithoutWarnings {
    package static var withoutWarnings: Self { Self() }
  }
#endif
