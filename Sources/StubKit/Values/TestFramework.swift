import Foundation

/// What StubKitTesting tells StubKit about the test framework.
package protocol TestFramework: AnyObject, Sendable {
  /// A Boolean value that indicates whether the framework knows a test on the calling thread.
  static var knowsTest: Bool { get }

  /// The name of the test on the calling thread, or of the only one that runs, or `nil` if none is known.
  static var testName: String? { get }

  /// Whether the calling task belongs to one case of a parameterized test.
  static var isCase: Bool { get }

  /// A Boolean value that indicates whether the framework runs a test that has no scope. Only a framework that runs one
  /// test at a time knows that.
  static var runsUnscopedTest: Bool { get }

  /// Begins to watch which tests run.
  static func begin()

  /// Calls a closure when it is known whether a test without a scope runs here, unless one with a scope turns out to
  /// run. A test can have begun before the watch did. Then its end tells, or the beginning of the next one.
  static func whenTestIsKnown(_ tell: @escaping @Sendable (_ isInTest: Bool) -> Void)

  /// Notes that a scope opens. Returns whether the framework knows a test of the calling task.
  static func opensScope() -> Bool

  /// Records an issue of the test that the calling task belongs to. Returns `false` if there is none.
  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool

  /// Records a failure of the test that XCTest runs. Returns `false` if it runs none.
  static func recordFailure(_ sentence: String) -> Bool

  /// Runs a part of a test, and tells a verdict about each failure meanwhile.
  static func watch(for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void) async
  static func watch(for verdict: TestVerdict, _ body: () -> Void)
}

extension TestFramework {
  static func recordFailure(_ sentence: String) -> Bool { false }
  static var testName: String? { nil }
  static var isCase: Bool { false }
}
