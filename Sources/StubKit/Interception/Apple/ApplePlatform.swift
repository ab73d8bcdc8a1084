#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// The parts of Apple's Foundation that loads use. `URLProtocol` was designed for its URL loading system.
  enum Platform {
    // Safe because it is written once, by `install()`, which `SessionInstallation` calls under a once-lock. It is only
    // read to be printed, after that.
    nonisolated(unsafe) private(set) static var mechanisms = ""

    /// It comes before the others, which use it as soon as they are installed.
    fileprivate static let sessionByKey = SessionByKey()

    static func install() {
      // The shared session belongs to no scope, whichever one uses it first.
      _ = URLSession.shared
      // The shared session asks registered classes.
      _ = URLProtocol.registerClass(StubURLProtocol.self)
      let sessionByKey = sessionByKey
      mechanisms =
        [
          Capabilities.line(
            "configuration getter", ConfigurationGetterHook.install(),
            "every configuration contains StubKit's URLProtocol class",
            refused: "only URLSession.shared is intercepted, and the sessions that the next mechanism reaches"),
          Capabilities.line(
            "session factories", SessionFactoryHook.install(),
            "every session is intercepted, and belongs to the scope that created it, on any queue",
            refused:
              "a session belongs to a scope only if it was created with StubRegistry.makeSession() or install(in:)"
          ),
          Capabilities.line(
            "resume", ResumeHook.install(),
            "the registry of the task that made a request answers it",
            refused: "a scope receives only the requests of sessions that were created in it or for it"),
          Capabilities.line(
            "completion handlers", HandlerHook.install(),
            "a request from a completion handler belongs to the scope of the request before it",
            refused: "a request from a completion handler belongs to the only open scope, or fails"),
          Capabilities.line(
            "session of task", sessionByKey != nil,
            "cookies go to the session's own storage, and every clock knows a session's timeouts",
            refused: "cookies go to the shared storage, and a clock knows only a request's own timeout"),
        ].lines
    }

    static func isSystemLoader(_ loader: AnyClass) -> Bool { NSStringFromClass(loader).hasPrefix("_NSURL") }

    /// Only `resume()` runs on the thread that makes the request.
    static let isOnWorkQueue = false

    /// A load without a task comes from the older API, and nothing shows whose it is. The system loads it.
    static func depositContext(for request: URLRequest, of task: URLSessionTask?, by type: StubURLProtocol.Type) -> Bool
    {
      task.map { TaskNote.ofAsked($0).isTaken(request, by: type) } ?? false
    }

    /// Runs work that URLSession calls for: at once on the client's thread, or else in its turn. The new loader calls a
    /// load on queues of its own.
    static func enter(_ queue: TimelineQueue, _ work: @escaping Work) {
      let isOnQueue = (queue.queue as? ClientRunLoop)?.isCurrent == true
      if isOnQueue { queue.timeline.counted(work)() } else { queue.perform(work) }
    }

    /// Returns whether StubKit can take a request: one with any URL, even without a scheme, except for those whose own
    /// loaders StubKit doesn't replace.
    static func canIntercept(_ request: URLRequest) -> Bool {
      request.url.map { !["ftp", "file", "ws", "wss", "data", "about"].contains($0.scheme?.lowercased()) } ?? false
    }

    static func hasLoader(for request: URLRequest) -> Bool { request.url?.isSentByHTTP == true }

    /// Apple's URLSession sends the user in a URL only when a server asks for it.
    static func userAuthorization(of request: URLRequest) -> String? { nil }

    static let tellsLastCallback = false

    /// Returns a head of its own for each task. The system and its user can attach things to it.
    static func head(
      for url: URL, _ status: Int, _ headers: StubHeaders, _ version: StubResponse.HTTPVersion = .http1
    ) -> HTTPURLResponse? {
      HTTPURLResponse(
        url: url, statusCode: status, httpVersion: version.description, headerFields: headers.joined)
    }

    static let problemOfRecordings: (any Error)? = nil
    /// Nothing says since when a cache has had a response, so a red test says nothing of it.
    static func wouldAnswer(_ request: URLRequest, from cached: CachedURLResponse, since time: Date) -> Bool { false }

    static func prepareForFetches(_ configuration: URLSessionConfiguration) {}

    /// The outer task gets its file and its progress from the exchange, so the inner one is always a data task.
    static func fetchTask(
      for request: URLRequest, sending body: FetchBody, of task: URLSessionTask, in session: URLSession
    ) -> URLSessionTask {
      let data: Data? = if case .data(let data) = body { data } else { nil }
      let inner = session.dataTask(with: request.with(data))
      inner.note = TaskNote()
      return inner
    }

    static let demandsOfExchanges = [NSURLAuthenticationMethodHTTPBasic]

    static func task(
      on executor: (any Executor)?, beginsHere: Bool = true, _ operation: @escaping AsyncWork
    ) -> Task<Void, Never> {
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        return Task(executorPreference: executor as? any TaskExecutor, operation: operation)
      }
      return Task(operation: operation)
    }
  }

  /// Apple's URLSession shows a `URLProtocol` the request with the headers that its session adds, and each kind of body
  /// as the request's own stream. It asks for streams itself.
  extension URLSessionTask {
    /// The session of the task, or `nil` if it can't be determined.
    var ownSession: URLSession? { Platform.sessionByKey?.of(self) }

    var isListening: Bool { state != .canceling && state != .completed }

    /// A task that another class loads never gets here.
    func takeContext() -> RequestContext? { note?.takeContext(of: self) }

    /// The request of the task, or `nil` if StubKit leaves tasks of its class alone.
    var interceptedRequest: URLRequest? { isLeftAlone ? nil : currentRequest }

    /// A Boolean value that indicates whether StubKit never takes the task, by its class. Ask this before reading
    /// anything of a task: those of AVFoundation raise an exception when they are asked for a request or the response,
    /// and the request of a WebSocket has the scheme `http` on the classic loader.
    var isLeftAlone: Bool {
      if self is URLSessionWebSocketTask || self is URLSessionStreamTask { return true }
      // The new loader's classes need not inherit from the public ones.
      let name = object_getClass(self).map { NSStringFromClass($0) } ?? ""
      return ["AssetDownload", "WebSocket", "StreamTask"].contains { name.contains($0) }
    }

    /// The StubKit class that the task's session asks. If that class is unknown, whether the session asks one.
    var stubClass: (isIntercepted: Bool, stubClass: StubURLProtocol.Type?) {
      guard let ownSession else { return (true, nil) }
      if ownSession === URLSession.shared { return (true, StubURLProtocol.self) }
      let configuration = ownSession.configuration
      // The system loads in the background itself.
      guard configuration.identifier == nil else { return (false, nil) }
      let type = configuration.protocolClasses?.lazy.compactMap { $0 as? StubURLProtocol.Type }.first
      return (type != nil, type)
    }

    /// The system doesn't tell a load of a suspension, and holds back what the load says meanwhile. It stops a load
    /// that is over or led on.
    func desiredState(isStart: Bool) -> State {
      isStart && isListening ? .running : .canceling
    }

    var clientQueue: (any DeliveryQueue)? {
      ClientRunLoop() ?? DispatchQueue(label: "StubKit.load")
    }

    /// The storage for the cookies of the task's responses, or `nil` if they aren't wanted.
    var cookieStorage: HTTPCookieStorage? {
      guard let configuration else { return .shared }
      return configuration.httpCookieAcceptPolicy == .never ? nil : configuration.httpCookieStorage
    }

    func addedHeaders(to request: URLRequest) -> [String: String] { [:] }
    var separateBody: RequestBody? { nil }
    var asksForStreams: Bool { false }
    func problemOfFile(for request: URLRequest) -> (any Error)? { nil }
    func askForStream() async throws {}

    func readBody(of request: URLRequest) async throws -> Data? {
      let body = try await request.readOwnBody()
      if let body { note?.keep(body) }
      return body
    }
  }

  extension URLProtocol {
    /// The handler finds its scope by itself, and says when it has returned. Delegate methods are out of reach.
    func note(_ callbacks: RequestCallbacks, of task: URLSessionTask) {}

    func fail(_ error: any Error) { client?.urlProtocol(self, didFailWithError: error) }
  }
#endif
