#if os(Linux)
  /// Runs the user's closures on threads of their own. The cooperative pool has only one thread for each core, and
  /// tests that wait for an answer with a semaphore would soon block all of them.
  final class ClosureExecutor: TaskExecutor {
    static let shared = ClosureExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      WorkerPool.closures.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
