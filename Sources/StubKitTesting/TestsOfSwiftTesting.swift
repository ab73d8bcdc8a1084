import Foundation
import StubKit
import Testing
import XCTest

/// The tests of Swift Testing and of XCTest, for StubKit, which finds this class by its name.
final class TestsOfSwiftTesting: TestFramework {
  static var knowsTest: Bool { Test.current != nil }

  static var testName: String? { Test.current?.name ?? state.withLock { $0.name } }

  static var isCase: Bool { Test.Case.current?.isParameterized == true }

  static func opensScope() -> Bool {
    guard Test.current != nil else { return false }
    forgetGuess()
    return true
  }

  static func watch(for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void) async {
    guard Test.current != nil else {
      FailureWatch.begin(for: verdict)
      await body()
      return FailureWatch.end(for: verdict)
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
      FailureWatch.begin(for: verdict)
      body()
      return FailureWatch.end(for: verdict)
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
      guard issue.isFailure else { return false }
    #endif
    let miss = issue.error.flatMap { UnmatchedRequestError(from: $0) }
    verdict.fail(saying: "\(issue)\n\(miss?.description ?? "")")
    return false
  }

  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool {
    guard let test = Test.current else { return false }
    Issue.record(sentence, of: test, at: location, isWarning: isWarning)
    return true
  }

  static func recordFailure(_ sentence: String) -> Bool {
    // Only the observers of XCTest know whether a test runs.
    FailureWatch.sees(String(sentence.prefix { !$0.isNewline })) { XCTAssert(false, sentence) }
  }
}

// Whether XCTest runs a test that is no `StubbedTestCase`. It runs one at a time.
extension TestsOfSwiftTesting {
  private static let state = Protected(State())

  private struct State {
    var runsUnscopedTest = false
    var isGuess = false
    /// The name of the test that XCTest runs, if it has no scope.
    var name: String?
    /// Those who wait until it is known whether a test of XCTest without a scope runs now.
    var waiting: [@Sendable (_ isInTest: Bool) -> Void] = []
  }

  static var runsUnscopedTest: Bool { state.withLock { $0.runsUnscopedTest } }

  private static let isBegunWithProcess = Protected(false)

  /// Begins to watch, and intercepts sessions, before the first test. The process calls this when it has been loaded.
  static func beginWithProcess() {
    isBegunWithProcess.withLock { $0 = true }
    RunningTest.prepare()
    observer
  }

  /// Begins to watch, with the next test. What opens the first scope, or registers the first stub outside of every
  /// scope, on the main thread and outside of a task is taken for a test of XCTest.
  static func begin() { hasBegun }

  private static let hasBegun: Void = {
    guard !isBegunWithProcess.withLock(\.self) else { return }
    // XCTest reads its observers on the main thread.
    guard Thread.isMainThread else { return DispatchQueue.main.async { observer } }
    if withUnsafeCurrentTask(body: { $0 == nil }) {
      state.withLock { $0 = State(runsUnscopedTest: true, isGuess: true) }
    }
    observer
  }()

  static func whenTestIsKnown(_ tell: @escaping @Sendable (_ isInTest: Bool) -> Void) {
    guard Thread.isMainThread || withUnsafeCurrentTask(body: { $0 != nil }) else { return }
    let isKnown = state.withLock { state in
      if state.runsUnscopedTest, !state.isGuess { return true }
      state.waiting.append(tell)
      return false
    }
    if isKnown { tell(true) }
  }

  /// Swift Testing runs the tests.
  static func forgetGuess() {
    let waiting = state.withLock { state in
      if state.isGuess { state.runsUnscopedTest = false }
      state.isGuess = false
      return exchange(&state.waiting, with: [])
    }
    for tell in waiting { tell(true) }
  }

  /// XCTest keeps the observer. It can't be added while a test fails on another thread, so it stays.
  static let observer: Void = XCTestObservationCenter.shared.addTestObserver(Observer())

  private final class Observer: NSObject, XCTestObservation {
    func testCaseWillStart(_ testCase: XCTestCase) {
      // No test has ended since they came, so none ran.
      for tell in change(
        to: testCase is StubbedTestCase ? State() : State(runsUnscopedTest: true, name: testCase.name))
      { tell(false) }
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
      for tell in change(to: State()) where !(testCase is StubbedTestCase) { tell(true) }
    }

    /// Returns those who have waited for this.
    private func change(to new: State) -> [@Sendable (_ isInTest: Bool) -> Void] {
      state.withLock { state in exchange(&state, with: new).waiting }
    }

    #if canImport(ObjectiveC)
      func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
        // XCTest's own text can name the error without its description.
        let miss = issue.associatedError.flatMap { UnmatchedRequestError(from: $0) }
        FailureWatch.tell(miss?.description ?? issue.compactDescription)
      }
    #else
      func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
        atLine lineNumber: Int
      ) { FailureWatch.tell(description) }
    #endif
  }
}

extension Issue {
  /// Records an issue, or a warning in toolchains that have warnings. Elsewhere, a warning is a line on standard error.
  ///
  /// - Parameter location: The location of the issue, or `nil` for that of the test.
  static func record(_ sentence: String, of test: Test, at location: StubLocation?, isWarning: Bool) {
    let comment = Comment(rawValue: sentence)
    let location = location.flatMap(SourceLocation.init) ?? test.sourceLocation
    #if compiler(>=6.3)
      record(comment, severity: isWarning ? .warning : .error, sourceLocation: location)
    #else
      if isWarning {
        RunningTest.tell(sentence)
      } else {
        record(comment, sourceLocation: location)
      }
    #endif
  }
}
