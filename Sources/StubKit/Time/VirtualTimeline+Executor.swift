import Dispatch

/// Runs Swift tasks on the threads where they would run without it, so that it is known when they have come to rest. A
/// job counts as begun while it waits for a thread and while it runs. Suspended code doesn't count.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension VirtualTimeline: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    // The runtime has a queue for each priority, too, and as many threads for it.
    let queue = DispatchQueue.global(qos: .init(TaskPriority(job.priority) ?? .medium))
    let job = UnownedJob(job)
    begin()
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      end()
    }
  }
}

extension VirtualTimeline {
  /// Runs the user's closures, and counts their jobs.
  var executor: (any Executor)? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return JobExecutor { [self] job in
      begin()
      WorkerPool.closures.run { [self] in
        job()
        end()
      }
    }
  }

  /// Starts a task that moves time. It isn't counted.
  func startMover(_ move: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return Task.detached { await move() }
    }
    return OwnTasks.make {
      Task.detached(executorPreference: JobExecutor.movers, priority: Task.currentPriority) { await move() }
    }
  }

  /// Notes that the code of the caller uses the timeline. Code that runs elsewhere than on the timeline has a round
  /// before each deadline from now on.
  func noteUser() {
    if !isRunningCaller { update { $0.isUsedElsewhere = true } }
  }

  private var isRunningCaller: Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    if ClosureCall.current?.timeline === self { return true }
    return withUnsafeCurrentTask { $0?.unownedTaskExecutor } == asUnownedTaskExecutor()
  }
}

extension DispatchQoS.QoSClass {
  fileprivate init(_ priority: TaskPriority) {
    self =
      switch priority {
      case .high...: .userInitiated
      case .medium...: .default
      case .low...: .utility
      default: .background
      }
  }
}
