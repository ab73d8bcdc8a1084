import Foundation

/// A value behind a lock that the thread sanitizer understands, which Synchronization's Mutex is not when it is
/// contended.
package final class Locked<Value>: @unchecked Sendable {
  // @unchecked holds because `value` is touched only inside `withLock`, under the lock.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Locked where Value: AdditiveArithmetic {
  /// Adds to the value, and returns the sum.
  package func adding(_ other: Value) -> Value {
    withLock { value in
      value += other
      return value
    }
  }
}
