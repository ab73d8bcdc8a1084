import Foundation

/// The amount of data that a connection carries per second.
///
/// ```swift
/// Bandwidth.kilobytesPerSecond(16) == .kilobitsPerSecond(128)
/// ```
///
/// A kilobyte is 1,000 bytes, a kilobit is 1,000 bits, a megabit is 1,000,000 bits, and a byte has 8 bits. A
/// bandwidth that is not above zero, or not finite, is a mistake: requests with it fail with a ``StubResponseError``.
public struct Bandwidth: Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes per second.
  let bytesPerSecond: Double

  /// What is wrong with the bandwidth, or `nil`.
  var mistake: String? {
    guard !(bytesPerSecond > 0 && bytesPerSecond.isFinite) else { return nil }
    return "\(bytesPerSecond) bytes per second is not a valid bandwidth. Write a number above zero. For a connection "
      + "without a limit, leave the bandwidth out. For no connection, write .offline."
  }

  /// The bandwidth as Swift source, such as `.kilobytesPerSecond(16.0)`.
  public var description: String {
    bytesPerSecond < 1_000
      ? ".bytesPerSecond(\(bytesPerSecond))" : ".kilobytesPerSecond(\(bytesPerSecond / 1_000))"
  }

  /// Returns a bandwidth in bytes per second.
  public static func bytesPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value) }

  /// Returns a bandwidth in kilobytes per second. One kilobyte is 1,000 bytes.
  public static func kilobytesPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 1_000) }

  /// Returns a bandwidth in kilobits per second. One kilobit is 125 bytes.
  public static func kilobitsPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 125) }

  /// Returns a bandwidth in megabits per second. One megabit is 125,000 bytes.
  public static func megabitsPerSecond(_ value: Double) -> Bandwidth { Bandwidth(bytesPerSecond: value * 125_000) }
}
