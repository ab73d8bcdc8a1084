/// How long a recorded response takes when it is replayed.
///
/// ```swift
/// replay(archive, timing: .recorded)
/// ```
public struct ReplayTiming: Sendable, Hashable, CustomStringConvertible {
  private enum Kind { case atOnce, recorded }
  private let kind: Kind

  /// Responses arrive without delay.
  public static let atOnce = ReplayTiming(kind: .atOnce)
  /// Responses take the recorded times: up to the head, up to each piece of a body that arrived in pieces, and up to
  /// the end. The registry's clock measures them, so a test with a `ManualClock` doesn't have to wait.
  public static let recorded = ReplayTiming(kind: .recorded)

  /// `atOnce` or `recorded`.
  public var description: String { "\(kind)" }
}
