#if os(Linux)
  import Glibc

  /// The dispatch queue of the caller. Inside `canInit`, `startLoading` and `stopLoading`, it is the task's own work
  /// queue.
  ///
  /// It is the only key that `canInit` and `startLoading` of the same task share: callers reuse request values, and
  /// there is no task in `canInit`. libdispatch exports the function and calls it deprecated. If it is gone,
  /// `init` returns `nil`.
  struct CurrentQueue: PlatformMechanism {
    static let shared = CurrentQueue()

    private typealias Function = @convention(c) @Sendable () -> UnsafeRawPointer?
    private typealias LabelFunction = @convention(c) @Sendable (UnsafeRawPointer?) -> UnsafePointer<CChar>?
    private let function: Function
    private let label: LabelFunction

    init?(symbol: String = "dispatch_get_current_queue") {
      guard let address = dlsym(nil, symbol), let labelAddress = dlsym(nil, "dispatch_queue_get_label") else {
        return nil
      }
      // Both hold while libdispatch keeps the C signatures they have had since its first release.
      function = unsafeBitCast(address, to: Function.self)
      label = unsafeBitCast(labelAddress, to: LabelFunction.self)
      guard function() != nil else { return nil }
    }

    /// A Boolean value that indicates whether it is the work queue of a task, by the label that URLSession sets.
    var isWorkQueue: Bool {
      guard let label = label(nil) else { return false }
      return strcmp(label, "org.swift.URLSessionTask.WorkQueue") == 0
    }

    /// Two values are equal if and only if both calls run on the same queue, as long as that queue lives.
    var identity: UInt { UInt(bitPattern: function()) }
  }
#endif
