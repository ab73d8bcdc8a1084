import StubKit

/// A test framework that runs no test, unless it says otherwise.
package protocol QuietFramework: TestFramework {}

extension QuietFramework {
  package static var runsUnscopedTest: Bool { false }
  package static func begin() {}
  package static func whenTestIsKnown(_ tell: @escaping @Sendable (_ isInTest: Bool) -> Void) {}
  package static func opensScope() -> Bool { false }
  package static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool { false }

  package static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void
  ) async { await body() }

  package static func watch(for verdict: TestVerdict, _ body: () -> Void) { body() }
}
