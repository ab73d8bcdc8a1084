import Foundation

/// One request on its way over the network, in a session of StubKit's own that StubKit doesn't intercept. It is an
/// answer whose body is a stream: the exchange delivers it like that of a stub, follows its redirect, and asks for the
/// credential that it demands.
///
/// On Apple platforms, a task can't return to the system's loader. StubKit knows whether a request may pass only
/// after it has read the body or run the user's closures, which is too much for `canInit`. On Linux, the system's
/// loader could take the task, but it would follow redirects without asking, and keep what it receives to itself.
final class NetworkFetch: NetworkLoad, ChunkSource, @unchecked Sendable {
  // Safe because only the exchange's queue uses the mutable state.
  let client: TaskClient
  private let hop: Hop
  /// Learns everything before the client does, or `nil`.
  private let recorder: (any NetworkRecorder)?
  /// A task must not be created, resumed or cancelled on URLSession's queues.
  private let worker = DispatchQueue(label: "StubKit.fetch", qos: .utility)
  /// The exchange that waits for the head, and keeps this. `nil` as soon as it has that.
  private weak var exchange: Exchange?
  private var hasStarted = false
  fileprivate let redirects = RedirectRefusal()
  /// The task that carries the request, once there is one.
  private var inner: URLSessionTask?
  private var head: HTTPURLResponse?
  /// Where the response redirects, as URLSession understands it, or `nil` to follow its `Location`.
  private var target: URL?
  /// The pieces of the body that nobody has asked for yet: the next ones, newest first, and those after them.
  private var next: [Data] = []
  private var pieces: [Data] = []
  private var end: Chunk?
  private var asker: (@Sendable (Chunk) -> Void)?
  private var isCancelled = false

  init(_ client: TaskClient, _ hop: Hop, of exchange: Exchange, _ recorder: (any NetworkRecorder)?) {
    self.client = client
    self.hop = hop
    self.recorder = recorder
    self.exchange = exchange
  }

  // MARK: Loading

  /// Starts. Has no effect after a suspension: the client is told nothing meanwhile, but the network goes on.
  func start() {
    guard !hasStarted else { return }
    hasStarted = true
    let incoming = client.incoming(hop)
    let queue = client.queue
    let begun = queue.timeline.begin()
    WorkerPool.background.run { [self] in
      _ = Platform.task(on: nil) { [self] in
        do {
          let body = try await client.bodyToFetch(of: incoming, isRecorded: recorder != nil)
          perform { $0.send(body) }
        } catch {
          perform { $0.complete(error) }
        }
        queue.timeline.end(begun)
      }
    }
  }

  private func send(_ body: FetchBody) {
    if case .data(let data) = body {
      if let data { recorder?.setRequestBody(data) }
      exchange?.hop.body = data.map { .data($0) } ?? RequestBody.none
    }
    client.queue.away { [self] in
      // Keeps the session in use until it has the task.
      withExtendedLifetime(client.task.ownSession) {
        FetchSession.ofTask(client.task).task(for: hop.request, sending: body, of: client.task, self)
      }
    } then: { [self] inner in
      self.inner = inner
      worker.async { inner.resume() }
      if isCancelled { worker.async { [redirects] in redirects.cancel(inner) } }
    }
  }

  func pause() {}

  func leave() -> Bool {
    cancel()
    return true
  }

  /// Has no effect after the end.
  func cancel() {
    let isEarly = end == nil && !isCancelled
    isCancelled = true
    next = []
    pieces = []
    asker = nil
    guard isEarly else { return }
    recorder?.end(error: URLError(.cancelled))
    if let inner { worker.async { [redirects] in redirects.cancel(inner) } }
  }

  /// Does something on the exchange's queue, unless the request is cancelled.
  func perform(_ work: @escaping @Sendable (NetworkFetch) -> Void, orElse: @escaping Work = {}) {
    client.queue.perform { [self] in
      if isCancelled { orElse() } else { work(self) }
    }
  }

  // MARK: Chunks

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    if next.isEmpty {
      next = pieces.reversed()
      pieces = []
    }
    if let piece = next.popLast() {
      completion(.success(piece))
    } else if let end {
      completion(end)
    } else {
      asker = completion
    }
  }

  // MARK: Calls of the session

  func isRedirected(to url: URL?) {
    target = url
    if let url { recorder?.leads(to: url) }
  }

  func headArrived(_ response: URLResponse) {
    // The response follows an interim one (RFC 9110, section 15.2), of which URLSession on Linux tells as well.
    guard let head = response as? HTTPURLResponse, head.statusCode >= 200 else { return }
    recorder?.headArrived(head)
    self.head = head
    // The rest of a response that leads to another request is recorded before the other request is made.
    if target == nil, client.showsDemands || CredentialDemand(head) == nil { show() }
  }

  func pieceArrived(_ piece: Data) {
    recorder?.pieceArrived(piece, asPiece: client.takesPieces)
    if let asker = asker.take() { asker(.success(piece)) } else if end == nil { pieces.append(piece) }
  }

  func complete(_ error: (any Error)?) {
    guard end == nil else { return }
    if error == nil, head == nil, let head = inner?.response as? HTTPURLResponse {
      // On Linux, neither the head nor the body of a redirect that leads nowhere arrives.
      recorder?.headArrived(head)
    }
    recorder?.end(error: error)
    let end: Chunk = error.map { .failure($0) } ?? .success(nil)
    self.end = end
    asker.take()?(end)
    show()
  }

  /// Lets the exchange deliver what there is, once: the response as it arrives, or a failure.
  private func show() {
    guard let exchange = exchange.take() else { return }
    if head == nil, case .failure(let error)? = end {
      showCounts()
      // Like the native loader's, an error names the first URL, even after a redirect.
      let known = hop.redirectCount > 0 ? error as? URLError : nil
      let named = known.map {
        URLError($0.code, $0.localizedDescription).naming(client.request)
      }
      return exchange.fail(with: named ?? error)
    }
    guard case .passedThrough(let load) = exchange.state, load === self else { return }
    // The session has stored the cookies.
    let expected = head.map { head in
      let isEncoded = head.value(forHTTPHeaderField: "Content-Encoding") != nil
      return ExpectedHead(head: head, isEncoded: isEncoded, setCookies: [], comesAtOnce: false)
    }
    let followUp = head.flatMap { FollowUp($0, of: hop.requestToRedirect, to: target) }
    let schedule = ResponseSchedule(plan: DeliveryPlan(bodyLength: nil))
    exchange.play(schedule, stream: self, expected, followUp, to: client) { [self] _ in
      showCounts()
      exchange.end(.passedThrough)
    }
  }

  /// Shows what only the other task knows.
  private func showCounts() { if let inner { client.adopt(inner, hasHead: head != nil) } }

  /// Call this on the session's delegate queue, and not on that of the exchange, which URLSession waits for when it
  /// takes an answer.
  func isChallenged(
    _ challenge: URLAuthenticationChallenge,
    completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The exchange asks for these itself. On Linux, the response is complete, and URLSession cancels a task whose
    // challenge is rejected.
    guard !Platform.demandsOfExchanges.contains(challenge.protectionSpace.authenticationMethod) else {
      if client.showsDemands { perform { $0.complete(nil) } }
      return completion(.rejectProtectionSpace, nil)
    }
    let answer = ChallengeAnswer { [worker] answer in worker.async { completion(answer.disposition, answer.credential) }
    }
    let passedOn = URLAuthenticationChallenge(authenticationChallenge: challenge, sender: answer)
    perform({ $0.client.askForCredential(passedOn, answer) }) { answer(.cancelAuthenticationChallenge, nil) }
  }
}

/// The body that a fetch sends.
enum FetchBody: @unchecked Sendable {
  // Safe because a stream is handed over: only the session that sends it touches it from here on.

  /// `nil` for no body.
  case data(Data?)
  case file(URL)
  case stream(InputStream)

  init(read request: IncomingRequest) {
    self = if case .data(let data) = request.body { .data(data) } else { .data(nil) }
  }
}

/// A session of StubKit's own that loads requests of another session, with that session's configuration. Those requests
/// share the connections of StubKit's session.
struct FetchSession {
  private let session: URLSession
  private let delegate = FetchDelegate()
  /// The session whose requests it loads.
  private weak var origin: URLSession?

  private static let known = Protected<[FetchSession]>([])

  private init(_ configuration: URLSessionConfiguration, for origin: URLSession? = nil) {
    self.origin = origin
    SessionInstallation.leaveAlone(configuration)
    Platform.prepareForFetches(configuration)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Returns the session that loads the requests of a task's session. Don't call this on a queue of URLSession.
  static func ofTask(_ task: URLSessionTask) -> FetchSession {
    guard let session = task.ownSession else { return ofUnknown }
    if let known = known.withLock({ $0.first { $0.origin === session } }) { return known }
    // Not under the lock, because what a configuration has belongs to the user. Two of them can be made at once. Each
    // lives as long as the session, because somebody may be about to use it, and a session that is invalidated traps
    // then.
    let fetches = FetchSession(
      session.configuration.copy() as? URLSessionConfiguration ?? URLSessionConfiguration.default, for: session)
    let outdated = known.withLock { known in
      let outdated = known.filter { $0.origin == nil }
      known.removeAll { $0.origin == nil }
      known.append(fetches)
      return outdated
    }
    for fetches in outdated { fetches.session.finishTasksAndInvalidate() }
    return fetches
  }

  private static let ofUnknown = FetchSession(.default)

  /// Returns a task that sends the request in place of another task. The fetch receives its events.
  func task(for request: URLRequest, sending body: FetchBody, of task: URLSessionTask, _ fetch: NetworkFetch)
    -> URLSessionTask
  {
    let inner = Platform.fetchTask(for: request, sending: body, of: task, in: session)
    inner.priority = task.priority
    delegate.fetches.withLock { $0[inner.taskIdentifier] = fetch }
    return inner
  }
}

/// Gives each fetch the events of its task.
private final class FetchDelegate: NSObject, URLSessionDataDelegate, Sendable {
  /// The fetches by the identifiers of their tasks, until those complete.
  let fetches = Protected<[Int: NetworkFetch]>([:])

  private func fetch(of task: URLSessionTask) -> NetworkFetch? { fetches.withLock { $0[task.taskIdentifier] } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent total: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    fetch(of: task)?.perform { $0.client.didSend(Int(count)) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    fetch(of: dataTask)?.perform { $0.headArrived(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    fetch(of: dataTask)?.perform { $0.pieceArrived(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    fetches.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.perform { $0.complete(error) }
  }

  /// The exchange asks about redirects itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let fetch = fetch(of: task) else { return completionHandler(nil) }
    fetch.perform { $0.isRedirected(to: request.url) }
    fetch.redirects.refuse(completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let fetch = fetch(of: task) else { return completionHandler(.performDefaultHandling, nil) }
    fetch.isChallenged(challenge, completion: completionHandler)
  }
}

/// Passing a task's request through to the network. There are three ways: `NetworkFetch` (URLSession), `passNatively`
/// (its plain mode on Linux) and `ReverseProxy` (StubKitServer). A change of what is sent concerns all of them.
extension TaskClient {
  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?) {
    let context = exchange.context
    // A credential for a stub's challenge must not leave the process.
    guard hop.credential?.isOfNetwork ?? true else {
      if let stub { return exchange.fail(with: StubResponseError(stub: stub, reason: .passedThroughWithCredential)) }
      return exchange.fail(withReport: { [request = hop.request] in
        let error = UnmatchedRequestError(RequestFacts(request), in: context.registry)
        error.report(to: context.snapshot.testReport, context.confidence, of: Date())
        return error
      })
    }
    let tap = context.registry.tap(for: incoming(hop))
    if hop.isFirst, hop.body == nil, tap == nil, passNatively(exchange) { return }
    let unsupported: (any Error)? = Platform.hasLoader(for: hop.request) ? nil : URLError.unsupported(hop.request)
    if let problem = unsupported ?? (tap == nil ? nil : Platform.problemOfRecordings) {
      exchange.fail(with: problem)
    } else if hop.isFirst, tap == nil, let look = storedResponse(to: hop.request) {
      exchange.away(look) { [self] cached in
        guard let cached, let head = cached.response as? HTTPURLResponse else {
          return exchange.load(by: NetworkFetch(self, hop, of: exchange, nil))
        }
        exchange.play(cached, head, to: self, ending: .passedThrough)
      }
    } else {
      exchange.load(by: NetworkFetch(self, hop, of: exchange, tap?.begin(incoming(hop).asSent)))
    }
  }
}
