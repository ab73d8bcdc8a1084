#if os(Linux)
  import Glibc

  /// The dispatch queue the caller runs on: inside `canInit`, `startLoading` and `stopLoading` the task's own work queue.
  ///
  /// It is the one key that `canInit` and `startLoading` of the same task share: callers reuse request values, and there
  /// is no task in `canInit`. libdispatch exports the function and calls it deprecated; where it is gone, `find` is nil.
  struct CurrentQueue {
    private typealias Function = @convention(c) () -> UnsafeRawPointer?
    private typealias LabelFunction = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
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

    /// Whether it is a task's work queue, by the label that URLSession gives those.
    var isWorkQueue: Bool {
      guard let label = label(nil) else { return false }
      return strcmp(label, "org.swift.URLSessionTask.WorkQueue") == 0
    }

    /// Equal for two calls exactly when both run on the same queue, as long as that queue lives.
    var identity: UInt { UInt(bitPattern: function()) }
  }
#endif
