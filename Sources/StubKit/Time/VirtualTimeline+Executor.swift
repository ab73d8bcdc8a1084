/// Runs Swift code so that it is known when the code has come to rest. A job counts as begun while it waits for a
/// thread and while it runs. Suspended code doesn't count.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension VirtualTimeline: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    begin()
    WorkerPool.closures.run { [self] in
      if let watch {
        watch.attribute(to: self) { job.runSynchronously(on: asUnownedTaskExecutor()) }
      } else {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
      end()
    }
  }
}

extension VirtualTimeline {
  var executor: (any Executor)? {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { self } else { nil }
  }
}
