import Foundation
import StubKit
import XCTest

/// Tells verdicts about the failures that XCTest reports for the running test. XCTest runs one test at a time.
enum FailureWatch {
  /// The verdicts on the parts of tests that are being watched, each with a part of the failures that count, or `nil`
  /// for all.
  private static let watched = Protected<[(verdict: TestVerdict, sentence: String?)]>([])

  /// Tells the verdicts about a failure that XCTest reports.
  static func tell(_ failure: String) {
    for (verdict, sentence) in watched.withLock(\.self)
    where sentence.map({ failure.contains($0) }) ?? true { verdict.fail(saying: failure) }
  }

  /// Returns whether XCTest reports a failure with a sentence. It reports nothing if no test runs.
  static func sees(_ sentence: String, _ body: () -> Void) -> Bool {
    let verdict = TestVerdict()
    begin(for: verdict, sentence)
    body()
    end(for: verdict)
    return verdict.hasFailed
  }

  /// - Parameter sentence: A part of the failures that count, or `nil` for all.
  static func begin(for verdict: TestVerdict, _ sentence: String? = nil) {
    TestsOfSwiftTesting.observer
    watched.withLock { $0.append((verdict, sentence)) }
  }

  static func end(for verdict: TestVerdict) { watched.withLock { $0.removeAll { $0.verdict === verdict } } }
}
