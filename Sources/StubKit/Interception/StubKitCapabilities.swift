/// The mechanisms of the platform, for bug reports.
///
/// On Linux, StubKit needs more than public API for some of its features. Each such mechanism checks itself before
/// StubKit uses it, and something simpler takes its place if the check fails.
public enum StubKitCapabilities {
  /// A line for each mechanism, which says whether it is active, and what holds therefore.
  ///
  /// ```swift
  /// print(StubKitCapabilities.current)
  /// ```
  public static var current: String {
    SessionInstallation.activate()
    return Platform.mechanisms
  }

  /// Returns the line of a mechanism.
  ///
  /// - Parameters:
  ///   - isActive: Whether the mechanism's check succeeded.
  ///   - active: What the mechanism does.
  ///   - refused: What applies without it.
  static func line(_ name: String, _ isActive: Bool, _ active: String, refused: String) -> String {
    isActive ? "active   \(name): \(active)" : "refused  \(name): \(refused)"
  }
}
