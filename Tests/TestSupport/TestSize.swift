import Foundation
import Testing

/// How much tests of many cases do.
package enum TestSize {
  private static let variable = ProcessInfo.processInfo.environment["STUBKIT_TESTS"]

  /// True with `STUBKIT_TESTS=whole` in the environment, as `.ci/run whole` has it. A plain run does a part.
  fileprivate static let isWhole = variable == "whole"

  package static func of<Size>(_ whole: Size, inPart part: Size) -> Size { isWhole ? whole : part }
}

extension Trait where Self == ConditionTrait {
  /// Leaves out a test that keeps threads busy for seconds, unless `STUBKIT_TESTS=whole` is in the environment.
  package static var keepsThreadsBusy: Self { .enabled(if: TestSize.isWhole) }
}
