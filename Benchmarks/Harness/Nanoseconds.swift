import Foundation

/// Readings of the monotonic clock, in nanoseconds.
enum Nanoseconds {
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// How long the work took.
  static func spent(on work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return Double(now() - start)
  }

  static func since(_ start: UInt64) -> Double { Double(now() - start) }
}
