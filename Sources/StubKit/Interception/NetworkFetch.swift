import Foundation

/// One request on its way over the network, in a session of StubKit's own that StubKit doesn't intercept. It is an
/// answer whose body is a stream: the exchange delivers it like that of a stub, follows its redirect, and asks for the
/// credential that it demands.
///
/// On Apple platforms, a task can't return to the system's loader. StubKit knows whether a request may pass only
/// after it has read the body or run the user's closures, which is too much for `canInit`. On Linux, only the system's
/// loader knows what it sends and receives, and it can't send a body that was read from a stream, or another request
/// than the task's first.
final class NetworkFetch: NetworkLoad, ChunkSource, @unchecked Sendable {
  // Safe because only the exchange's queue uses the mutable state.
  let client: TaskClient
  private let hop: Hop
  /// Learns everything before the client does, or `nil`.
  private let recorder: (any NetworkRecorder)?
  private let takesPieces: Bool
  /// A task must not be created, resumed or cancelled on URLSession's queues.
  private let worker = DispatchQueue(label: "StubKit.fetch", qos: .utility)
  /// The exchange that waits, which holds this.
  private weak var exchange: Exchange?
  private var hasStarted = false
  /// The task that carries the request, once there is one.
  private var inner: URLSessionTask?
  private var head: HTTPURLResponse?
  /// Where the response redirects.
  private var target: URL?
  private var isShown = false
  /// The pieces of the body that nobody has asked for yet.
  private var pieces: [Data] = []
  private var end: Chunk?
  private var asker: (@Sendable (Chunk) -> Void)?
  private var isCancelled = false

  init(_ client: TaskClient, _ hop: Hop, of exchange: Exchange, _ recorder: (any NetworkRecorder)?) {
    self.client = client
    self.hop = hop
    self.recorder = recorder
    self.exchange = exchange
    takesPieces = client.takesPieces
  }

  // MARK: Loading

  /// Starts. Has no effect after a suspension: the client is told nothing meanwhile, but the network goes on.
  func start() {
    guard !hasStarted else { return }
    hasStarted = true
    let incoming = client.incoming(hop, .certain)
    let (queue, begun) = (client.queue, client.queue.timeline.begin())
    WorkerPool.background.run { [self] in
      _ = Platform.task(on: nil) { [self] in
        do {
          let body = try await incoming.read().body
          perform { $0.send(body) }
        } catch {
          perform { $0.complete(error) }
        }
        queue.timeline.end(begun)
      }
    }
  }

  private func send(_ body: RequestBody) {
    let data: Data? = if case .data(let data) = body { data } else { nil }
    if let data { recorder?.setRequestBody(data) }
    exchange?.keep(body)
    client.queue.away { [self] in
      // Keeps the session in use until it has the task.
      withExtendedLifetime(Platform.session(of: client.task)) {
        FetchSession.ofTask(client.task).task(for: hop.request, sending: data, of: client.task, self)
      }
    } then: { [self] inner in
      self.inner = inner
      worker.async { inner.resume() }
      if isCancelled { worker.async { inner.cancel() } }
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
    (pieces, asker) = ([], nil)
    guard isEarly else { return }
    recorder?.cancel()
    if let inner { worker.async { inner.cancel() } }
  }

  /// Does something on the exchange's queue, unless the request is cancelled.
  func perform(_ work: @escaping @Sendable (NetworkFetch) -> Void, orElse: @escaping @Sendable () -> Void = {}) {
    client.queue.perform { [self] in
      if isCancelled { orElse() } else { work(self) }
    }
  }

  // MARK: Chunks

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    if !pieces.isEmpty {
      completion(.success(pieces.removeFirst()))
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

  func receive(_ response: URLResponse) {
    guard let head = response as? HTTPURLResponse else { return }
    recorder?.head(head)
    self.head = head
    // The rest of a response that leads to another request is recorded before the other request is made.
    if target == nil, client.showsDemands || CredentialDemand(head) == nil { show() }
  }

  func receive(_ piece: Data) {
    recorder?.receive(piece, asPiece: takesPieces)
    if let asker = asker.take() { asker(.success(piece)) } else if end == nil { pieces.append(piece) }
  }

  func complete(_ error: (any Error)?) {
    guard end == nil else { return }
    if error == nil, head == nil, let head = inner?.response as? HTTPURLResponse {
      // On Linux, neither the head nor the body of a redirect that leads nowhere arrives.
      recorder?.head(head)
    }
    recorder?.end(error: error)
    let end: Chunk = error.map { .failure($0) } ?? .success(nil)
    self.end = end
    asker.take()?(end)
    if !isShown { show() }
  }

  /// Lets the exchange deliver what there is.
  private func show() {
    isShown = true
    if head == nil, case .failure(let error)? = end {
      showCounts()
      // Like the native loader's, an error names the first URL, even after a redirect.
      let known = hop.redirectCount > 0 ? error as? URLError : nil
      let named = known.map {
        URLError($0.code, userInfo: [NSLocalizedDescriptionKey: $0.localizedDescription]).naming(client.request)
      }
      exchange?.fail(with: named ?? error)
    } else {
      exchange?.deliver(self, head, to: target)
    }
  }

  /// Shows what only the other task knows.
  func showCounts() { if let inner { client.adopt(inner, hasHead: head != nil) } }

  /// Call this on the session's delegate queue, and not on that of the exchange, which URLSession waits for when it takes an
  /// answer.
  func receive(
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
