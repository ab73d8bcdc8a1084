import Foundation

/// Readings of a clock, in nanoseconds.
enum Nanoseconds {
  /// A way to measure time.
  enum Clock {
    /// The time that passes.
    case monotonic
    /// The processor time of this process. Time that other processes take doesn't count.
    case processor
  }

  static func now(_ clock: Clock = .monotonic) -> UInt64 {
    var time = timespec()
    clock_gettime(clock == .monotonic ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the time that the work took.
  static func spent(by clock: Clock = .monotonic, on work: () throws -> Void) rethrows -> Double {
    let start = now(clock)
    try work()
    return Double(now(clock) - start)
  }

  static func since(_ start: UInt64) -> Double { Double(now() - start) }
}
