import Foundation

/// Loads a request over the network after StubKit has taken it. The request goes through a session of StubKit's own,
/// which StubKit doesn't intercept. The relay passes each piece on to the task's client.
///
/// On Apple platforms, a task can't return to the system's loader. StubKit knows whether a request may pass only
/// after it has read the body or run the user's closures, which is too much for `canInit`. On Linux it can return, but
/// then StubKit doesn't see all that arrives. A task with a listener is therefore relayed, and so is a redirected request that the
/// system's loader can't take in place of the task's own.
final class Relay: NetworkLoad, @unchecked Sendable {
  // Safe because only `queue` uses the mutable state, unless it says otherwise. Calls of `RelaySession`
  // are sent there first.
  private let hop: Hop
  private let task: URLSessionTask
  private let queue: any DeliveryQueue
  /// Learns everything before the task does, or `nil`.
  private let listener: (any NetworkListener)?
  /// The task's client, or `nil` after the end.
  private var client: TaskClient?
  /// The task that carries the request, once there is one.
  private var inner: URLSessionTask?
  private var hasStarted = false
  private let preparing = CancellationFlag()
  /// What the client has yet to be told, the next one last.
  private var calls: [Call] = []
  /// What it has yet to be told after that, in order.
  private var laterCalls: [Call] = []
  /// Whether the delegate has yet to decide about a redirect.
  private var isHolding = false

  // Set before the session's first call.
  private var collected = BodyCollection.Kind.nothing
  private var takesPieces = false

  // Only the session's calls use these.
  private var hasHead = false
  /// What has arrived of the body.
  private var body = BodyCollection(.nothing)

  private typealias Call = @Sendable (Relay, TaskClient) -> Void

  init(_ client: TaskClient, _ hop: Hop, _ listener: (any NetworkListener)?, _ queue: any DeliveryQueue) {
    self.client = client
    self.hop = hop
    task = client.task
    self.listener = listener
    self.queue = queue
  }

  /// Starts, or continues after a suspension. While the task is suspended, the client is told nothing.
  func start() {
    guard !hasStarted else { return tellNext() }
    hasStarted = true
    let request = hop.request
    guard hop.isFirst, let stream = Platform.streamToRead(of: request, task, listener) else { return send(request) }
    // Safe because the stream is handed over. Nothing else touches it until it has been read.
    nonisolated(unsafe) let body = stream
    let begun = queue.begin()
    WorkerPool.background.run { [self] in
      _ = Platform.task(on: nil) { [self] in
        let data = try? await BodyReader.read(body)
        queue.perform { [self] in
          if let data { Platform.keep(data, of: task) }
          send(request)
        }
        queue.end(begun)
      }
    }
  }

  private func send(_ request: URLRequest) {
    guard let client else { return }
    (collected, takesPieces) = (client.collected, client.takesPieces)
    // A task must not be created on URLSession's queues.
    WorkerPool.background.run { [self] in
      guard !preparing.isCancelled else { return }
      // Keeps the relay session in use until it has the task.
      let inner = withExtendedLifetime(Platform.session(of: task)) {
        let session = RelaySession.ofTask(task)
        let inner = Platform.relayed(request, of: task, isFirst: hop.isFirst, in: session.session, listener)
        inner.priority = task.priority
        session.start(inner, for: self)
        return inner
      }
      queue.perform { [self] in
        self.inner = inner
        if self.client == nil { cancelInner() }
      }
    }
  }

  /// Has no effect, because each call checks whether the client is suspended.
  func pause() {}

  @discardableResult
  func stop() -> Bool {
    if client != nil { listener?.cancel() }
    releaseClient()
    preparing.cancel()
    cancelInner()
    return true
  }

  private func cancelInner() {
    if let inner = inner.take() { WorkerPool.background.run { Platform.cancel(inner) } }
  }

  /// The client and the calls hold this relay through the load.
  private func releaseClient() {
    client = nil
    (calls, laterCalls) = ([], [])
  }

  /// - Parameter orElse: Runs instead if the load is over.
  private func tell(_ call: @escaping Call, orElse: @escaping @Sendable () -> Void = {}) {
    queue.perform { [self] in
      guard client != nil else { return orElse() }
      laterCalls.append(call)
      tellNext()
    }
  }

  private func tellNext() {
    while !isHolding, let client, client.isListening, let call = nextCall() { call(self, client) }
  }

  private func nextCall() -> Call? {
    if calls.isEmpty {
      calls = laterCalls.reversed()
      laterCalls = []
    }
    return calls.popLast()
  }

  // MARK: Calls of the session, on its delegate queue

  /// The body is asked for again: for a credential, a redirect, or a connection that was lost.
  func renewBody(of inner: URLSessionTask, _ completion: @escaping @Sendable (InputStream?) -> Void) {
    if let body = Platform.keptBody(of: task) { return completion(InputStream(data: body)) }
    Platform.askForStream(task, for: inner) { [listener] stream in
      completion(stream.map { Platform.tapped($0, listener) })
    }
  }

  func sent(_ count: Int64) { tell { $1.didSend(Int(count)) } }

  func receive(_ response: URLResponse) {
    if let head = response as? HTTPURLResponse { listener?.head(head) }
    let isFirst = !hasHead
    hasHead = true
    body = BodyCollection(collected)
    tell { $0.receive(response, $1, isFirst: isFirst) }
  }

  private func receive(_ response: URLResponse, _ client: TaskClient, isFirst: Bool) {
    if !isFirst { client.startOver() }
    client.mayFailLater = true
    if let head = response as? HTTPURLResponse { register(head, client) }
    client.receive(Platform.relayed(response))
  }

  /// The inner session has already stored what belongs in the cookie storage and the cache.
  private func register(_ head: HTTPURLResponse, _ client: TaskClient) {
    let isEncoded = head.value(forHTTPHeaderField: "Content-Encoding") != nil
    client.register(head, isEncoded: isEncoded, setCookies: [], for: hop.request)
  }

  func receive(_ data: Data) {
    listener?.receive(data, asPiece: takesPieces)
    do { try body.append(data) } catch { return fail(error) }
    if takesPieces { return tell { $1.receive(data, isWhole: false) } }
    // Calls can wait for the client, so they carry only what it needs.
    let count = data.count
    tell { $1.receive(byteCount: count) }
  }

  /// The body can't be written.
  private func fail(_ error: any Error) {
    listener?.end(nil, .received, error: error)
    tell { relay, client in
      relay.end(client, error)
      relay.cancelInner()
    }
  }

  func complete(_ inner: URLSessionTask, _ error: (any Error)?) {
    // The head of a redirect that leads nowhere doesn't arrive.
    let recorded = hasHead || error != nil ? .received : Platform.bodyOfRedirect(inner)
    listener?.end(inner.response as? HTTPURLResponse, recorded, error: error)
    tell { [body, hasHead] relay, client in
      client.adopt(inner, hasHead: hasHead)
      if let error { relay.end(client, error) } else { relay.finish(client, with: body) }
    }
  }

  private func finish(_ client: TaskClient, with body: BodyCollection) {
    let isPreparing = client.prepareToFinish(with: .collected(body), unless: preparing) { [self] error in
      tell { $0.end($1, error) }
    }
    if !isPreparing { end(client, nil) }
  }

  private func end(_ client: TaskClient, _ error: (any Error)?) {
    releaseClient()
    if let error { client.fail(error) } else { client.finish() }
  }

  func redirect(
    _ inner: URLSessionTask, from response: HTTPURLResponse, to request: URLRequest,
    completion: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard Platform.followsRedirects else {
      let body = Platform.bodyOfRedirect(inner)
      return ask(about: response, body, request, completion)
    }
    listener?.leadOn(from: response)
    let sent = hop.request
    let hasBody = request.httpMethod == sent.httpMethod && (sent.httpBodyStream != nil || sent.httpBody != nil)
    guard hasBody, Platform.keptBody(of: task) == nil else {
      follow(response, hasBody ? request.with(Platform.keptBody(of: task)) : request.with(nil))
      return completion(nil)
    }
    renewBody(of: inner) { [self] stream in
      var request = request.with(nil)
      request.httpBodyStream = stream
      follow(response, request)
      completion(nil)
    }
  }

  /// The task's own session asks its delegate and creates a new load, which a stub can answer. The inner task ends
  /// with the redirect, in case the delegate refuses it.
  private func follow(_ response: HTTPURLResponse, _ request: URLRequest) {
    tell { relay, client in
      guard Platform.mayBeRedirected(relay.task) else {
        relay.stop()
        return client.fail(URLError.redirectedTooOften(relay.hop.request))
      }
      relay.isHolding = true
      Platform.follow(request, response, client.loader) {
        relay.queue.perform {
          relay.isHolding = false
          relay.tellNext()
        }
      }
    }
  }

  /// The inner task follows the redirect if the task's delegate agrees.
  private func ask(
    about response: HTTPURLResponse, _ body: ExchangeBody, _ request: URLRequest,
    _ completion: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let target = request.url
    // A suspended task asks, too. URLSession can give up meanwhile, and an answer after that traps.
    queue.perform { [self] in
      guard let client else { return }
      register(response, client)
      client.askAboutRedirect(response, request) { [self] next in
        if let next {
          let sent = IncomingRequest(next, of: task, body: RequestBody.none).seen.request
          listener?.proceed(from: response, body, to: target, with: sent)
        }
        queue.perform { [self] in
          guard let client = self.client else { return }
          if let next { Platform.setCurrentRequest(next, of: task) } else { client.isRedirectRefused = true }
          completion(next)
        }
      }
    }
  }

  func receive(
    _ challenge: URLAuthenticationChallenge,
    completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // URLSession must not be answered on its own queue.
    let complete: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { disposition, credential in
      WorkerPool.background.run { completion(disposition, credential) }
    }
    tell(
      { relay, client in
        let answer = ChallengeAnswer {
          relay.record($0, to: challenge, client)
          complete($0.disposition, $0.credential)
        }
        client.deliverKeptHead()
        client.askForCredential(URLAuthenticationChallenge(authenticationChallenge: challenge, sender: answer), answer)
      }, orElse: { complete(.cancelAuthenticationChallenge, nil) })
  }

  private func record(_ answer: ChallengeAnswer.Answer, to challenge: URLAuthenticationChallenge, _ client: TaskClient)
  {
    guard let response = challenge.failureResponse as? HTTPURLResponse, let demand = CredentialDemand(response) else {
      return
    }
    let credential: URLCredential? =
      switch answer.disposition {
      case .useCredential: answer.credential
      // After a failure, the server has refused the proposed one.
      case .performDefaultHandling where challenge.previousFailureCount == 0: challenge.proposedCredential
      default: nil
      }
    if let credential {
      // The inner session repeats the request by itself.
      let sent = IncomingRequest(hop.request, of: task, body: hop.body).seen.request
      listener?.proceed(from: response, .received, to: nil, with: demand.request(sent, with: credential))
      queue.perform { [hop, task] in Platform.setCurrentRequest(hop.request, of: task) }
    } else if answer.disposition == .cancelAuthenticationChallenge || Platform.showsDemands {
      // The response is what the server has said, although the task fails, or never ends.
      listener?.end(response, .received, error: nil)
    }
  }
}

extension URLRequest {
  /// Returns the request with a body in place of its own, which can be a stream that is used up.
  func with(_ body: Data?) -> URLRequest {
    var request = self
    request.httpBodyStream = nil
    request.httpBody = body
    return request
  }
}
