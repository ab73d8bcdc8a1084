import Dispatch

/// Runs the jobs of Swift tasks on threads of their own.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class JobExecutor: TaskExecutor {
  typealias Job = @Sendable () -> Void

  /// Runs the user's closures. The cooperative pool has only one thread for each core, and tests that wait for an
  /// answer with a semaphore would soon block all of them.
  static let closures = JobExecutor { WorkerPool.closures.run($0) }

  /// Runs what moves time, beside tests that keep the cooperative pool busy and closures that block all their threads.
  /// On Linux, `.userInteractive` would share the threads of the closures.
  static let movers = {
    let queue = DispatchQueue(label: "StubKit.movers", qos: .default)
    return JobExecutor { queue.async(execute: $0) }
  }()

  private let start: @Sendable (@escaping Job) -> Void

  init(start: @escaping @Sendable (@escaping Job) -> Void) { self.start = start }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
