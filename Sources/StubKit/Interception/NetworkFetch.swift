import Foundation

/// One request on its way over the network, in a session of StubKit's own that StubKit doesn't intercept. It is an
/// answer whose body is a stream: the exchange delivers it like that of a stub, follows its redirect, and asks for the
/// credential that it demands.
///
/// On Apple platforms, a task can't return to the system's loader. StubKit knows whether a request may pass only
/// after it has read the body or run the user's closures, which is too much for `canInit`. On Linux, only the system's
/// loader knows what it sends and receives, and it can't send a body that was read from a stream, or another request
/// than the task's first.
final class NetworkFetch: NetworkLoad, ChunkSource {
  let client: TaskClient
  private let hop: Hop
  /// Learns everything before the client does, or `nil`.
  private let recorder: (any NetworkRecorder)?
  private let takesPieces: Bool
  private let state: Protected<State>

  private struct State {
    /// The exchange that waits, which holds this. Calls for it go over its queue.
    weak var exchange: Exchange?
    var hasStarted = false
    /// The task that carries the request, once there is one.
    var inner: URLSessionTask?
    var head: HTTPURLResponse?
    /// Where the response redirects.
    var target: URL?
    var isShown = false
    /// The pieces of the body that nobody has asked for yet.
    var pieces: [Data] = []
    var end: Chunk?
    var asker: (@Sendable (Chunk) -> Void)?
    var isCancelled = false
  }

  init(_ client: TaskClient, _ hop: Hop, of exchange: Exchange, _ recorder: (any NetworkRecorder)?) {
    self.client = client
    self.hop = hop
    self.recorder = recorder
    takesPieces = client.takesPieces
    state = Protected(State(exchange: exchange))
  }

  // MARK: Loading

  /// Starts. Has no effect after a suspension: the client is told nothing meanwhile, but the network goes on.
  func start() {
    let hadStarted = state.withLock { state in
      defer { state.hasStarted = true }
      return state.hasStarted
    }
    guard !hadStarted else { return }
    let incoming = client.incoming(hop, .certain)
    let (queue, begun) = (client.queue, client.queue.timeline.begin())
    // A task must not be created on URLSession's queues.
    WorkerPool.background.run { [self] in
      _ = Platform.task(on: nil) { [self] in
        do { send(try await incoming.read().body) } catch { complete(error) }
        queue.timeline.end(begun)
      }
    }
  }

  private func send(_ body: RequestBody) {
    // The body can have taken long to read. A request that was cancelled meanwhile must not reach a server.
    guard !state.withLock(\.isCancelled) else { return }
    let data: Data? = if case .data(let data) = body { data } else { nil }
    if let data { recorder?.setRequestBody(data) }
    tell { exchange, _ in exchange.keep(body) }
    // Keeps the session in use until it has the task.
    let inner = withExtendedLifetime(Platform.session(of: client.task)) {
      FetchSession.ofTask(client.task).task(for: hop.request, sending: data, of: client.task, self)
    }
    let isCancelled = state.withLock { state in
      state.inner = inner
      return state.isCancelled
    }
    inner.resume()
    if isCancelled { inner.cancel() }
  }

  func pause() {}

  func leave() -> Bool {
    cancel()
    return true
  }

  /// Has no effect after the end.
  func cancel() {
    let (isEarly, inner, asker) = state.withLock { state in
      let isEarly = state.end == nil && !state.isCancelled
      state.isCancelled = true
      defer { (state.pieces, state.asker) = ([], nil) }
      return (isEarly, state.inner, state.asker)
    }
    _ = consume asker
    guard isEarly else { return }
    recorder?.cancel()
    if let inner { WorkerPool.background.run { inner.cancel() } }
  }

  /// Makes a call on the exchange's queue, unless the exchange is over.
  private func tell(
    _ call: @escaping @Sendable (Exchange, NetworkFetch) -> Void, orElse: @escaping @Sendable () -> Void = {}
  ) {
    client.queue.perform { [self] in
      let exchange = state.withLock { $0.isCancelled ? nil : $0.exchange }
      if let exchange { call(exchange, self) } else { orElse() }
    }
  }

  // MARK: Chunks

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    let chunk = state.withLock { state -> Chunk? in
      guard !state.isCancelled else { return nil }
      if !state.pieces.isEmpty { return .success(state.pieces.removeFirst()) }
      if state.end == nil { state.asker = completion }
      return state.end
    }
    if let chunk { completion(chunk) }
  }

  // MARK: Calls of the session, on its delegate queue

  func sent(_ count: Int) { tell { $1.client.didSend(count) } }

  func isRedirected(to url: URL?) {
    state.withLock { $0.target = url }
    if let url { recorder?.leads(to: url) }
  }

  func receive(_ response: URLResponse) {
    guard let head = response as? HTTPURLResponse else { return }
    recorder?.head(head)
    let isHeld = state.withLock { state in
      state.head = head
      // The rest of a response that leads to another request is recorded before the other request is made.
      return state.target != nil || !client.showsDemands && CredentialDemand(head) != nil
    }
    if !isHeld { show() }
  }

  func receive(_ piece: Data) {
    recorder?.receive(piece, asPiece: takesPieces)
    let asker = state.withLock { state in
      if state.asker == nil, !state.isCancelled, state.end == nil { state.pieces.append(piece) }
      return state.asker.take()
    }
    asker?(.success(piece))
  }

  func complete(_ error: (any Error)?) {
    let end: Chunk = error.map { .failure($0) } ?? .success(nil)
    guard
      let (inner, hasHead) = state.withLock({ state in
        state.end == nil && !state.isCancelled ? (state.inner, state.head != nil) : nil
      })
    else { return }
    if error == nil, !hasHead, let inner, let head = inner.response as? HTTPURLResponse {
      // On Linux, neither the head nor the body of a redirect that leads nowhere arrives.
      recorder?.head(head)
    }
    recorder?.end(error: error)
    let (isShown, asker) = state.withLock { state in
      state.end = end
      return (state.isShown, state.asker.take())
    }
    asker?(end)
    if !isShown { show() }
  }

  /// Lets the exchange deliver what there is.
  private func show() {
    state.withLock { $0.isShown = true }
    tell { exchange, fetch in
      let (head, target, end) = fetch.state.withLock { ($0.head, $0.target, $0.end) }
      if head == nil, case .failure(let error)? = end {
        fetch.showCounts()
        // Like the native loader's, an error names the first URL, even after a redirect.
        let known = fetch.hop.redirectCount > 0 ? error as? URLError : nil
        let named = known.map {
          URLError($0.code, userInfo: [NSLocalizedDescriptionKey: $0.localizedDescription]).naming(fetch.client.request)
        }
        exchange.fail(with: named ?? error)
      } else {
        exchange.deliver(fetch, head, to: target)
      }
    }
  }

  /// Shows what only the other task knows.
  func showCounts() {
    let (inner, hasHead) = state.withLock { ($0.inner, $0.head != nil) }
    if let inner { client.adopt(inner, hasHead: hasHead) }
  }

  func receive(
    _ challenge: URLAuthenticationChallenge,
    completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The exchange asks for these itself. On Linux, the response is complete, and URLSession cancels a task whose
    // challenge is rejected.
    guard !Platform.demandsOfExchanges.contains(challenge.protectionSpace.authenticationMethod) else {
      if client.showsDemands { complete(nil) }
      return completion(.rejectProtectionSpace, nil)
    }
    tell(
      { _, fetch in
        let answer = ChallengeAnswer { completion($0.disposition, $0.credential) }
        let passedOn = URLAuthenticationChallenge(authenticationChallenge: challenge, sender: answer)
        fetch.client.askForCredential(passedOn, answer)
      }, orElse: { completion(.cancelAuthenticationChallenge, nil) })
  }
}
