#if os(Linux)
  import Foundation

  /// The fields of URLSession's own classes that StubKit reads and sets: all of them, or none.
  ///
  /// Each part checks itself. If one is not as it expects, because Foundation has changed, none is used, and StubKit does
  /// what public API allows.
  final class URLSessionInternals: PlatformMechanism, Sendable {
    static let shared = URLSessionInternals()

    let workQueue: WorkQueue
    let inlineCompletion: InlineCompletion
    let quietEnd: QuietEnd
    let loadProperties: LoadProperties
    let taskBehaviours: TaskBehaviours
    let taskCounters: TaskCounters
    let taskError: TaskError
    let taskRequests: TaskRequests
    let requestTimeout: RequestTimeout
    let sessionOfTask: SessionOfTask
    let taskBody: TaskBody
    /// `nil` if libcurl is linked statically. Only `stubHeaders` lacks something then.
    let curlVersion = CurlVersion()

    /// The variable of the environment that chooses the plain mode, to see whether a problem comes from these fields.
    static let variable = "STUBKIT_PLAIN"

    private init?() {
      guard ProcessInfo.processInfo.environment[Self.variable] ?? "" == "", let workQueue = WorkQueue(),
        let inlineCompletion = InlineCompletion(),
        let quietEnd = QuietEnd(), let loadProperties = LoadProperties(), let taskBehaviours = TaskBehaviours(),
        let taskCounters = TaskCounters(), let taskError = TaskError(), let taskRequests = TaskRequests(),
        let requestTimeout = RequestTimeout(), let sessionOfTask = SessionOfTask(), let taskBody = TaskBody()
      else { return nil }
      self.workQueue = workQueue
      self.inlineCompletion = inlineCompletion
      self.quietEnd = quietEnd
      self.loadProperties = loadProperties
      self.taskBehaviours = taskBehaviours
      self.taskCounters = taskCounters
      self.taskError = taskError
      self.taskRequests = taskRequests
      self.requestTimeout = requestTimeout
      self.sessionOfTask = sessionOfTask
      self.taskBody = taskBody
    }
  }
#endif
