import Foundation

/// A value behind a lock: the one way in which state is shared here.
///
/// Keep the body of `withLock` short, and never call anything of the user's in it. The lock is a plain POSIX mutex,
/// which the thread sanitizer sees through: it can't see the contended path of Synchronization's Mutex.
final class Protected<Value: ~Copyable>: @unchecked Sendable {
  // @unchecked holds because `value` is touched only inside `withLock`, under the lock; the mutex is made in `init`, never
  // moved, and destroyed when nobody can hold it any more.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The mutex rules out what an exclusivity check would look for: two accesses at a time.
  @exclusivity(unchecked) private var value: Value

  init(_ value: consuming Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  func withLock<Result: ~Copyable, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

extension Protected: CustomReflectable where Value: ~Copyable {
  /// Nothing: whoever looks into a value, as a test framework does when it reports one, would read past the lock. A value that
  /// can't be copied would even crash it.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
