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
        error.report(context.confidence, to: context.acceptance.misses)
        return error
      })
    }
    let listener = context.registry.networkListener(
      to: hop.request, seenAs: incoming(hop, context.confidence).seen.request, from: context.acceptance.origin)
    // The system's loader has to be created with what the session's cache contains. A relay's session looks by itself.
    guard hop.isFirst, !Platform.relays(listener), let cache = Platform.cacheToLookInto(for: task),
      let request = task.currentRequest
    else { return pass(hop, of: exchange, listener: listener) }
    guard exchange.wait() else { return }
    queue.away {
      cache.cachedResponse(for: request)
    } then: { [self] cached in
      if exchange.state.isUndecided { pass(hop, of: exchange, cached: cached, listener: listener) }
    }
  }

  private func pass(
    _ hop: Hop, of exchange: Exchange, cached: CachedURLResponse? = nil, listener: (any NetworkListener)?
  ) {
    let relays = Platform.relays(listener)
    if !relays, let load = NativeLoad(self, hop, cached: cached, listener: listener) {
      exchange.pass(to: load)
    } else if Platform.loads(hop.request), relays || !hop.isFirst {
      // The system's loader can't take every redirected request in place of the task's own.
      exchange.pass(to: Relay(self, hop, listener, queue))
    } else {
      exchange.fail(with: URLError.unsupported(hop.request))
    }
  }
}

/// A task that the system's own loader has. Use it only on the task's queue.
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

    var loader: URLProtocol {
      switch self {
      case .load(let loader), .loadRedirected(let loader, _), .finish(let loader): loader
      }
    }
  }

  /// Returns `nil` if no loader supports the scheme, or if the system can't be made to take another request as the
  /// task's.
  init?(_ client: TaskClient, _ hop: Hop, cached: CachedURLResponse?, listener: (any NetworkListener)?) {
    let loader = client.loader
    (self.hop, queue, work) = (hop, client.queue, .finish(loader))
    if hop.isFirst {
      client.account.resetForSystemLoader()
      let native = Platform.nativeLoader(
        inPlaceOf: loader, for: client.task, cachedResponse: cached ?? loader.cachedResponse, listener: listener)
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

  func start() {
    guard !isRunning else { return }
    isRunning = true
    switch work {
    case .load(let loader): loader.startLoading()
    case .loadRedirected(let loader, let request): Platform.start(loader, redirectedTo: request)
    case .finish(let loader): Platform.finish(redirected: loader)
    }
  }

  func pause() {
    isRunning = false
    work.loader.stopLoading()
  }

  func stop() -> Bool { Platform.stop(native: work.loader) }

  // MARK: Demands for credentials of servers that a stubbed redirect led to

  /// Returns whether the task can end with what the system's loader received. After a stubbed redirect, the system
  /// doesn't know which request to repeat with a credential.
  private func mayFinish(_ loader: URLProtocol, _ response: HTTPURLResponse) -> Bool {
    guard isLoading(loader), let task = loader.task else { return true }
    let client = TaskClient(loader: loader, task: task, queue: queue)
    guard response.statusCode == 401 else {
      client.keepCredential(of: hop)
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
    loader === work.loader && (loader.task?.state == .running || loader.task?.state == .suspended)
  }

  private func finish(_ client: TaskClient) {
    // The news of a suspension can be on its way. The end waits for the resumption.
    if !client.isListening { pause() }
    proceed(with: .finish(client.loader))
  }

  private func proceed(with next: Work) {
    work = next
    guard isRunning else { return }
    isRunning = false
    start()
  }
}
