import Dispatch

/// A length of time, or a moment as the length of time since the zero of a clock. Its arithmetic saturates instead of
/// trapping.
///
/// Sums of `Duration` trap outside of its range, and so does `components` beyond `Int64.max` seconds. All code that
/// schedules, measures or adds times uses this type, and converts a user's `Duration` before it adds anything.
package struct Time: Hashable, Sendable {
  /// A duration from `-.longest` to `.longest`. The range of `Duration` is 18 times as wide, so it holds the sum of
  /// any two of these.
  package let duration: Duration

  package static let zero = Time(.zero)
  /// About 292 billion years.
  static let longest = Time(bound)
  private static let bound = Duration.seconds(Int64.max)

  package init(_ duration: Duration) {
    self.duration = min(max(duration, .zero - Self.bound), Self.bound)
  }

  static func seconds(_ count: some BinaryInteger) -> Time { Time(.seconds(Int64(clamping: count))) }
  static func milliseconds(_ count: some BinaryInteger) -> Time { Time(.milliseconds(Int64(clamping: count))) }
  static func nanoseconds(_ count: some BinaryInteger) -> Time { Time(.nanoseconds(Int64(clamping: count))) }

  /// - Parameter count: A number, which can be infinite.
  static func seconds(_ count: Double) -> Time {
    Time(.seconds(min(max(count, -longestInSeconds), longestInSeconds)))
  }

  private static let longestInSeconds = longest.inSeconds
  package var inSeconds: Double { duration / .seconds(1) }

  /// Creates the time for a number of bytes at a bandwidth.
  init(of byteCount: Int, at bytesPerSecond: Double) { self = .seconds(Double(byteCount) / bytesPerSecond) }

  /// The next whole nanosecond.
  var roundedUp: Time {
    let part = attosecondsBeyondNanosecond
    return part > 0 ? Time(duration + Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000 - part)) : self
  }

  /// The previous whole nanosecond.
  var roundedDown: Time {
    Time(duration - Duration(secondsComponent: 0, attosecondsComponent: attosecondsBeyondNanosecond))
  }

  /// The rest beyond a nanosecond, which is not negative, even for a negative time.
  private var attosecondsBeyondNanosecond: Int64 {
    let part = duration.components.attoseconds % 1_000_000_000
    return part < 0 ? part + 1_000_000_000 : part
  }
}

extension Time: Comparable {
  package static func < (left: Time, right: Time) -> Bool { left.duration < right.duration }
}

extension Time: AdditiveArithmetic {
  package static func + (left: Time, right: Time) -> Time { Time(left.duration + right.duration) }
  package static func - (left: Time, right: Time) -> Time { Time(left.duration - right.duration) }

  static func * (time: Time, count: Int) -> Time {
    let product = time.inSeconds * Double(count)
    return product.magnitude < longest.inSeconds ? Time(time.duration * count) : .seconds(product)
  }

  static func * (time: Time, factor: Double) -> Time {
    let product = time.inSeconds * factor
    return product.magnitude < longest.inSeconds ? Time(time.duration * factor) : .seconds(product)
  }

  static func / (left: Time, right: Time) -> Double { left.duration / right.duration }
}

extension Time: CustomStringConvertible {
  package var description: String { duration.description }
}

extension Time {
  /// The system's time, which passes by itself.
  static func now() -> Time { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  /// The moment of the system's time at which Dispatch runs what waits for this one, never before it.
  var dispatchTime: DispatchTime {
    // Dispatch takes greater numbers for times of another clock. No process lives for 146 years.
    guard self < .nanoseconds(Int64.max / 2) else { return .distantFuture }
    let (seconds, attoseconds) = max(self, .nanoseconds(1)).roundedUp.duration.components
    return DispatchTime(uptimeNanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
  }
}
