import Foundation
import StubKit
import XCTest

/// Tells verdicts about the failures that XCTest reports for the running test. XCTest runs one test at a time.
enum FailureWatch {
  /// One part of a test that is being watched.
  struct Ticket: Sendable { fileprivate let number: Int }

  private struct State {
    var count = 0
    var watched: [Int: (verdict: TestVerdict, sentence: String?)] = [:]
  }
  private static let state = Protected(State())

  /// XCTest keeps the observer. It can't be added while a test fails on another thread, so it stays.
  private static let observer: Void = XCTestObservationCenter.shared.addTestObserver(
    FailureObserver { _, failure in
      for (verdict, sentence) in state.withLock({ $0.watched.values })
      where sentence.map({ failure.contains($0) }) ?? true { verdict.fail() }
    })

  /// Returns whether XCTest reports a failure with a sentence. It reports nothing if no test runs.
  static func sees(_ sentence: String, _ body: () -> Void) -> Bool {
    let verdict = TestVerdict()
    let watch = begin(for: verdict, sentence)
    body()
    end(watch)
    return verdict.hasFailed
  }

  /// - Parameter sentence: A part of the failures that count, or `nil` for all.
  static func begin(for verdict: TestVerdict, _ sentence: String? = nil) -> Ticket {
    observer
    return state.withLock { state in
      state.count += 1
      state.watched[state.count] = (verdict, sentence)
      return Ticket(number: state.count)
    }
  }

  static func end(_ ticket: Ticket) { state.withLock { $0.watched[ticket.number] = nil } }
}

/// Knows which kind of test XCTest runs. It runs one at a time.
enum XCTestWatch {
  enum Test { case none, scoped, unscoped }

  private static let state = Protected((test: Test.none, isGuess: false))

  static var test: Test { state.withLock { $0.test } }

  /// Begins to watch, with the next test. What opens the first scope on the main thread, and outside of a task, is taken
  /// for a test of XCTest.
  static func begin() {
    if Thread.isMainThread {
      if withUnsafeCurrentTask(body: { $0 == nil }) { state.withLock { $0 = (.unscoped, true) } }
      observer
    } else {
      // XCTest reads its observers on the main thread.
      DispatchQueue.main.async { observer }
    }
  }

  /// Swift Testing runs the tests.
  static func forgetGuess() { state.withLock { if $0.isGuess { $0 = (.none, false) } } }

  private static let observer: Void = XCTestObservationCenter.shared.addTestObserver(Observer())

  private final class Observer: NSObject, XCTestObservation {
    func testCaseWillStart(_ testCase: XCTestCase) {
      let test: Test = testCase is StubbedTestCase ? .scoped : .unscoped
      state.withLock { $0 = (test, false) }
    }

    func testCaseDidFinish(_ testCase: XCTestCase) { state.withLock { $0 = (.none, false) } }
  }
}
