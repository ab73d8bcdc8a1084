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

    static let tellsLastCallback = false

    /// Returns a head of its own for each task. The system and its user can attach things to it.
    static func head(for url: URL, _ status: Int, _ headers: StubHeaders) -> HTTPURLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers.joined)
    }

    static let problemOfRecordings: (any Error)? = nil
    static func prepareForFetches(_ configuration: URLSessionConfiguration) {}

    /// The outer task gets its file and its progress from the exchange, so the inner one is always a data task.
    static func fetchTask(
      for request: URLRequest, sending body: Data?, of task: URLSessionTask, in session: URLSession
    ) -> URLSessionTask {
      let inner = session.dataTask(with: request.with(body))
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

  extension URLRequest {
    /// `true` for every URL, even without a scheme, except for those whose own loaders StubKit doesn't replace.
    var canBeIntercepted: Bool {
      url.map { !["ftp", "file", "ws", "wss", "data", "about"].contains($0.scheme?.lowercased()) } ?? false
    }

    var hasSystemLoader: Bool { url?.isSentByHTTP == true }

    /// Apple's URLSession sends the user in a URL only when a server asks for it.
    var userAuthorization: String? { nil }
  }

  extension URLProtocol {
    /// The handler finds its scope by itself, and says when it has returned. Delegate methods are out of reach.
    func note(_ callbacks: RequestCallbacks, of task: URLSessionTask) {}

    func fail(_ error: any Error) { client?.urlProtocol(self, didFailWithError: error) }
  }

  /// A task of URLSession as the client of an exchange. The system counts bytes, tells delegates, collects bodies and
  /// downloads, and follows redirects.
  ///
  /// Use it on the exchange's queue only.
  final class TaskClient: ExchangeClient, @unchecked Sendable {
    // Safe because only the exchange's queue uses the mutable state.
    let loader: URLProtocol
    let task: URLSessionTask
    let queue: TimelineQueue

    init(loader: URLProtocol, task: URLSessionTask, queue: TimelineQueue) {
      self.loader = loader
      self.queue = queue
      self.task = task
    }

    func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int { isTimed ? readByteCount : 0 }

    func headIsDue(_ expected: ExpectedHead?) { if let expected { storeCookies(of: expected) } }

    let takesPieces = true

    func receive(_ response: URLResponse) {
      loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func receive(_ piece: Data, isWhole: Bool) { loader.client?.urlProtocol(loader, didLoad: piece) }

    /// Delegate methods are out of reach.
    func notifyWhenDelivered(_ completion: @escaping Work) -> Bool { false }

    func finish() { loader.client?.urlProtocolDidFinishLoading(loader) }

    func fail(_ error: any Error) { loader.fail(error) }

    /// `stopLoading()` also comes when the system follows a redirect that the delegate accepted. Returns `true` then:
    /// the task isn't cancelled.
    func willStop() -> Bool { task.state != .canceling && task.error == nil }

    /// A task can't return to the system's loader.
    func passNatively(_ exchange: Exchange) -> Bool { false }

    /// The task shows what it sends and receives itself.
    func adopt(_ other: URLSessionTask, hasHead: Bool) {}

    /// The system asks the delegate, and creates a new load for the request that it returns. If it returns none, the
    /// classic loader takes what the load still says.
    func ask(
      about redirect: Redirect, _ head: HTTPURLResponse, of hop: Hop,
      completion: @escaping @Sendable (FollowUp.Decision) -> Void
    ) {
      // The task limits the redirects, because each of them creates a new load.
      guard task.note.map({ $0.redirectCount < Redirect.limit }) ?? true else {
        return completion(.failure(URLError.redirectedTooOften(hop.request)))
      }
      let next = redirect.request.afterRedirect
      completion(
        .left(to: next) { [self] refused in
          let request = task.note?.redirect(to: next) ?? next
          loader.client?.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: head)
          RedirectQuestion.whenAnswered(by: task, refused)
        })
    }

    var showsDemands: Bool { false }

    func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
      loader.client?.urlProtocol(loader, didReceive: challenge)
    }
  }

  extension URLRequest {
    /// The request without the fields that URLSession drops when it follows a redirect, also to the same host. It takes
    /// the request of a `URLProtocol` as it is. These are the names that OHHTTPStubs drops.
    fileprivate var afterRedirect: URLRequest {
      var request = self
      for name in [
        "Authorization", "Connection", "Host", "Proxy-Authenticate", "Proxy-Authorization", "WWW-Authenticate",
      ] { request.setValue(nil, forHTTPHeaderField: name) }
      return request
    }
  }

  /// The question to a task's delegate whether to follow a redirect.
  ///
  /// The system asks it after the load has reported the redirect. If the redirect is followed, a new load takes the
  /// task, and the system stops the old one. Until then, the classic loader can take what the old load says in place
  /// of the redirect. So the load says nothing before the delegate has answered, and nothing at all if there is no
  /// such delegate.
  enum RedirectQuestion {
    private static let question = Selector(("URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:"))

    /// Call this where the load has reported the redirect.
    ///
    /// - Parameter completion: A closure that runs after the delegate has been asked, and after the system has taken an
    ///   answer that the delegate gives at once. It never runs if no delegate is asked, or if the new loader has the
    ///   task: that one needs no more than the redirect, and takes whatever comes after it for the answer.
    static func whenAnswered(by task: URLSessionTask, _ completion: @escaping Work) {
      guard ClientRunLoop() != nil else { return }
      guard let session = task.ownSession else {
        // Nothing shows who is asked. A redirect that is followed stops the load long before.
        return DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: completion)
      }
      let delegates = [task.delegate, session.delegate as? any URLSessionTaskDelegate]
      guard delegates.contains(where: { $0?.responds(to: question) == true }) else { return }
      // This calls back on the delegate's queue after the session's own queue has taken the redirect.
      session.getAllTasks { _ in
        session.delegateQueue.addBarrierBlock { session.getAllTasks { _ in completion() } }
      }
    }
  }

  /// The thread that called `startLoading`. Apple's classic loader expects calls of its client there.
  final class ClientRunLoop: DeliveryQueue, @unchecked Sendable {
    // Safe because a run loop takes blocks from any thread, and nothing else in it changes.
    private let runLoop: CFRunLoop

    /// Returns `nil` on the queues of the new loader: no run loop is running there, except in that of the main thread,
    /// on which the classic loader starts nothing.
    init?() {
      guard let runLoop = CFRunLoopGetCurrent(), runLoop !== CFRunLoopGetMain(),
        CFRunLoopCopyCurrentMode(runLoop) != nil
      else { return nil }
      self.runLoop = runLoop
    }

    var isCurrent: Bool { CFRunLoopGetCurrent() === runLoop }

    func perform(_ work: @escaping Work) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
