import Foundation

/// How much tests of many cases do.
package enum TestSize {
  /// True with `STUBKIT_TESTS=whole` in the environment, as `.ci/run` has it. A plain run does a part.
  private static let isWhole = ProcessInfo.processInfo.environment["STUBKIT_TESTS"] == "whole"

  package static func of<Number: BinaryInteger>(_ whole: Number, inPart part: Number) -> Number {
    isWhole ? whole : part
  }
}
