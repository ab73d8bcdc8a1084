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
