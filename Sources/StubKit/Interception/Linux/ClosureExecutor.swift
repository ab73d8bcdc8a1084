#if os(Linux)
  import Dispatch

  /// Runs the user's closures on a dispatch queue of their own instead of on the cooperative threads, of which there is
  /// one for each core: tests that wait for an answer with a semaphore would soon hold them all.
  final class ClosureExecutor: TaskExecutor {
    static let shared = ClosureExecutor()

    private let queue = DispatchQueue(label: "StubKit.closures", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
