import Foundation
import Testing

/// How much tests of many cases do.
package enum TestSize {
  private static let variable = ProcessInfo.processInfo.environment["STUBKIT_TESTS"]

  /// True with `STUBKIT_TESTS=whole` in the environment, as `.ci/nightly` has it. A plain run does a part.
  private static let isWhole = variable == "whole" || measuresScheduler

  fileprivate static let measuresScheduler = variable == "scheduler"

  package static func of<Size>(_ whole: Size, inPart part: Size) -> Size { isWhole ? whole : part }
}

extension Trait where Self == ConditionTrait {
  /// Leaves out what depends on when the system runs which thread, unless `STUBKIT_TESTS=scheduler` is in the
  /// environment. `.ci/nightly scheduler` tries such tests three times.
  package static var measuresScheduler: Self { .enabled(if: TestSize.measuresScheduler) }
}
