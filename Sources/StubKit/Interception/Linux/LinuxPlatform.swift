#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What the loads need of swift-corelibs-foundation.
  enum Platform {
    // Holds: written only by tests, in a process of their own, before the first request.
    nonisolated(unsafe) static var mechanisms = Mechanisms()

    // Holds: written once, by `install()`, which `SessionInstallation` calls under a once-lock.
    nonisolated(unsafe) private static var hook: ConfigurationHook?

    /// Puts our class into all configurations; where that is refused, into the shared session's, which is a live object.
    /// (`registerClass` would change nothing: the system's classes are registered with the first session, and asked first.)
    static func install() {
      _ = NativeLoader.system
      hook = try? mechanisms.makeConfigurationHook()
      mechanisms.quietEnd = mechanisms.makeQuietEnd()
      mechanisms.cacheLookup = mechanisms.makeCacheLookup()
      mechanisms.sessionMark = mechanisms.makeSessionMark()
      mechanisms.callbacks = mechanisms.makeCallbacks()
      guard hook == nil else { return }
      let shared = URLSession.shared.configuration
      shared.protocolClasses = shared.protocolClasses.map(SessionInstallation.intercepted)
    }

    /// A session asks its configuration for every task.
    static let reachesOnlySessionsToCome = false

    static var mechanismList: [StubKitCapabilities.Mechanism] { mechanisms.list(hook: hook) }

    static func isSystemLoader(_ loader: AnyClass) -> Bool { NativeLoader.system.contains(loader) }

    /// All but the schemes whose own loaders StubKit does not stand in for.
    static func leavesToUs(_ request: URLRequest) -> Bool {
      switch request.url?.scheme?.lowercased() {
      case "http"?, "https"?: true
      case "ftp"?, "ws"?, "wss"?, "data"?, nil: false
      default: true
      }
    }

    private static let handOvers = HandOverTable()

    /// Call in `canInit`, which runs where the request is made. False if nobody takes the request.
    ///
    /// It is left under the queue it is called on: the task's own in `canInit`, where there is no task yet, as well as in the load.
    static func leaveHandOver(
      for request: URLRequest, of task: URLSessionTask?, by type: StubURLProtocol.Type
    ) -> Bool {
      guard let handOver = HandOver(for: request, type.mark) else { return false }
      handOvers.leave(handOver, under: mechanisms.currentQueue?.identity)
      return true
    }

    static func takeHandOver(for task: URLSessionTask) -> HandOver? {
      handOvers.take(under: mechanisms.currentQueue?.identity)
    }

    /// What the task's state asks for, whichever call brought the news: a start and a stop may arrive in the wrong order when they
    /// come while the session looks into its cache, but the last one comes after the last change.
    static func course(of task: URLSessionTask, isStart: Bool) -> LoadCourse {
      switch task.state {
      case .running: .runs
      case .suspended: .rests
      default: .isOver
      }
    }

    static func isListening(_ task: URLSessionTask) -> Bool { task.state == .running }

    /// URLSession calls a load on the load's own queue.
    @inline(__always)
    static func enter(_ queue: any DeliveryQueue, _ work: @escaping @Sendable () -> Void) { work() }

    /// A load counts its redirects itself.
    static func mayBeRedirected(_ task: URLSessionTask) -> Bool { true }

    /// Called at the end of a `canInit` that says yes.
    static func taken() {
      // A `canInit` that someone calls by hand is on no work queue, and no look-up follows it.
      if let hook = mechanisms.cacheLookup, mechanisms.currentQueue?.isWorkQueue == true { hook.skipLookup() }
    }

    static var keepsCallbacksInScope: Bool { mechanisms.callbacks != nil }

    /// Has the callbacks for a loader's request run in a scope from now on.
    static func keepCallbacks(for loader: URLProtocol, in scope: CallbackScope) {
      guard let hook = mechanisms.callbacks, let client = loader.client, !(client is ScopedClient) else { return }
      loader.client = ScopedClient(client, scope, hook)
    }

    /// Has what is enqueued for a loader's delegate meanwhile run in the scope of the loader's request.
    static func callingBack(for loader: URLProtocol, _ body: () -> Void) {
      guard let hook = mechanisms.callbacks, let client = loader.client as? ScopedClient else { return body() }
      hook.adding(in: client.scope, body)
    }

    static func queue(of task: URLSessionTask) -> any DeliveryQueue {
      mechanisms.workQueue?.of(task) ?? ReentryQueue(task)
    }

    /// Says whether the task may have a delegate of its own: async calls can bring one.
    static func prepare(_ task: URLSessionTask) -> Bool {
      guard let completion = mechanisms.inlineCompletion else { return true }
      guard completion.clear(for: task), let behaviours = mechanisms.taskBehaviours,
        let session = mechanisms.sessionOfTask?.of(task)
      else { return false }
      return behaviours.mayHaveOwnDelegate(task, in: session)
    }

    /// Who hears of what the task sends and receives.
    static func audience(of task: URLSessionTask) -> Audience {
      guard let behaviours = mechanisms.taskBehaviours, let session = mechanisms.sessionOfTask?.of(task) else {
        return .unknown
      }
      return behaviours.audience(of: task, in: session)
    }

    /// Runs the work when the session's delegate has heard what it was told so far; false, and not at all, where nobody
    /// can say.
    static func afterDelegateCalls(of task: URLSessionTask, _ work: @escaping @Sendable () -> Void) -> Bool {
      guard let session = mechanisms.sessionOfTask?.of(task) else { return false }
      session.delegateQueue.addOperation(work)
      return true
    }

    /// How many bytes the request's body has, 0 where that is not known: of a stream.
    static func bodyLength(of request: URLRequest, _ task: URLSessionTask) -> Int {
      guard task is URLSessionUploadTask, let content = mechanisms.taskBody?.of(task) else {
        return request.httpBody?.count ?? 0
      }
      return switch content {
      case .data(let data): data.count
      case .file(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      case .none, .stream, .fromDelegate: 0
      }
    }

    static func count(_ count: TaskAccount.Count, _ value: Int64, of task: URLSessionTask) {
      mechanisms.taskCounters?.set(count, to: value, of: task)
    }

    /// Has URLSession put together the task's `progress` anew, as it does whenever a count changes.
    static func updateProgress(of task: URLSessionTask) {
      guard mechanisms.taskCounters != nil else { return }
      let expected = task.countOfBytesClientExpectsToReceive
      task.countOfBytesClientExpectsToReceive = expected
    }

    /// Where the cookies of the task's responses go, nil where they are not wanted.
    static func cookieStorage(of task: URLSessionTask) -> HTTPCookieStorage? {
      guard let configuration = configuration(of: task), configuration.httpCookieAcceptPolicy != .never
      else { return nil }
      return configuration.httpCookieStorage
    }

    /// Whether the system would look into a cache for the task, and has been kept from it.
    static func cacheToLookInto(for task: URLSessionTask) -> URLCache? {
      guard mechanisms.cacheLookup != nil, task is URLSessionDataTask else { return nil }
      return configuration(of: task)?.urlCache
    }

    static func nativeLoader(
      inPlaceOf loader: URLProtocol, for task: URLSessionTask, cachedResponse: CachedURLResponse?,
      recording: ExchangeRecording?, on queue: any DeliveryQueue
    ) -> URLProtocol? {
      guard let recording, let client = loader.client else {
        return NativeLoader.system.loader(
          for: task, cachedResponse: cachedResponse, client: loader.client as? ScopedClient)
      }
      let recorder = RecordingClient(client, task, recording)
      let native = NativeLoader.system.loader(for: task, cachedResponse: cachedResponse, client: recorder)
      if let native { recorder.begin(native) }
      return native
    }

    /// Nil where the system does not load such a URL, and where it can't be made to take it for the task's, and to leave out
    /// the task's body.
    ///
    /// - Parameters:
    ///   - recording: Takes what comes back, unless the loader so far was one of these.
    ///   - mayFinish: Asked on the task's queue when it has come to its end, unless the loader so far was one of these.
    static func nativeLoader(
      inPlaceOf loader: URLProtocol, redirectedTo request: URLRequest, recording: ExchangeRecording?,
      mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool
    ) -> URLProtocol? {
      guard let task = loader.task, let client = loader.client, let requests = mechanisms.taskRequests,
        NativeLoader.system.loads(request), dropBody(of: task)
      else { return nil }
      let earlier = client as? RedirectedClient
      let recorder = recording.map { RecordingClient(client, task, $0) }
      let redirected = earlier ?? RedirectedClient(recorder ?? client, mayFinish: mayFinish)
      let native = requests.withOriginal(request, of: task) {
        NativeLoader.system.loader(for: task, request: request, cachedResponse: nil, client: redirected)
      }
      if let native {
        if let earlier { earlier.recordingClient?.goOn(with: native, for: request) } else { recorder?.begin(native) }
      }
      return native
    }

    /// False if it is not to be stopped yet: the system's loader traps when it is stopped for a cancellation whose error is
    /// not set.
    static func stop(native loader: URLProtocol) -> Bool {
      guard let task = loader.task, task.state == .canceling else { return true }
      guard task.error != nil else { return false }
      loader.stopLoading()
      (loader.client as? ForwardingClient)?.recordingClient?.cancelled()
      return true
    }

    /// Ends a task whose loader was kept from it, with the response as it stands.
    static func finish(redirected loader: URLProtocol) {
      guard let task = loader.task, let client = loader.client as? RedirectedClient else { return }
      if let response = task.response as? HTTPURLResponse, let url = response.url,
        let shown = makeResponse(
          url: url, status: response.statusCode, headers: response.allHeaderFields as? [String: String] ?? [:])
      {
        mechanisms.taskRequests?.setResponse(shown, of: task)
      }
      client.finish(loader)
    }

    /// Whether the system has a loader for it.
    static func loads(_ request: URLRequest) -> Bool { NativeLoader.system.loads(request) }

    /// After a redirect a body is not sent again. False where the system would send it all the same.
    private static func dropBody(of task: URLSessionTask) -> Bool {
      if let body = mechanisms.taskBody { return body.drop(of: task) }
      guard !(task is URLSessionUploadTask), let request = task.originalRequest else { return false }
      return request.httpBody == nil && request.httpBodyStream == nil
    }

    static func start(_ loader: URLProtocol, redirectedTo request: URLRequest) {
      guard let task = loader.task else { return }
      mechanisms.taskRequests?.withOriginal(request, of: task) { loader.startLoading() }
    }

    /// The live object; nil where a task's session can't be known.
    static func configuration(of task: URLSessionTask) -> URLSessionConfiguration? {
      mechanisms.sessionOfTask?.of(task)?.configuration
    }

    /// The request's own timeout where it has one, else its session's. Where it can't be seen whether it has one, one of
    /// the usual 60 seconds counts as none.
    static func timeoutInterval(of request: URLRequest, _ task: URLSessionTask) -> TimeInterval {
      let interval = request.timeoutInterval
      let isItsOwn = mechanisms.requestTimeout.map { $0.isSet(in: request) } ?? (interval != 60)
      return isItsOwn ? interval : configuration(of: task)?.timeoutIntervalForRequest ?? interval
    }

    /// Natively on Linux nothing keeps it; a stub does, as elsewhere.
    static func resourceTimeoutInterval(of task: URLSessionTask) -> TimeInterval? {
      configuration(of: task)?.timeoutIntervalForResource
    }

    static func setCurrentRequest(_ request: URLRequest, of task: URLSessionTask) {
      mechanisms.taskRequests?.setCurrent(request, of: task)
    }

    /// Natively the delegate sees the response that demands a credential before it is asked for one.
    static let showsDemands = true

    static func systemFollows(_ redirect: Redirect, _ response: HTTPURLResponse, _ loader: URLProtocol) -> Bool {
      false
    }

    static var takesPieces: Bool { mechanisms.loadProperties != nil }
    /// Completion handlers get the last piece they were told, and nothing else, unless they are given the whole.
    static let wantsWholeBodies = true
    static let wantsDownloadedFile = true

    /// `body` is nil where the client knows it whole already, `file` for what is no download.
    static func finish(_ loader: URLProtocol, body: Data?, file: TemporaryFile?) {
      if loader.task is URLSessionDownloadTask {
        guard let file, let properties = mechanisms.loadProperties else {
          return fail(loader, DownloadUnavailableError())
        }
        properties.setDownloadedFile(file.handOver(), of: loader)
      } else if let body {
        mechanisms.loadProperties?.setBody(body, of: loader)
      }
      if (loader.task?.response as? HTTPURLResponse)?.statusCode == 401 {
        UnansweredChallengeResponse.hidingProtectionSpace { loader.client?.urlProtocolDidFinishLoading(loader) }
      } else {
        loader.client?.urlProtocolDidFinishLoading(loader)
      }
      loader.task.map { mechanisms.quietEnd?.begin(for: $0) }
    }

    static func fail(_ loader: URLProtocol, _ error: any Error) {
      loader.task.map { mechanisms.taskError?.set(error, of: $0) }
      loader.client?.urlProtocol(loader, didFailWithError: error)
      loader.task.map { mechanisms.quietEnd?.begin(for: $0) }
    }

    static func makeResponse(url: URL, status: Int, headers: [String: String]) -> HTTPURLResponse? {
      status == 401
        ? UnansweredChallengeResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        : HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    /// A task that inherits the task-locals of where it is made, and whose synchronous parts do not run on the
    /// cooperative threads: callers that block those while they wait for an answer must not keep it from being made.
    static func task(
      on executor: (any Executor)?, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
      Task.immediate(
        executorPreference: executor as? any TaskExecutor ?? ClosureExecutor.shared, operation: operation)
    }
  }
#endif
