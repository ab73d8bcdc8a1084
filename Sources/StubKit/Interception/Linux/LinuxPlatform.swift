#if !canImport(Darwin)
  import CDispatch
  import Foundation

  /// The parts of swift-corelibs-foundation that loads use.
  enum Platform {
    /// What StubKit uses of URLSession beyond public API, or `nil` in the plain mode.
    static let internals = URLSessionInternals.orPlainMode()

    // Safe because only `install()` reads it, and only a test writes it before, in a process of its own.
    nonisolated(unsafe) static var installConfigurationHook = { () throws in try ConfigurationHook.install() }

    // Safe because only `install()` writes it, once, and `SessionInstallation` calls that under a once-lock.
    nonisolated(unsafe) private static var hasConfigurationHook = false

    /// Adds StubKit's class to all configurations. If the hook is refused, adds it only to that of the shared session,
    /// which is a live object. (`registerClass` would have no effect, because the first session registers the system's
    /// classes, and URLSession asks those first.)
    static func install() {
      hasConfigurationHook = (try? installConfigurationHook()) != nil
      // The shared session belongs to no scope, whichever one uses it first.
      let shared = URLSession.shared.configuration
      _ = internals
      guard !hasConfigurationHook else { return }
      shared.protocolClasses = SessionInstallation.intercepted(shared.protocolClasses)
    }

    static var mechanisms: String {
      [
        Capabilities.line(
          "configuration hook", hasConfigurationHook, "every session is intercepted",
          refused:
            "only URLSession.shared is intercepted, and sessions whose configuration was passed to HTTPStubs.setEnabled(true, for:)"
        ),
        Capabilities.line(
          "URLSession internals", internals != nil,
          "tasks have the states, the counts and the callbacks that they have with a server, and sessions and callbacks "
            + "belong to the scope that created them",
          refused:
            "plain mode, with public API only: bodies arrive in one piece, downloads and the bodies of uploads are missing, "
            + "tasks count no bytes, and a session belongs to a scope only if it was created with "
            + "StubRegistry.makeSession() or install(in:). StubKit knows the Foundation of Swift 6.2 and 6.3"),
      ].lines
    }

    static func isSystemLoader(_ loader: AnyClass) -> Bool { NativeLoader.classes.contains { $0 == loader } }

    /// The dispatch queue of the caller: two values are equal if and only if both calls run on the same queue, as long
    /// as that queue lives. Inside `canInit`, `startLoading` and `stopLoading`, it is the task's own work queue.
    ///
    /// It is the only key that `canInit` and `startLoading` of the same task share: callers reuse request values, and
    /// there is no task in `canInit`. libdispatch calls the function deprecated.
    static var currentQueue: UInt { UInt(bitPattern: dispatch_get_current_queue()) }

    /// A Boolean value that indicates whether this is the work queue of a task, on which URLSession asks for a loader
    /// on the thread that makes the request, and calls it later. URLSession sets its label.
    static var isOnWorkQueue: Bool { strcmp(dispatch_queue_get_label(nil), "org.swift.URLSessionTask.WorkQueue") == 0 }

    /// The contexts from `canInit` to the loads that follow. A key is reused when its task is gone.
    fileprivate static let contexts = Protected<[UInt: RequestContext]>([:])

    /// Call this in `canInit`, which runs where the request is made. Returns `false` if no registry takes the request.
    ///
    /// The key is the current queue: the task's own queue both in `canInit`, where no task exists yet, and in the load.
    static func depositContext(for request: URLRequest, of task: URLSessionTask?, by type: StubURLProtocol.Type) -> Bool
    {
      // If other code calls `canInit`, it isn't on a work queue, and neither a load nor a look-up in the cache follows.
      let isMade = isOnWorkQueue
      guard let context = Attribution.context(for: request, type.mark, beginning: isMade ? .pending : nil) else {
        return false
      }
      guard isMade else { return true }
      contexts.discard { $0.updateValue(context, forKey: currentQueue) }
      context.awaitCallbacks(of: request)
      if internals != nil { CacheLookupHook.skipLookup() }
      return true
    }

    /// URLSession calls a load on the load's own queue.
    @inline(__always)
    static func enter(_ queue: TimelineQueue, _ work: @escaping Work) { work() }

    /// Returns whether StubKit can take a request: one with any URL, even without a scheme, except for those of system
    /// loaders that StubKit doesn't replace.
    static func canIntercept(_ request: URLRequest) -> Bool {
      switch request.url?.scheme?.lowercased() ?? "" {
      case "ftp", "ws", "wss", "data": false
      default: request.url != nil
      }
    }

    /// Returns whether the system has a loader for a request.
    static func hasLoader(for request: URLRequest) -> Bool { NativeLoader.of(request) != nil }

    /// Returns the header for the percent-decoded user and password of a request's URL, which libcurl sends unasked
    /// (RFC 7617), or `nil` for a URL without them.
    static func userAuthorization(of request: URLRequest) -> String? {
      guard let url = request.url, let user = url.user(percentEncoded: false), url.isSentByHTTP else { return nil }
      return "Basic \(Data("\(user):\(url.password(percentEncoded: false) ?? "")".utf8).base64EncodedString())"
    }

    /// A task's last callback comes after the end of its request.
    static let tellsLastCallback = true

    /// Why nothing can be recorded: in the plain mode, a fetch could neither hand over a download nor ask a delegate.
    static var problemOfRecordings: (any Error)? { internals == nil ? RecordingUnavailableError() : nil }

    /// A task that is cancelled while URLSession looks into a cache can end twice, and the second end traps. StubKit
    /// has looked already, and URLSession stores nothing by itself. The outer request has the session's cookies and
    /// credentials already.
    static func prepareForFetches(_ configuration: URLSessionConfiguration) {
      configuration.urlCache = nil
      configuration.httpAdditionalHeaders = nil
      configuration.urlCredentialStorage = nil
      configuration.httpShouldSetCookies = false
    }

    /// Returns a task that sends a request with a body as another task would send it.
    static func fetchTask(
      for original: URLRequest, sending whole: FetchBody, of task: URLSessionTask, in session: URLSession
    ) -> URLSessionTask {
      var request = original.with(nil)
      // The configuration is a live object, so they can have changed.
      for (name, value) in task.sessionHeaders where request.value(forHTTPHeaderField: name) == nil {
        request.setValue(value, forHTTPHeaderField: name)
      }
      let body: Data?
      switch whole {
      case .data(let data): body = data
      case .file(let file): return session.uploadTask(with: request, fromFile: file)
      case .stream(let stream):
        request.httpBodyStream = stream
        return session.dataTask(with: request)
      }
      guard let body else {
        // URLSession gives a POST this type for the body that it doesn't send again after a redirect.
        if original.httpMethod == "POST", original.httpBody?.isEmpty == false || original.httpBodyStream != nil,
          request.value(forHTTPHeaderField: "Content-Type") == nil
        {
          request.setValue(ContentType.form, forHTTPHeaderField: "Content-Type")
        }
        return session.dataTask(with: request)
      }
      switch internals?.taskBody.of(task) {
      case .stream, .fromDelegate: request.httpBodyStream = InputStream(data: body)
      case _ where task is URLSessionUploadTask: return session.uploadTask(with: request, from: body)
      default: request.httpBody = body
      }
      return session.dataTask(with: request)
    }

    /// The kinds of authentication that an inner task must leave alone, because URLSession would begin its response
    /// anew.
    static let demandsOfExchanges = [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]

    /// Creates a task that inherits the task-locals of its creator. Its synchronous parts don't run on the cooperative
    /// threads, because a caller can block those while it waits for the response. With `beginsHere`, it runs on the
    /// caller's thread up to its first wait.
    static func task(
      on executor: (any Executor)?, beginsHere: Bool = true, _ operation: @escaping AsyncWork
    ) -> Task<Void, Never> {
      let executor = executor as? any TaskExecutor ?? JobExecutor.closures
      return beginsHere
        ? .immediate(executorPreference: executor, operation: operation)
        : Task(executorPreference: executor, operation: operation)
    }
  }

  /// The error of a request that is to be recorded in the plain mode.
  struct RecordingUnavailableError: StubKitError {
    var description: String {
      "StubKit can't record here, because this version of Foundation hides what it needs, or because STUBKIT_PLAIN is set "
        + "(see HTTPStubs.capabilities). Record on another system, or report the Foundation version."
    }
  }

  /// A task's work queue, which runs on that of its session.
  struct TaskQueue: DeliveryQueue {
    let own: DispatchQueue
    let ofSession: DispatchQueue

    func perform(_ work: @escaping Work) { own.async(execute: work) }

    /// Performs the work on the session's queue, which excludes the task's own. If a thread waits on the task's own
    /// queue, what comes after it there can come after what the session does next. `invalidateAndCancel()` would then
    /// let go of the delegate before the delegate learns that the task is cancelled.
    func performHere(_ work: @escaping Work) { ofSession.sync(execute: work) }
  }

  /// A task's work queue in the plain mode, which is the queue on which URLSession calls the task's loader, and on
  /// which this is created.
  struct WorkQueue: DeliveryQueue {
    // Safe because the task keeps the queue alive, and libdispatch takes work from any thread.
    nonisolated(unsafe) private let queue = dispatch_get_current_queue()
    let task: URLSessionTask

    func perform(_ work: @escaping Work) {
      dispatch_async_f(queue, Unmanaged.passRetained(DispatchWorkItem(block: work)).toOpaque()) {
        Unmanaged<DispatchWorkItem>.fromOpaque($0!).takeRetainedValue().perform()
      }
    }
  }

  extension URLSessionTask {
    /// The session of the task, or `nil` if it can't be determined.
    var ownSession: URLSession? { Platform.internals?.task.session(of: self) }

    var isListening: Bool { state == .running }

    var interceptedRequest: URLRequest? { currentRequest }

    func takeContext() -> RequestContext? {
      Platform.contexts.withLock { $0.removeValue(forKey: Platform.currentQueue) }
    }

    /// Returns the state that the load should adopt: that of the task, whichever call arrived. While the session looks
    /// into its cache, a start and a stop can arrive in the wrong order, but the last call always comes after the last
    /// change.
    func desiredState(isStart: Bool) -> State { state }

    /// The task's work queue, on which this is called, or `nil` if there is no way to find it.
    var clientQueue: (any DeliveryQueue)? {
      if let internals = Platform.internals { internals.task.queue(of: self) } else { WorkQueue(task: self) }
    }

    /// Runs the work after the session's delegate has received all calls so far, or now if the session is unknown.
    func afterDelegateCalls(_ work: @escaping Work) {
      if let session = ownSession { session.delegateQueue.addOperation(work) } else { work() }
    }

    /// The storage for cookies of the task's responses, or `nil` if its configuration rejects them.
    var cookieStorage: HTTPCookieStorage? {
      configuration.flatMap { $0.httpCookieAcceptPolicy == .never ? nil : $0.httpCookieStorage }
    }

    /// Returns the request with the cookies that its session stores for its URL. URLSession adds them when it creates
    /// a task, and when it follows a redirect without asking a delegate. They replace the request's own cookies,
    /// which stay if there are none.
    func addingStoredCookies(to request: URLRequest) -> URLRequest {
      guard let configuration, configuration.httpShouldSetCookies,
        let url = request.url, let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
      else { return request }
      var request = request
      request.setValue(HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], forHTTPHeaderField: "Cookie")
      return request
    }

    /// Returns the configuration's `httpAdditionalHeaders`, which URLSession adds only when it sends the request, and
    /// the header for the user in a URL. URLSession has already added its stored cookies when it created the task.
    func addedHeaders(to request: URLRequest) -> [String: String] {
      var headers = sessionHeaders
      let isSet = headers.keys.contains { $0.isHeaderName("Authorization") }
      if !isSet { headers["Authorization"] = Platform.userAuthorization(of: request) }
      return headers
    }

    var sessionHeaders: [String: String] {
      let headers: [String: String]? = configuration?.httpAdditionalHeaders?.reduce(into: [:]) {
        if let name = $1.key as? String, let value = $1.value as? String { $0[name] = value }
      }
      return headers ?? [:]
    }
  }

  extension URLProtocol {
    /// Observes the callbacks for the request from now on.
    func note(_ callbacks: RequestCallbacks, of task: URLSessionTask) {
      guard let client, !(client is ObservedClient) else { return }
      self.client = ObservedClient(client, task, callbacks)
    }

    func fail(_ error: any Error) {
      if let task { Platform.internals?.task.error.store(error, in: task) }
      client?.urlProtocol(self, didFailWithError: error)
      if let task { Platform.internals?.idleLoader.install(in: task) }
    }
  }
#endif
