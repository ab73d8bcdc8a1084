import StubKit
import XCTest

/// Tells verdicts about the failures that XCTest reports for the running test. XCTest runs one test at a time.
enum FailureWatch {
  /// One part of a test that is being watched.
  struct Ticket: Sendable { fileprivate let number: Int }

  private struct State {
    var count = 0
    var verdicts: [Int: TestVerdict] = [:]
  }
  private static let state = Protected(State())

  /// XCTest keeps the observer. It can't be added while a test fails on another thread, so it stays.
  private static let observer: Void = XCTestObservationCenter.shared.addTestObserver(
    FailureObserver { _, _ in for verdict in state.withLock({ $0.verdicts.values }) { verdict.fail() } })

  static func begin(for verdict: TestVerdict) -> Ticket {
    observer
    return state.withLock { state in
      state.count += 1
      state.verdicts[state.count] = verdict
      return Ticket(number: state.count)
    }
  }

  static func end(_ ticket: Ticket) { state.withLock { $0.verdicts[ticket.number] = nil } }
}
