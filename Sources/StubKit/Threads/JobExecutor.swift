import Foundation

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
