import Foundation

/// The run of the user's closure, of a condition, a response, a policy or a listener, or the reading of a body's
/// stream, for a request of a registry. Tasks that it starts can go on afterwards.
final class ClosureRun: Sendable {
  /// The run that this code is part of.
  @TaskLocal static var current: ClosureRun?

  private let owner: ObjectIdentifier
  private let hasEnded = Protected(false)

  /// - Parameter owner: What is the same for each run of a registry.
  init(for owner: AnyObject) { self.owner = ObjectIdentifier(owner) }

  /// Returns whether this code is part of a run that isn't over.
  static func isUnderWay(for owner: AnyObject) -> Bool {
    current.map { $0.owner == ObjectIdentifier(owner) && !$0.hasEnded.current } ?? false
  }

  func end() { hasEnded.current = true }
}
