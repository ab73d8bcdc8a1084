#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The mechanisms that go beyond public API, each nil where its own check refused it.
  struct Mechanisms {
    var currentQueue = CurrentQueue()
    var workQueue = WorkQueue()
    var inlineCompletion = InlineCompletion()
    var loadProperties = LoadProperties()
    var taskBehaviours = TaskBehaviours()
    var taskCounters = TaskCounters()
    var taskError = TaskError()
    var taskRequests = TaskRequests()
    var requestTimeout = RequestTimeout()
    var sessionOfTask = SessionOfTask.shared
    var taskBody = TaskBody()
    var curlVersion = CurlVersion()
    var behaviourExchange = BehaviourExchange()
    var ownDelegate = OwnDelegate()
    /// Made when the library is installed, since it takes a session.
    var quietEnd: QuietEnd?
    var makeQuietEnd: () -> QuietEnd? = { QuietEnd() }
    /// Installed with the library.
    var cacheLookup: CacheLookupHook?
    var makeCacheLookup: () -> CacheLookupHook? = { try? CacheLookupHook() }
    /// Installed with the library.
    var sessionMark: SessionMarkHook?
    var makeSessionMark: () -> SessionMarkHook? = { try? SessionMarkHook() }
    /// Installed with the library.
    var callbacks: CallbackHook?
    var makeCallbacks: () -> CallbackHook? = { try? CallbackHook() }
    /// What to install the configuration hook with; where it refuses, the shared session alone is intercepted.
    var makeConfigurationHook: () throws -> ConfigurationHook = { try ConfigurationHook() }

    func list(hook: ConfigurationHook?) -> [StubKitCapabilities.Mechanism] {
      [
        .init(
          name: "configuration hook", isActive: hook != nil,
          meaning: hook != nil
            ? "every session is intercepted"
            : "only URLSession.shared, and sessions whose configuration HTTPStubs.setEnabled(true, for:) was given"),
        .init(
          name: "session mark", isActive: sessionMark != nil,
          meaning: sessionMark != nil
            ? "a session that is made in a scope belongs to it, from any queue"
            : "a session that is made in a scope belongs to it only where StubRegistry.makeSession() or install(in:) says so"
        ),
        .init(
          name: "callback scope", isActive: callbacks != nil,
          meaning: callbacks != nil
            ? "a completion handler and a delegate's callback run in the scope of the request they are about"
            : "a request that is made in a completion handler belongs to its session's scope, or to the only one open"),
        .init(
          name: "cache look-up", isActive: cacheLookup != nil,
          meaning: cacheLookup != nil
            ? "a stubbed request does not wait for its session's cache"
            : "a stubbed request waits until its session's cache was looked into, on a background queue"),
        .init(
          name: "current queue", isActive: currentQueue != nil,
          meaning: currentQueue != nil
            ? "a request is answered by the registry of the task that made it"
            : "a request is answered by the registry that took a request last"),
        .init(
          name: "work queue", isActive: workQueue != nil,
          meaning: workQueue != nil
            ? "delayed answers go straight to the task's queue" : "delayed answers come by way of the task's resume()"),
        .init(
          name: "inline completion", isActive: inlineCompletion != nil,
          meaning: inlineCompletion != nil
            ? "cancelling an async call can't deadlock"
            : "up to Swift 6.3 an async call that is cancelled while it completes may hang"),
        .init(
          name: "quiet end", isActive: quietEnd != nil,
          meaning: quietEnd != nil
            ? "resume() on a task that is just completing does nothing"
            : "resume() on a task that is just completing may crash, as it may without StubKit"),
        .init(
          name: "load properties", isActive: loadProperties != nil,
          meaning: loadProperties != nil
            ? "bodies arrive in pieces, and downloads get their file"
            : "bodies arrive whole at their end, and downloads fail"),
        .init(
          name: "task behaviours", isActive: taskBehaviours != nil,
          meaning: taskBehaviours != nil
            ? "delegates hear of what is sent and written, those of single async calls included"
            : "delegates do not hear of what is sent or written, and those of single async calls not of data"),
        .init(
          name: "task counters", isActive: taskCounters != nil,
          meaning: taskCounters != nil
            ? "a task counts its bytes" : "a task's counts of bytes, and its progress, stay at zero"),
        .init(
          name: "task error", isActive: taskError != nil,
          meaning: taskError != nil ? "a failed task has its error" : "a failed task's error property stays nil"),
        .init(
          name: "task requests", isActive: taskRequests != nil,
          meaning: taskRequests != nil
            ? "a redirect shows in a task's currentRequest, and may lead to the real network"
            : "a redirect does not show in a task's currentRequest, and reaches the real network through another session"
        ),
        .init(
          name: "request timeout", isActive: requestTimeout != nil,
          meaning: requestTimeout != nil
            ? "a request's own timeout goes before its session's"
            : "a request's own timeout goes before its session's, unless it is the usual 60 seconds"),
        .init(
          name: "session of task", isActive: sessionOfTask != nil,
          meaning: sessionOfTask != nil
            ? "matchers, closures and the journal see httpAdditionalHeaders, and streams that a delegate gives"
            : "matchers, closures and the journal see the request's own headers, and no stream that a delegate gives"),
        .init(
          name: "task body", isActive: taskBody != nil,
          meaning: taskBody != nil
            ? "the bodies of upload tasks are seen, and a stream that was read can still go to the network"
            : "the bodies of upload tasks are not seen, and a request whose stream was read can't go to the network"),
        .init(
          name: "curl version", isActive: curlVersion != nil,
          meaning: curlVersion != nil
            ? "stubHeaders has the User-Agent and the Accept-Encoding that URLSession sends"
            : "stubHeaders has a User-Agent and an Accept-Encoding only where the request or its session does"),
        .init(
          name: "behaviour exchange", isActive: behaviourExchange != nil,
          meaning: behaviourExchange != nil
            ? "a recording has the bodies that go to a session's delegate, with the times of their pieces"
            : "a recording has no bodies that go to a session's delegate, and says so when it is replayed"),
        .init(
          name: "own delegate", isActive: ownDelegate != nil,
          meaning: ownDelegate != nil
            ? "a recording has an entry for each redirect, and what came after a challenge"
            : "a recording has the last response of a task that is redirected, and no more than the demand of a challenge"
        ),
      ]
    }
  }
#endif
