import Foundation

/// A value behind a lock. All shared state in StubKit uses this type.
///
/// Keep the body of `withLock` short, and never run the user's code in it. The lock is a plain POSIX mutex, which the
/// thread sanitizer understands. It doesn't see the contended path of the Mutex in Synchronization.
///
/// Put a closure into a `Closure`. Swift reabstracts a bare one on every `inout` access and adds a thunk each time, and
/// after some thousand accesses, a call overflows the stack.
package final class Protected<Value: ~Copyable>: @unchecked Sendable {
  // Safe because only `withLock` touches `value`, under the lock. `init` creates the mutex, nothing moves
  // it, and it is destroyed when the last reference is gone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The mutex already prevents overlapping accesses, so an exclusivity check would find nothing.
  @exclusivity(unchecked) private var value: Value

  package init(_ value: consuming Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  package func withLock<Result: ~Copyable, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result)
    throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Takes something out of the value, and releases it outside the lock. What it has can belong to the user, and can
  /// do anything when it is released.
  func discard<Dropped: ~Copyable>(_ take: (inout Value) -> Dropped) {
    let dropped = withLock(take)
    _ = consume dropped
  }
}

extension Protected {
  /// The value as it is now. One that is replaced is released under the lock.
  var current: Value {
    get { withLock { $0 } }
    set { withLock { $0 = newValue } }
  }
}

extension Protected: CustomReflectable where Value: ~Copyable {
  /// An empty mirror. A test framework that reflects a value would read past the lock, and would crash for a value
  /// that can't be copied.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A closure as a value of its own, for a `Protected`.
package struct Closure<Function: Sendable>: Sendable {
  package let call: Function

  package init(_ call: Function) { self.call = call }
}
