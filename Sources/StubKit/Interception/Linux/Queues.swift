#if os(Linux)
  import CDispatch
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The dispatch queue of the caller. Inside `canInit`, `startLoading` and `stopLoading`, it is the task's own work
  /// queue.
  ///
  /// It is the only key that `canInit` and `startLoading` of the same task share: callers reuse request values, and
  /// there is no task in `canInit`. libdispatch calls the function deprecated.
  enum CurrentQueue {
    /// Two values are equal if and only if both calls run on the same queue, as long as that queue lives.
    static var identity: UInt { UInt(bitPattern: dispatch_get_current_queue()) }

    /// A Boolean value that indicates whether it is the work queue of a task, by the label that URLSession sets.
    static var isWorkQueue: Bool { strcmp(dispatch_queue_get_label(nil), "org.swift.URLSessionTask.WorkQueue") == 0 }
  }

  /// A task's work queue, which runs on that of its session.
  struct TaskQueue: DeliveryQueue {
    let own: DispatchQueue
    let ofSession: DispatchQueue

    func perform(_ work: @escaping @Sendable () -> Void) { own.async(execute: work) }

    /// Performs the work on the session's queue, which excludes the task's own. If a thread waits on the task's own queue,
    /// what comes after it there can come after what the session does next. `invalidateAndCancel()` would then let go of
    /// the delegate before the delegate learns that the task is cancelled.
    func performHere(_ work: @escaping @Sendable () -> Void) { ofSession.sync(execute: work) }
  }

  /// A task's work queue in the plain mode, which is the queue on which URLSession calls the task's loader, and on which
  /// this is created.
  struct WorkQueue: DeliveryQueue {
    // Safe because the task keeps the queue alive, and libdispatch takes work from any thread.
    nonisolated(unsafe) private let queue = dispatch_get_current_queue()
    let task: URLSessionTask

    init(of task: URLSessionTask) { self.task = task }

    func perform(_ work: @escaping @Sendable () -> Void) {
      dispatch_async_f(queue, Unmanaged.passRetained(DispatchWorkItem(block: work)).toOpaque()) {
        Unmanaged<DispatchWorkItem>.fromOpaque($0!).takeRetainedValue().perform()
      }
    }
  }
#endif
