import Dispatch

extension DispatchTime {
  static func + (time: DispatchTime, duration: Duration) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: time.uptimeNanoseconds.addingClamped(duration.nanoseconds))
  }

  static func - (time: DispatchTime, duration: Duration) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: time.uptimeNanoseconds.addingClamped(-duration.nanoseconds))
  }

  func duration(to end: DispatchTime) -> Duration {
    .nanoseconds(Int64(clamping: end.uptimeNanoseconds) - Int64(clamping: uptimeNanoseconds))
  }
}

extension Duration {
  /// Whole nanoseconds, rounded up so that a wait is never too short, and clamped to about 146 years.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit = Int64.max / 2_000_000_000
    guard abs(seconds) < limit else { return seconds < 0 ? -limit * 1_000_000_000 : limit * 1_000_000_000 }
    return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
  }
}

extension UInt64 {
  fileprivate func addingClamped(_ difference: Int64) -> UInt64 {
    difference < 0
      ? (self > difference.magnitude ? self - difference.magnitude : 1)
      : addingReportingOverflow(difference.magnitude).overflow ? .max - 1 : self + difference.magnitude
  }
}
