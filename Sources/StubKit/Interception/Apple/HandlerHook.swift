#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Runs a request's completion handler in the scope of the request.
  ///
  /// A handler comes with the call that creates its task. Each of these calls is replaced by one that wraps the
  /// handler, so that it finds the note of its task. Async calls can use these calls or others, and need neither,
  /// because they return to the task that made them. Delegate methods are out of reach.
  struct HandlerHook {
    // To Objective-C, what a task is made of and what a handler receives are objects, and pass through as they are.
    private typealias Handler = @Sendable @convention(block) (AnyObject?, URLResponse?, (any Error)?) -> Void
    private typealias Make = @convention(c) (URLSession, Selector, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeBlock = @convention(block) (URLSession, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeUpload =
      @convention(c) (URLSession, Selector, AnyObject?, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeUploadBlock =
      @convention(block) (URLSession, AnyObject?, AnyObject?, Handler?) -> URLSessionTask

    init?() {
      var methods = ReplacedMethods()
      // The two loaders have session classes of their own, which need not inherit from one another.
      let sessions = SampleTasks.configurations.map { configuration in
        configuration.protocolClasses = [Unstubbed.self]
        return URLSession(configuration: configuration)
      }
      defer { for session in sessions { session.invalidateAndCancel() } }
      for type in sessions.map({ object_getClass($0) }) {
        Self.replaceMakers(&methods, type)
      }
      guard sessions.allSatisfy(Self.isEffective) else {
        methods.restore()
        return nil
      }
    }

    private static func replaceMakers(_ methods: inout ReplacedMethods, _ type: AnyClass?) {
      for name in [
        "dataTaskWithRequest:", "dataTaskWithURL:", "downloadTaskWithRequest:", "downloadTaskWithURL:",
        "downloadTaskWithResumeData:",
        // From macOS 14 and iOS 17 on.
        "uploadTaskWithResumeData:",
      ] {
        let selector = Selector(name + "completionHandler:")
        methods.replace(selector, from: type) { code in
          let original = unsafeBitCast(code, to: Make.self)
          let block: MakeBlock = { session, source, handler in
            wrapping(handler) { original(session, selector, source, $0) }
          }
          return block
        }
      }
      for name in ["uploadTaskWithRequest:fromData:", "uploadTaskWithRequest:fromFile:"] {
        let selector = Selector(name + "completionHandler:")
        methods.replace(selector, from: type) { code in
          let original = unsafeBitCast(code, to: MakeUpload.self)
          let block: MakeUploadBlock = { session, request, body, handler in
            wrapping(handler) { original(session, selector, request, body, $0) }
          }
          return block
        }
      }
    }

    /// The task that a handler belongs to, after it was created.
    private struct Made { weak var task: URLSessionTask? }

    /// Creates a task whose handler runs in its scope.
    private static func wrapping(_ handler: Handler?, _ make: (Handler?) -> URLSessionTask) -> URLSessionTask {
      guard let handler else { return make(nil) }
      let made = Protected(Made())
      let task = make { received, response, error in
        let callbacks = made.withLock(\.task).flatMap(TaskNote.of)?.callbacks
        guard let callbacks else { return handler(received, response, error) }
        callbacks.run { handler(received, response, error) }
      }
      made.withLock { $0.task = task }
      TaskNote.noteHandler(of: task)
      return task
    }

    /// Returns `true` if a call with a handler reaches the replaced code.
    private static func isEffective(_ session: URLSession) -> Bool {
      let task = session.dataTask(with: URLRequest(url: URL(string: "stubkit-handler://x/")!)) { _, _, _ in }
      task.cancel()
      return TaskNote.hasHandler(task)
    }
  }
#endif
