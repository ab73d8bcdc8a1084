import Dispatch

/// A length of time, or a moment as the length of time since the zero of a clock.
///
/// Sums of `Duration` trap outside of its range. All code that schedules, measures or adds durations of a user clamps
/// them first. Fifty billion of the longest ones are still in the range.
extension Duration {
  /// The end of time on a clock, about 292 billion years.
  static let endOfTime = Duration.seconds(Int64.max)

  /// The duration, at most a hundred years in either direction.
  package var clamped: Duration { clamped(to: .seconds(Self.longestInSeconds)) }

  /// The duration, at least zero, and at most a hundred years.
  package var nonNegative: Duration { max(.zero, clamped) }
  func clamped(to longest: Duration) -> Duration { min(max(self, .zero - longest), longest) }

  private static let longestInSeconds = 100 * 31_557_600.0

  /// Creates the time for a number of bytes at a bandwidth, at most a hundred years. Without a limit, it is zero.
  init(of byteCount: Int, at bytesPerSecond: Double?) {
    self = bytesPerSecond.map { .seconds(min(Double(byteCount) / $0, Self.longestInSeconds)) } ?? .zero
  }

  /// The next whole nanosecond.
  var roundedUp: Duration { .zero - (Duration.zero - self).roundedDown }

  /// The previous whole nanosecond.
  var roundedDown: Duration {
    let part = components.attoseconds % 1_000_000_000
    // The rest of a negative time is negative.
    return self - Duration(secondsComponent: 0, attosecondsComponent: part < 0 ? part + 1_000_000_000 : part)
  }

  /// The system's time, which passes by itself.
  static func now() -> Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  /// The moment of the system's time at which Dispatch runs what waits for this one, never before it.
  var dispatchTime: DispatchTime {
    // Dispatch takes greater numbers for times of another clock. No process lives for 146 years.
    guard self < .nanoseconds(Int64.max / 2) else { return .distantFuture }
    let (seconds, attoseconds) = max(self, .nanoseconds(1)).roundedUp.components
    return DispatchTime(uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
  }
}
