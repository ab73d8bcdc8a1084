/// The number of running scopes of one registry, nested or side by side.
final class ScopeDepth: Sendable {
  private let depth = Protected(0)
  /// A Boolean value that indicates whether the registry lives for ever, in a scope or not.
  private let isForEver: Bool

  init(isForEver: Bool) { self.isForEver = isForEver }

  func enter() { depth.withLock { $0 += 1 } }

  /// A Boolean value that indicates whether no scope is running.
  var isEmpty: Bool { depth.withLock { $0 == 0 } && !isForEver }

  /// Runs a closure while somebody else certainly holds the registry. Returns `false` if that isn't certain.
  func whileHeld(_ body: () -> Void) -> Bool {
    depth.withLock {
      guard isForEver || $0 > 0 else { return false }
      body()
      return true
    }
  }

  /// Returns `true` if the last scope was left.
  func leave() -> Bool {
    depth.withLock {
      $0 -= 1
      return $0 == 0
    }
  }
}
