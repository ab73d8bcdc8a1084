#if os(Linux)
  import Glibc

  /// The dispatch queue the caller runs on: inside `canInit`, `startLoading` and `stopLoading` the task's own work queue.
  ///
  /// It is the one key that `canInit` and `startLoading` of the same task share: callers reuse request values, and there
  /// is no task in `canInit`. libdispatch exports the function and calls it deprecated; where it is gone, `find` is nil.
  struct CurrentQueue {
    private typealias Function = @convention(c) () -> UnsafeRawPointer?
    private let function: Function

    init?(symbol: String = "dispatch_get_current_queue") {
      guard let address = dlsym(nil, symbol) else { return nil }
      // Holds while libdispatch keeps the C signature it has had since its first release: no argument, a pointer back.
      function = unsafeBitCast(address, to: Function.self)
      guard function() != nil else { return nil }
    }

    /// Equal for two calls exactly when both run on the same queue, as long as that queue lives.
    var identity: UInt { UInt(bitPattern: function()) }
  }
#endif
