import Foundation

/// Readings of a clock, in nanoseconds.
enum Nanoseconds {
  /// What time is measured by.
  enum Clock {
    /// Time as it passes.
    case monotonic
    /// The processors' time that this process has had: what other processes do meanwhile does not count.
    case processor
  }

  static func now(_ clock: Clock = .monotonic) -> UInt64 {
    var time = timespec()
    clock_gettime(clock == .monotonic ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// How long the work took.
  static func spent(by clock: Clock = .monotonic, on work: () throws -> Void) rethrows -> Double {
    let start = now(clock)
    try work()
    return Double(now(clock) - start)
  }

  static func since(_ start: UInt64) -> Double { Double(now() - start) }
}
