import Foundation

/// How many times as long as usual a test waits before it fails.
enum Slowdown {
  /// The number in `STUBKIT_SLOWDOWN`, or 1: for a machine that is emulated, or whose cores others use.
  static let factor = ProcessInfo.processInfo.environment["STUBKIT_SLOWDOWN"].flatMap(Int.init) ?? 1
}
