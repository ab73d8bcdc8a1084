/// How many scopes of one registry are running, one inside the other or side by side.
final class ScopeDepth: Sendable {
  private let depth = Protected(0)
  /// Whether the registry lives for ever, in a scope or not.
  private let isForEver: Bool

  init(isForEver: Bool) { self.isForEver = isForEver }

  func enter() { depth.withLock { $0 += 1 } }

  /// Whether none is running.
  var isEmpty: Bool { depth.withLock { $0 == 0 } && !isForEver }

  /// Does something while it is certain that someone else holds the registry; false if that is not.
  func whileHeld(_ body: () -> Void) -> Bool {
    depth.withLock {
      guard isForEver || $0 > 0 else { return false }
      body()
      return true
    }
  }

  /// True when the last one was left.
  func leave() -> Bool {
    depth.withLock {
      $0 -= 1
      return $0 == 0
    }
  }
}
