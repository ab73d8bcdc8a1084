/// The mechanisms of the platform that are active, for bug reports.
///
/// On Linux, StubKit needs more than public API for some of its features. Each such mechanism checks itself before
/// StubKit uses it, and something simpler takes its place if the check fails. This type says which mechanisms are
/// active:
///
/// ```swift
/// print(StubKitCapabilities.current)
/// ```
public struct StubKitCapabilities: Sendable, CustomStringConvertible {
  /// A mechanism.
  public struct Mechanism: Sendable, Hashable {
    /// The name of the mechanism.
    public let name: String
    /// A Boolean value that indicates whether the check of the mechanism passed.
    public let isActive: Bool
    /// What the mechanism does if it is active, and what applies otherwise.
    public let meaning: String

    /// - Parameters:
    ///   - mechanism: The mechanism, or `nil` if its check failed.
    ///   - active: What the mechanism does.
    ///   - refused: What applies without it.
    init(_ name: String, _ mechanism: Any?, _ active: String, refused: String) {
      self.name = name
      isActive = mechanism != nil
      meaning = isActive ? active : refused
    }
  }

  /// The mechanisms of this platform in this process.
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
