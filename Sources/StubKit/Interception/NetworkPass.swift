import Foundation

/// Passing a task's request through to the network.
extension TaskClient {
  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?) {
    let context = exchange.context
    // A credential for a stub's challenge must not leave the process.
    guard hop.credential == nil else {
      if let stub { return exchange.fail(with: StubResponseError(stub: stub, reason: .passedThroughWithCredential)) }
      return exchange.fail(withReport: { [request = hop.request] in
        let error = UnmatchedRequestError(RequestFacts(request), in: context.registry)
        context.acceptance.misses?.add(error)
        return error
      })
    }
    let recording = context.registry.recorder(of: hop.request, from: context.acceptance.origin)?
      .begin(incoming(hop, context.confidence).seen.request)
    // A relay's session looks into the cache by itself.
    let isLooking =
      hop.isFirst && !Platform.relays(recording)
      && lookIntoCache { [self] cached in
        if exchange.state.isUndecided { pass(hop, of: exchange, cached: cached, recording: recording) }
      }
    if isLooking {
      exchange.state.wait()
    } else {
      pass(hop, of: exchange, cached: nil, recording: recording)
    }
  }

  /// Looks into the session's cache, if that must happen before the system's loader is created.
  ///
  /// Returns `false` if there is no cache to look into, and then doesn't call `completion`. Otherwise, `completion`
  /// runs on the queue.
  private func lookIntoCache(_ completion: @escaping @Sendable (CachedURLResponse?) -> Void) -> Bool {
    guard let cache = Platform.cacheToLookInto(for: task), let request = task.currentRequest else { return false }
    queue.away({ cache.cachedResponse(for: request) }, then: completion)
    return true
  }

  /// - Parameter recording: Receives the response, or `nil` if nothing records.
  private func pass(
    _ hop: Hop, of exchange: Exchange, cached: CachedURLResponse?, recording: (any ExchangeRecording)?
  ) {
    if let load = NativeLoad(self, hop, cached: cached, recording: recording, on: queue) {
      exchange.pass(to: load)
    } else if hop.isFirst || !Platform.loads(hop.request) {
      exchange.fail(with: URLError(.unsupportedURL, failing: hop.request))
    } else {
      fetch(hop.request, for: exchange, recording)
    }
  }

  /// Loads the request with a session that StubKit doesn't intercept, and answers with its response. This serves
  /// redirects to the real network if the task itself can't follow them.
  private func fetch(_ request: URLRequest, for exchange: Exchange, _ recording: (any ExchangeRecording)?) {
    guard exchange.wait() else { return }
    // A redirected request doesn't send the body again.
    let request = request.with(nil)
    // A task must not be created on URLSession's queues.
    DispatchQueue.global().async { [self] in
      let configuration = URLSessionConfiguration.ephemeral
      SessionInstallation.leaveAlone(configuration)
      let session = URLSession(configuration: configuration)
      let task = session.dataTask(with: request) { [self] data, response, error in
        recording?.end(response as? HTTPURLResponse, .data(data ?? Data()), error: error)
        queue.perform { self.deliver(data ?? Data(), response as? HTTPURLResponse, error, to: exchange) }
      }
      task.resume()
      session.finishTasksAndInvalidate()
    }
  }

  private func deliver(_ body: Data, _ response: HTTPURLResponse?, _ error: (any Error)?, to exchange: Exchange) {
    guard exchange.state.isUndecided else { return }
    guard let response, let url = response.url else { return exchange.fail(with: error ?? URLError(.unknown)) }
    let headers = response.allHeaderFields as? [String: String] ?? [:]
    exchange.play(
      Delivery(
        plan: DeliveryPlan(body: .bytes(body.count)),
        response: Platform.makeResponse(url: url, status: response.statusCode, headers: headers), body: .data(body),
        client: self, queue: queue
      ) { error in
        exchange.end(error.map { .failed($0) } ?? .passedThrough)
      })
  }
}

/// A task that the system's own loader has, or a relay. Use it only on the task's queue.
final class NativeLoad: NetworkLoad, @unchecked Sendable {
  // Safe because everything in it is touched on `queue` only.
  private var work: Work
  private var hop: Hop
  private let queue: any DeliveryQueue
  private var isRunning = false

  private enum Work {
    case load(URLProtocol)
    /// The request is not the task's own.
    case loadRedirected(URLProtocol, URLRequest)
    /// The loader is done, and only has to say so.
    case finish(URLProtocol)
    /// A task of StubKit's own session loads the request.
    case relay(Relay)
  }

  /// Returns `nil` if no loader supports the scheme, or if the system can't be made to take another request as the
  /// task's.
  ///
  /// - Parameter recording: Receives the response, or `nil` if nothing records.
  init?(
    _ client: TaskClient, _ hop: Hop, cached: CachedURLResponse?, recording: (any ExchangeRecording)?,
    on queue: any DeliveryQueue
  ) {
    let loader = client.loader
    (self.hop, self.queue, work) = (hop, queue, .finish(loader))
    if Platform.relays(recording) {
      guard Platform.loads(hop.request) else { return nil }
      work = .relay(Relay(client, hop, recording, queue))
    } else if hop.isFirst {
      client.resetForSystemLoader()
      let native = Platform.nativeLoader(
        inPlaceOf: loader, for: client.task, cachedResponse: cached ?? loader.cachedResponse, recording: recording)
      guard let native else { return nil }
      work = .load(native)
    } else {
      // The reference is weak, because the task's loader holds this load, and the native loader this closure.
      let native = Platform.nativeLoader(inPlaceOf: loader, redirectedTo: hop.request) { [weak self] in
        self?.mayFinish($0, $1) ?? true
      }
      guard let native else { return nil }
      work = .loadRedirected(native, hop.request)
    }
  }

  /// The loader, or `nil` for a relay, which checks for itself whether its task is suspended.
  private var loader: URLProtocol? {
    switch work {
    case .load(let loader), .loadRedirected(let loader, _), .finish(let loader): loader
    case .relay: nil
    }
  }

  func start() {
    guard !isRunning || loader == nil else { return }
    isRunning = true
    switch work {
    case .load(let loader): loader.startLoading()
    case .loadRedirected(let loader, let request): Platform.start(loader, redirectedTo: request)
    case .finish(let loader): Platform.finish(redirected: loader)
    case .relay(let relay): relay.start()
    }
  }

  func pause() {
    isRunning = false
    loader?.stopLoading()
  }

  func stop() -> Bool {
    if case .relay(let relay) = work { relay.stop() }
    return loader.map(Platform.stop) ?? true
  }

  // MARK: Demands for credentials of servers that a stubbed redirect led to

  /// Returns whether the task can end with what the system's loader received. After a stubbed redirect, the system
  /// doesn't know which request to repeat with a credential.
  private func mayFinish(_ loader: URLProtocol, _ response: HTTPURLResponse) -> Bool {
    guard isLoading(loader), let task = loader.task else { return true }
    let client = TaskClient(loader: loader, task: task, queue: queue)
    guard response.statusCode == 401 else {
      client.keepCredential(of: hop)
      queue.ownerLeft()
      return true
    }
    // After the system's loader has come to rest.
    queue.perform { [self] in answer(response, client) }
    return false
  }

  private func answer(_ response: HTTPURLResponse, _ client: TaskClient) {
    guard isLoading(client.loader) else { return }
    guard let demand = CredentialDemand(response) else { return finish(client) }
    client.ask(for: demand, response, of: hop) { [self] credential in
      guard isLoading(client.loader) else { return }
      guard let credential, let request = client.task.currentRequest else { return finish(client) }
      hop = hop.answering(demand, with: credential, of: request)
      let native = Platform.nativeLoader(inPlaceOf: client.loader, redirectedTo: hop.request) { _, _ in true }
      guard let native else { return finish(client) }
      proceed(with: .loadRedirected(native, hop.request))
    }
  }

  /// Returns whether the loader still has the task, and the task is not cancelled.
  private func isLoading(_ loader: URLProtocol) -> Bool {
    loader === self.loader && (loader.task?.state == .running || loader.task?.state == .suspended)
  }

  private func finish(_ client: TaskClient) {
    // The news of a suspension can be on its way. The end waits for the resumption.
    if client.isListening { queue.ownerLeft() } else { pause() }
    proceed(with: .finish(client.loader))
  }

  private func proceed(with next: Work) {
    work = next
    guard isRunning else { return }
    isRunning = false
    start()
  }
}
