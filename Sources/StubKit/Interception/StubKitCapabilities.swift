/// Which of the platform's mechanisms are at work, for a bug report.
///
/// On Linux some things that a stubbing library needs are beyond public API. Each such mechanism checks itself before it
/// is used, and where its check fails something simpler takes its place. This says which are active:
///
/// ```swift
/// print(StubKitCapabilities.current)
/// ```
public struct StubKitCapabilities: Sendable, CustomStringConvertible {
  /// One mechanism.
  public struct Mechanism: Sendable, Hashable {
    /// What it is called.
    public let name: String
    /// Whether its check passed.
    public let isActive: Bool
    /// What it gives; and what holds where it is not active.
    public let meaning: String
  }

  /// The mechanisms of this platform, in this process.
  public static var current: StubKitCapabilities {
    SessionInstallation.activate()
    return StubKitCapabilities(mechanisms: Platform.mechanismList)
  }

  /// The mechanisms.
  public let mechanisms: [Mechanism]

  /// A line for each mechanism.
  public var description: String {
    mechanisms.map { "\($0.isActive ? "active  " : "refused ") \($0.name): \($0.meaning)" }.joined(separator: "\n")
  }
}
