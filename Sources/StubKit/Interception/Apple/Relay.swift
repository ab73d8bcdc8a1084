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
      let configuration =
        Platform.configuration(of: task)?.copy() as? URLSessionConfiguration ?? URLSessionConfiguration.default
      SessionInstallation.leaveAlone(configuration)
      var request = loader.request
      if case .data(let body)? = TaskNote.of(task)?.body {
        request.httpBodyStream = nil
        request.httpBody = body
      }
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

    private func tell(_ call: @escaping @Sendable (Relay, any URLProtocolClient) -> Void) {
      queue.perform { [self] in
        if !isOver, let client = loader.client { call(self, client) }
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
      tell { relay, client in
        guard Platform.mayBeRedirected(relay.task) else {
          relay.stop()
          return client.urlProtocol(
            relay.loader, didFailWithError: URLError(.httpTooManyRedirects, failing: relay.loader.request))
        }
        TaskNote.of(relay.task)?.countRedirect()
        client.urlProtocol(relay.loader, wasRedirectedTo: request, redirectResponse: response)
      }
      completionHandler(nil)
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
