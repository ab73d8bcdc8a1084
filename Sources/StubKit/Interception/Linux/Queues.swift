#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import Glibc

  /// The dispatch queue of the caller. Inside `canInit`, `startLoading` and `stopLoading`, it is the task's own work
  /// queue.
  ///
  /// It is the only key that `canInit` and `startLoading` of the same task share: callers reuse request values, and
  /// there is no task in `canInit`. libdispatch exports the function and calls it deprecated.
  struct CurrentQueue {
    private typealias Function = @convention(c) @Sendable () -> UnsafeRawPointer?
    private typealias LabelFunction = @convention(c) @Sendable (UnsafeRawPointer?) -> UnsafePointer<CChar>?
    private typealias AsyncFunction = @convention(c) @Sendable (UInt, UnsafeMutableRawPointer, WorkFunction) -> Void
    private typealias WorkFunction = @convention(c) (UnsafeMutableRawPointer) -> Void
    private let function: Function
    private let label: LabelFunction
    private let async: AsyncFunction

    init?(symbol: String = FoundationInternal.currentQueue.rawValue) {
      guard let address = dlsym(nil, symbol),
        let labelAddress = dlsym(nil, FoundationInternal.queueLabel.rawValue),
        let asyncAddress = dlsym(nil, FoundationInternal.async.rawValue)
      else { return nil }
      // They hold while libdispatch keeps the C signatures they have had since its first release.
      function = unsafeBitCast(address, to: Function.self)
      label = unsafeBitCast(labelAddress, to: LabelFunction.self)
      async = unsafeBitCast(asyncAddress, to: AsyncFunction.self)
      guard function() != nil else { return nil }
    }

    /// A Boolean value that indicates whether it is the work queue of a task, by the label that URLSession sets.
    var isWorkQueue: Bool {
      label(nil).map { strcmp($0, "org.swift.URLSessionTask.WorkQueue") == 0 } ?? false
    }

    /// Two values are equal if and only if both calls run on the same queue, as long as that queue lives.
    var identity: UInt { UInt(bitPattern: function()) }

    /// Runs work on the queue with an identity, which must be alive.
    func perform(_ work: @escaping @Sendable () -> Void, on identity: UInt) {
      async(identity, Unmanaged.passRetained(DispatchWorkItem(block: work)).toOpaque()) {
        Unmanaged<DispatchWorkItem>.fromOpaque($0).takeRetainedValue().perform()
      }
    }
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

  /// A task's work queue in the plain mode, which is the queue on which URLSession calls the task's loader.
  struct WorkQueue: DeliveryQueue {
    private let queues: CurrentQueue
    private let identity: UInt
    // Keeps the queue alive.
    private let task: URLSessionTask

    /// Call this on the queue. Returns `nil` if the current queue can't be determined.
    init?(of task: URLSessionTask) {
      guard let queues = Platform.currentQueue else { return nil }
      (self.queues, identity, self.task) = (queues, queues.identity, task)
    }

    func perform(_ work: @escaping @Sendable () -> Void) { queues.perform(work, on: identity) }
  }
#endif
