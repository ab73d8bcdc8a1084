import Foundation

/// A piece of work, which can run on any thread.
package typealias Work = @Sendable () -> Void

/// A piece of work that can wait.
typealias AsyncWork = @Sendable () async -> Void

/// Threads for work that can block them. Work that waits for a semaphore or for a request of its own doesn't keep
/// other work waiting.
///
/// Each piece of work is the only one on a serial queue of its own, because Dispatch starts a thread for each serial
/// queue that has work. (A concurrent queue gets only one more thread per second while its threads are blocked.) On
/// Linux, all serial queues of one quality of service share 255 threads, and `.userInteractive` counts as
/// `.userInitiated`. URLSession and the clocks use other qualities than these, so they continue, however many threads
/// are blocked here.
struct WorkerPool {
  /// The threads for the user's code.
  static let closures = WorkerPool(quality: .userInitiated)
  /// The threads for work that takes long, such as copying a file, or reading a stream that waits for whoever fills it.
  static let background = WorkerPool(quality: .utility)

  private let quality: DispatchQoS

  func run(_ work: @escaping Work) {
    DispatchQueue(label: "StubKit.worker", qos: quality).async(execute: work)
  }
}

/// Runs the jobs of Swift tasks on threads of their own.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class JobExecutor: TaskExecutor {

  /// Runs the user's closures. The cooperative pool has only one thread for each core, and tests that wait for an
  /// answer with a semaphore would soon block all of them.
  static let closures = JobExecutor { WorkerPool.closures.run($0) }

  /// Runs `advance(by:)` and the other movers on a thread of its own, because the caller's test may occupy the whole
  /// cooperative pool. On Linux, `.userInteractive` would share the threads of the user's closures.
  static let movers = {
    let queue = DispatchQueue(label: "StubKit.movers", qos: .default)
    return JobExecutor { queue.async(execute: $0) }
  }()

  private let start: @Sendable (@escaping Work) -> Void

  init(start: @escaping @Sendable (@escaping Work) -> Void) { self.start = start }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

extension DispatchQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    main.setSpecific(key: key, value: true)
    return key
  }()

  /// A Boolean value that indicates whether this is the main thread or the main queue, which another thread serves if
  /// the main one has nothing else to do.
  static var isMain: Bool { Thread.isMainThread || getSpecific(key: key) == true }
}

extension OperationQueue {
  /// A Boolean value that indicates whether this code is an operation of the queue, or work on the dispatch queue
  /// beneath it. Dispatch doesn't tell the current queue, but finds what is set on it.
  var isCurrent: Bool {
    if OperationQueue.current === self { return true }
    if self === OperationQueue.main { return DispatchQueue.isMain }
    guard let underlyingQueue else { return false }
    let key = DispatchSpecificKey<Bool>()
    underlyingQueue.setSpecific(key: key, value: true)
    defer { underlyingQueue.setSpecific(key: key, value: nil) }
    return DispatchQueue.getSpecific(key: key) == true
  }
}

/// The run of the user's closure, of a condition, a response, a policy or an observer, or the reading of a body's
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

/// A closure that runs only once: later calls have no effect.
final class OneTime<Value>: Sendable {
  private let receiver: Protected<Closure<@Sendable (Value) -> Void>?>

  init(_ receiver: @escaping @Sendable (Value) -> Void) { self.receiver = Protected(Closure(receiver)) }

  func callAsFunction(_ value: Value) { receiver.withLock { $0.take() }?.call(value) }
}
