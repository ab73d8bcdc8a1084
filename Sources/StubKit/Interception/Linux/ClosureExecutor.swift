#if os(Linux)
  /// Runs the user's closures on threads of their own instead of on the cooperative ones, of which there is one for each core:
  /// tests that wait for an answer with a semaphore would soon hold them all.
  final class ClosureExecutor: TaskExecutor {
    static let shared = ClosureExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      WorkerPool.closures.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
