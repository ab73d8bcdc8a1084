#if os(Linux)
  /// Runs the user's closures on threads of their own instead of the cooperative ones, of which there is one for each
  /// core. Tests that wait for an answer with a semaphore would soon block all of those.
  final class ClosureExecutor: TaskExecutor {
    static let shared = ClosureExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      WorkerPool.closures.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
