import Foundation

/// The mechanisms of the platform.
enum Capabilities {
  /// A line for each mechanism.
  static var current: String {
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
