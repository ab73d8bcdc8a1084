#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Sends the completion of `data(for:)` and its kin through the session's delegate queue.
  ///
  /// Up to Swift 6.3 the async calls are resumed inline on the task's work queue, while `cancel()` waits for that queue
  /// inside the lock of the Swift task that is cancelled: a deadlock whenever the two meet
  /// (swift-corelibs-foundation issue 5412). With the flag cleared they can't. A session whose delegate queue is the
  /// main queue keeps the flag, since a blocked main thread must not hold up an async call.
  struct InlineCompletion {
    private let flag: StoredField<Bool>
    private let session: SessionOfTask

    init?(named name: String = "_callCompletionHandlerInline") {
      guard let flag = StoredField<Bool>(name, of: URLSessionTask.self), let session = SessionOfTask.shared else {
        return nil
      }
      self.flag = flag
      self.session = session
    }

    /// Call on the task's work queue. Says whether the task was made by an async call.
    func clear(for task: URLSessionTask) -> Bool {
      guard flag.load(from: task) else { return false }
      if session.of(task)?.delegateQueue !== OperationQueue.main { flag.store(false, in: task) }
      return true
    }
  }
#endif
