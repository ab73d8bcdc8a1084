#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Sends the completion of `data(for:)` and its siblings through the session's delegate queue.
  ///
  /// Up to Swift 6.3, URLSession resumes async calls inline on the task's work queue, while `cancel()` waits for that
  /// queue inside the lock of the cancelled Swift task. If the two meet, they deadlock (swift-corelibs-foundation
  /// issue 5412). With the flag cleared, they can't. A session whose delegate queue is the main queue keeps the flag,
  /// because a blocked main thread must not delay an async call.
  struct InlineCompletion: Sendable {
    private let flag: StoredField<Bool>
    private let session: SessionOfTask

    init?(named name: String = "_callCompletionHandlerInline") {
      guard let flag = StoredField<Bool>(name, of: URLSessionTask.self), let session = SessionOfTask() else {
        return nil
      }
      self.flag = flag
      self.session = session
    }

    /// Call this on the task's work queue. Returns `true` if an async call created the task.
    @discardableResult
    func clear(for task: URLSessionTask) -> Bool {
      guard flag.load(from: task) else { return false }
      if session.of(task)?.delegateQueue !== OperationQueue.main { flag.store(false, in: task) }
      return true
    }
  }
#endif
