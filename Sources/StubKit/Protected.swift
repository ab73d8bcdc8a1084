#if os(Linux)
  import Synchronization
#else
  import Foundation
#endif

/// A value behind a lock: the one way in which state is shared here.
///
/// Keep the body of `withLock` short, and never call anything of the user's in it.
final class Protected<Value>: @unchecked Sendable {
  // @unchecked holds because `value` is touched only inside `withLock`, under the lock.
  #if os(Linux)
    private let lock = Mutex<Void>(())
  #else
    private let lock = NSLock()
  #endif
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    #if os(Linux)
      lock._unsafeLock()
      defer { lock._unsafeUnlock() }
    #else
      lock.lock()
      defer { lock.unlock() }
    #endif
    return try body(&value)
  }
}
