import Testing

/// Runs a part of the current test. The issues that it records don't fail the test. An error that it throws is one of
/// them.
package func takingIssues<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async -> (result: Result?, issues: [Issue]) {
  let issues = Locked<[Issue]>([])
  let result = Locked<Result?>(nil)
  let test = Test.current!
  #if compiler(>=6.3)
    // They are not printed either.
    let taking: IssueHandlingTrait = .filterIssues { issue in
      // Known issues stay what they are.
      guard issue.isFailure || issue.severity == .warning else { return true }
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
