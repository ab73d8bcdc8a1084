/// How much a connection carries in a second.
///
/// ```swift
/// Bandwidth.kilobytesPerSecond(16) == .kilobitsPerSecond(128)
/// ```
///
/// A kilobyte is 1,000 bytes, a kilobit 1,000 bits, a megabit 1,000,000 bits, and a byte has 8 bits. A bandwidth that is not
/// above zero, or not finite, traps.
public struct Bandwidth: Sendable, Hashable, CustomStringConvertible {
  /// In bytes per second.
  public let bytesPerSecond: Double

  private init(_ value: Double, bytes: Double, _ function: StaticString) {
    require(
      value > 0 && (value * bytes).isFinite,
      "Bandwidth.\(function)(\(value)) carries nothing, or is no number. Write one above zero, leave the bandwidth out for "
        + "a connection without limit, or .offline for none at all.")
    bytesPerSecond = value * bytes
  }

  /// So many bytes in a second.
  public static func bytesPerSecond(_ value: Double) -> Bandwidth { Bandwidth(value, bytes: 1, "bytesPerSecond") }

  /// So many times 1,000 bytes in a second.
  public static func kilobytesPerSecond(_ value: Double) -> Bandwidth {
    Bandwidth(value, bytes: 1_000, "kilobytesPerSecond")
  }

  /// So many times 1,000 bits in a second: 125 bytes.
  public static func kilobitsPerSecond(_ value: Double) -> Bandwidth {
    Bandwidth(value, bytes: 125, "kilobitsPerSecond")
  }

  /// So many times 1,000,000 bits in a second: 125,000 bytes.
  public static func megabitsPerSecond(_ value: Double) -> Bandwidth {
    Bandwidth(value, bytes: 125_000, "megabitsPerSecond")
  }

  /// As `16 kB/s`, or `500 B/s`.
  public var description: String {
    let (value, unit) = bytesPerSecond < 1_000 ? (bytesPerSecond, "B/s") : (bytesPerSecond / 1_000, "kB/s")
    return value == value.rounded() && value < 1e15 ? "\(Int(value)) \(unit)" : "\(value) \(unit)"
  }
}
