#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The mechanisms that go beyond public API. Each is created and checked when it is first used, and is `nil` if its
  /// own check refused it.
  struct Mechanisms {
    @AtFirstUse var currentQueue: CurrentQueue?
    @AtFirstUse var workQueue: WorkQueue?
    @AtFirstUse var taskState: TaskState?
    @AtFirstUse var inlineCompletion: InlineCompletion?
    @AtFirstUse var earlyStart: EarlyStart?
    @AtFirstUse var quietEnd: QuietEnd?
    @AtFirstUse var loadProperties: LoadProperties?
    @AtFirstUse var taskBehaviours: TaskBehaviours?
    @AtFirstUse var taskCounters: TaskCounters?
    @AtFirstUse var taskError: TaskError?
    @AtFirstUse var taskRequests: TaskRequests?
    @AtFirstUse var requestTimeout: RequestTimeout?
    @AtFirstUse var sessionOfTask: SessionOfTask?
    @AtFirstUse var taskBody: TaskBody?
    @AtFirstUse var headTemplates: HeadTemplates?
    @AtFirstUse var curlVersion: CurlVersion?
    @AtFirstUse var behaviourExchange: BehaviourExchange?
    @AtFirstUse var ownDelegate: OwnDelegate?
    /// Used first when the library is installed.
    @AtFirstUse var cacheLookup: CacheLookupHook?
    /// Used first when there is a registry besides the global one.
    @AtFirstUse var sessionMark: SessionMarkHook?
    /// Used first when there is a registry besides the global one.
    @AtFirstUse var callbacks: CallbackHook?
    /// Creates the configuration hook. If it throws, StubKit intercepts only the shared session.
    var makeConfigurationHook: () throws -> ConfigurationHook = { try ConfigurationHook() }

    func list(hook: ConfigurationHook?) -> [StubKitCapabilities.Mechanism] {
      [
        .init(
          name: "configuration hook", isActive: hook != nil,
          meaning: hook != nil
            ? "every session is intercepted"
            : "only URLSession.shared is intercepted, and sessions whose configuration was passed to HTTPStubs.setEnabled(true, for:)"
        ),
        .init(
          name: "session mark", isActive: sessionMark != nil,
          meaning: sessionMark != nil
            ? "a session belongs to the scope that created it, on any queue"
            : "a session belongs to a scope only if it was created with StubRegistry.makeSession() or install(in:)"
        ),
        .init(
          name: "callback scope", isActive: callbacks != nil,
          meaning: callbacks != nil
            ? "completion handlers and delegate callbacks run in the scope of their request"
            : "a request from a completion handler belongs to its session's scope, or to the only open one"),
        .init(
          name: "cache look-up", isActive: cacheLookup != nil,
          meaning: cacheLookup != nil
            ? "a stubbed request does not wait for its session's cache"
            : "a stubbed request waits for a look-up in its session's cache, on a background queue"),
        .init(
          name: "current queue", isActive: currentQueue != nil,
          meaning: currentQueue != nil
            ? "the registry of the task that made a request answers it"
            : "the registry that last took a request answers the next one"),
        .init(
          name: "work queue", isActive: workQueue != nil,
          meaning: workQueue != nil
            ? "delayed responses go straight to the task's queue" : "delayed responses go through the task's resume()"),
        .init(
          name: "task state", isActive: taskState != nil,
          meaning: taskState != nil
            ? "a load reads its task's state directly"
            : "a load asks its task for the state, which takes longer"),
        .init(
          name: "inline completion", isActive: inlineCompletion != nil,
          meaning: inlineCompletion != nil
            ? "cancelling an async call can't deadlock"
            : "up to Swift 6.3, an async call that is cancelled while it completes can hang"),
        .init(
          name: "early start", isActive: earlyStart != nil,
          meaning: earlyStart != nil
            ? "an async call with an immediate response continues without a thread switch"
            : "an async call with an immediate response continues through its session's delegate queue"),
        .init(
          name: "quiet end", isActive: quietEnd != nil,
          meaning: quietEnd != nil
            ? "resume() on a task that is just completing does nothing"
            : "resume() on a task that is just completing can crash, as it can without StubKit"),
        .init(
          name: "load properties", isActive: loadProperties != nil,
          meaning: loadProperties != nil
            ? "bodies arrive in pieces, and downloads receive their file"
            : "bodies arrive in one piece at the end, and downloads fail"),
        .init(
          name: "task behaviours", isActive: taskBehaviours != nil,
          meaning: taskBehaviours != nil
            ? "delegates receive progress of uploads and downloads, also those of single async calls"
            : "delegates receive no progress of uploads and downloads, and those of single async calls receive no data"),
        .init(
          name: "task counters", isActive: taskCounters != nil,
          meaning: taskCounters != nil
            ? "a task counts its bytes" : "a task's byte counts and its progress stay at zero"),
        .init(
          name: "task error", isActive: taskError != nil,
          meaning: taskError != nil
            ? "a failed task's error property is set" : "a failed task's error property stays nil"),
        .init(
          name: "task requests", isActive: taskRequests != nil,
          meaning: taskRequests != nil
            ? "a redirect shows in a task's currentRequest, and can lead to the real network"
            : "a redirect doesn't show in a task's currentRequest, and reaches the real network through another session"
        ),
        .init(
          name: "request timeout", isActive: requestTimeout != nil,
          meaning: requestTimeout != nil
            ? "a request's own timeout takes precedence over its session's"
            : "a request's own timeout takes precedence over its session's, unless it is the default of 60 seconds"),
        .init(
          name: "session of task", isActive: sessionOfTask != nil,
          meaning: sessionOfTask != nil
            ? "matchers, closures and the journal see httpAdditionalHeaders, and body streams from delegates"
            : "matchers, closures and the journal see only the request's own headers, and no body streams from delegates"
        ),
        .init(
          name: "task body", isActive: taskBody != nil,
          meaning: taskBody != nil
            ? "StubKit sees the bodies of upload tasks, and can still send a stream that it has read to the network"
            : "StubKit doesn't see the bodies of upload tasks, and can't send a stream that it has read to the network"),
        .init(
          name: "head templates", isActive: headTemplates != nil,
          meaning: headTemplates != nil
            ? "responses with equal headers share the work of reading them"
            : "the headers of each response are read anew, which takes longer"),
        .init(
          name: "curl version", isActive: curlVersion != nil,
          meaning: curlVersion != nil
            ? "stubHeaders contains the User-Agent and the Accept-Encoding that URLSession sends"
            : "stubHeaders contains a User-Agent and an Accept-Encoding only if the request or its session sets them"),
        .init(
          name: "behaviour exchange", isActive: behaviourExchange != nil,
          meaning: behaviourExchange != nil
            ? "a recording contains bodies that go to a session's delegate, with the times of their pieces"
            : "a recording lacks bodies that go to a session's delegate, and the replay fails with an error that says so"
        ),
        .init(
          name: "own delegate", isActive: ownDelegate != nil,
          meaning: ownDelegate != nil
            ? "a recording contains each redirect, and what came after a challenge"
            : "a recording contains only the last response of a redirected task, and nothing after a challenge"
        ),
      ]
    }
  }

  /// A mechanism that goes beyond public API and checks itself.
  protocol PlatformMechanism {
    /// The mechanism of this process, or `nil` if its check fails.
    static var shared: Self? { get }
  }

  /// A mechanism that its first reader creates, unless a test has replaced it.
  @propertyWrapper
  struct AtFirstUse<Mechanism: PlatformMechanism> {
    private var replacement: Mechanism?
    private var isReplaced = false

    var wrappedValue: Mechanism? {
      get { isReplaced ? replacement : Mechanism.shared }
      set {
        replacement = newValue
        isReplaced = true
      }
    }
  }
#endif
