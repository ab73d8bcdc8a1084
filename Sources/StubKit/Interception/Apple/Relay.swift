#if canImport(Darwin)
  import Foundation

  /// Loads a request over the network after StubKit has taken it. The request goes through a session of StubKit's own,
  /// which StubKit doesn't intercept. The relay passes each piece on to the task's client.
  ///
  /// On Apple platforms, a task can't return to the system's loader. StubKit knows whether a request may pass only
  /// after it has read the body or run the user's closures, which is too much for `canInit`.
  final class RelayLoader: URLProtocol {
    private var relay: Relay?

    convenience init(
      inPlaceOf loader: URLProtocol, for task: URLSessionTask, recording: (any ExchangeRecording)?,
      on queue: any DeliveryQueue
    ) {
      self.init(request: loader.request, cachedResponse: nil, client: nil)
      relay = Relay(loader, task, recording, queue)
    }

    override class func canInit(with request: URLRequest) -> Bool { false }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() { relay?.start() }

    override func stopLoading() {
      relay?.stop()
      relay = nil
    }
  }

  /// One request on its way through the other session.
  private final class Relay: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked holds because only `queue` uses the mutable state. Calls of the session are sent there first.
    private let loader: URLProtocol
    private let task: URLSessionTask
    private let queue: any DeliveryQueue
    /// Receives everything before the task does, or `nil` if nothing records.
    private let recording: (any ExchangeRecording)?
    private var session: URLSession?
    private var isOver = false
    /// What the server says after a redirect, until the delegate has refused it. `nil` before a redirect.
    private var held: [Call]?

    private typealias Call = @Sendable (Relay, any URLProtocolClient) -> Void

    init(
      _ loader: URLProtocol, _ task: URLSessionTask, _ recording: (any ExchangeRecording)?, _ queue: any DeliveryQueue
    ) {
      self.loader = loader
      self.task = task
      self.recording = recording
      self.queue = queue
    }

    func start() {
      guard session == nil, !isOver else { return }
      let request = loader.request
      if let body = TaskNote.of(task)?.body { return send(request.with(body)) }
      // The task can send its body twice, for a credential or because a connection was lost. A stream can't, unless the
      // delegate gives another one, so it is read if it comes from the task's own data or file.
      guard let stream = request.httpBodyStream, task.originalRequest?.httpBodyStream == nil, streamGiver == nil else {
        return send(request)
      }
      // Holds: the stream is handed over. Nobody else touches it until it has been read.
      nonisolated(unsafe) let body = stream
      queue.begin()
      WorkerPool.errands.run { [self] in
        _ = Platform.task(on: nil) { [self] in
          let data = try? await BodyReader.read(body)
          queue.perform { [self] in
            if let data { TaskNote.of(task)?.body = data }
            send(data.map { request.with($0) } ?? request)
          }
          queue.end()
        }
      }
    }

    private func send(_ request: URLRequest) {
      guard session == nil, !isOver else { return }
      let configuration =
        Platform.configuration(of: task)?.copy() as? URLSessionConfiguration ?? URLSessionConfiguration.default
      SessionInstallation.leaveAlone(configuration)
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      self.session = session
      // The outer task gets its file and its progress from these calls, so the inner one is always a data task.
      let inner = session.dataTask(with: request)
      inner.priority = task.priority
      TaskNote.attach(TaskNote(), to: inner)
      inner.resume()
      session.finishTasksAndInvalidate()
    }

    func stop() {
      if !isOver { recording?.cancel() }
      isOver = true
      session?.invalidateAndCancel()
      session = nil
    }

    private func tell(_ call: @escaping Call) {
      queue.perform { [self] in
        guard !isOver, let client = loader.client else { return }
        if held == nil { call(self, client) } else { held?.append(call) }
      }
    }

    /// Continues with the response to a redirect, because the delegate has refused the redirect.
    private func release() {
      let calls = held ?? []
      held = nil
      for call in calls { if !isOver, let client = loader.client { call(self, client) } }
    }

    /// The session of the task and the delegate that gives another stream for a body, if there is one.
    private var streamGiver: (session: URLSession, delegate: any URLSessionTaskDelegate)? {
      let question = Selector(("URLSession:task:needNewBodyStream:"))
      guard let session = Platform.session(of: task) else { return nil }
      return Platform.delegate(of: task, in: session, thatImplements: question).map { (session, $0) }
    }

    /// The body is asked for again: for a credential, a redirect, or a connection that was lost.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { renewBody(completionHandler) }

    private func renewBody(_ completion: @escaping @Sendable (InputStream?) -> Void) {
      if let body = TaskNote.of(task)?.body { return completion(InputStream(data: body)) }
      guard let giver = streamGiver else { return completion(nil) }
      giver.session.delegateQueue.addOperation { [task] in
        giver.delegate.urlSession?(giver.session, task: task, needNewBodyStream: completion)
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let head = response as? HTTPURLResponse { recording?.head(head) }
      // The inner session has already stored what belongs into the cache.
      tell { $1.urlProtocol($0.loader, didReceive: response, cacheStoragePolicy: .notAllowed) }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recording?.receive(data)
      tell { $1.urlProtocol($0.loader, didLoad: data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      recording?.end(task.response as? HTTPURLResponse, .received, error: error)
      tell { relay, client in
        relay.isOver = true
        if let error {
          client.urlProtocol(relay.loader, didFailWithError: error)
        } else {
          client.urlProtocolDidFinishLoading(relay.loader)
        }
      }
    }

    /// The task's own session asks its delegate and creates a new load, which a stub can answer. The inner task ends
    /// with the redirect, in case the delegate refuses it.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      recording?.leadOn(from: response)
      let sent = loader.request
      let hasBody = request.httpMethod == sent.httpMethod && (sent.httpBodyStream != nil || sent.httpBody != nil)
      guard hasBody, TaskNote.of(self.task)?.body == nil else {
        follow(response, hasBody ? request.with(TaskNote.of(self.task)?.body) : request.with(nil))
        return completionHandler(nil)
      }
      renewBody { [self] stream in
        var request = request.with(nil)
        request.httpBodyStream = stream
        follow(response, request)
        completionHandler(nil)
      }
    }

    private func follow(_ response: HTTPURLResponse, _ request: URLRequest) {
      tell { relay, client in
        guard Platform.mayBeRedirected(relay.task) else {
          relay.stop()
          return client.urlProtocol(
            relay.loader, didFailWithError: URLError(.httpTooManyRedirects, failing: relay.loader.request))
        }
        let next = TaskNote.of(relay.task)?.redirect(to: request) ?? request
        client.urlProtocol(relay.loader, wasRedirectedTo: next, redirectResponse: response)
        relay.held = []
        RedirectQuestion.whenAnswered(by: relay.task) { relay.queue.perform { relay.release() } }
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let answer = ChallengeAnswer { [recording, request = loader.request] in
        if $0.disposition == .useCredential, let credential = $0.credential,
          let response = challenge.failureResponse as? HTTPURLResponse, let demand = CredentialDemand(response)
        {
          // The inner session repeats the request by itself.
          recording?.proceed(from: response, .data(Data()), to: nil, with: demand.request(request, with: credential))
        }
        completionHandler($0.disposition, $0.credential)
      }
      tell { relay, client in
        client.urlProtocol(
          relay.loader,
          didReceive: URLAuthenticationChallenge(authenticationChallenge: challenge, sender: answer))
      }
    }
  }
#endif
