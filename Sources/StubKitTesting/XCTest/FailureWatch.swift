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
