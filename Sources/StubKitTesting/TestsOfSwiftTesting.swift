import Foundation
import StubKit
import Testing

/// The tests of Swift Testing and of XCTest, for StubKit, which finds this class by its name.
final class TestsOfSwiftTesting: TestFramework {
  static var knowsTest: Bool { Test.current != nil }
  static var runsUnscopedTest: Bool { XCTestWatch.test == .unscoped }

  static func begin() { XCTestWatch.begin() }

  static func opensScope() -> Bool {
    guard Test.current != nil else { return false }
    XCTestWatch.forgetGuess()
    return true
  }

  static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void
  ) async {
    guard Test.current != nil else {
      let watch = FailureWatch.begin(for: verdict)
      await body()
      return FailureWatch.end(watch)
    }
    // No issue is a known one here. Only their matcher learns of issues where they are recorded.
    await withKnownIssue(isIntermittent: true, isolation: isolation) {
      await body()
    } matching: { issue in
      note(issue, for: verdict)
    }
  }

  static func watch(for verdict: TestVerdict, _ body: () -> Void) {
    guard Test.current != nil else {
      let watch = FailureWatch.begin(for: verdict)
      body()
      return FailureWatch.end(watch)
    }
    withKnownIssue(isIntermittent: true) {
      body()
    } matching: { issue in
      note(issue, for: verdict)
    }
  }

  /// - Returns: `false`, because the issue isn't a known one.
  private static func note(_ issue: Issue, for verdict: TestVerdict) -> Bool {
    #if compiler(>=6.3)
      if issue.isFailure { verdict.fail() }
    #else
      verdict.fail()
    #endif
    return false
  }

  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool {
    guard let test = Test.current else { return false }
    Issue.record(sentence, at: location.flatMap(SourceLocation.init) ?? test.sourceLocation, isWarning: isWarning)
    return true
  }
}

extension Issue {
  /// Records an issue, or a warning in toolchains that have warnings. Elsewhere, a warning is a line on standard error.
  package static func record(_ sentence: String, at location: SourceLocation, isWarning: Bool) {
    let comment = Comment(rawValue: sentence)
    #if compiler(>=6.3)
      record(comment, severity: isWarning ? .warning : .error, sourceLocation: location)
    #else
      if isWarning {
        FileHandle.standardError.write(Data("StubKit: \(sentence)\n".utf8))
      } else {
        record(comment, sourceLocation: location)
      }
    #endif
  }
}
