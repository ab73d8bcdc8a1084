import Foundation

/// Passing a request through to the system's own loader.
extension Load {
  /// - Parameter stub: The stub that passes the request through, or `nil` for a policy.
  func passThrough(by stub: StubReference? = nil) {
    // A credential for a stub's challenge must not leave the process.
    guard hop.credential == nil else {
      if let stub { return fail(with: StubResponseError(stub: stub, reason: .passedThroughWithCredential)) }
      return fail(withReport: { [registry, request = hop.request, misses = handOver.misses] in
        let error = UnmatchedRequestError(RequestFacts(request), in: registry)
        misses?.add(error)
        return error
      })
    }
    guard phase.isOpen, let client else { return }
    let recorder = registry.recorder(of: hop.request, from: handOver.origin)
    let recording = recorder?.begin(client.incoming(hop, confidence: handOver.confidence).seen.request)
    // A relay's session looks into the cache by itself.
    let isLooking =
      hop.isFirst && !Platform.relays(recording)
      && client.lookIntoCache { [self] in pass(cached: $0, recording: recording) }
    if isLooking { phase = .waiting } else { pass(cached: nil, recording: recording) }
  }

  /// - Parameter recording: Receives the response, or `nil` if nothing records.
  private func pass(cached: CachedURLResponse?, recording: (any ExchangeRecording)?) {
    guard phase.isOpen else { return }
    // The reference is weak, because the load holds the loader, which holds this closure. The task keeps the load
    // alive.
    let mayFinish = { [weak self] in self?.mayFinish($0, $1) ?? true }
    guard let native = client?.nativeLoad(of: hop, cached: cached, recording: recording, mayFinish: mayFinish)
    else {
      return hop.isFirst || !Platform.loads(hop.request)
        ? fail(with: URLError(.unsupportedURL, failing: hop.request)) : relay(recording)
    }
    client = nil
    settle(.passedThrough)
    // Nobody needs later calls, and they must not disturb the system's loader at its end.
    if hop.isFirst { queue.ownerLeft() }
    proceed(with: native)
  }

  func proceed(with native: NativeLoad) {
    phase = .passedThrough(native)
    if !isPaused { native.start() }
  }

  /// Loads the request with a session that StubKit doesn't intercept, and answers with its response. This serves
  /// redirects to the real network if the task itself can't follow them.
  private func relay(_ recording: (any ExchangeRecording)?) {
    guard wait() else { return }
    var request = hop.request
    // A redirected request doesn't send the body again.
    request.httpBody = nil
    request.httpBodyStream = nil
    // A task must not be created on URLSession's queues.
    DispatchQueue.global().async { [self, request] in
      let configuration = URLSessionConfiguration.ephemeral
      SessionInstallation.leaveAlone(configuration)
      let session = URLSession(configuration: configuration)
      let task = session.dataTask(with: request) { [self] data, response, error in
        recording?.end(response as? HTTPURLResponse, .data(data ?? Data()), error: error)
        queue.perform { self.takeRelayed(data ?? Data(), response as? HTTPURLResponse, error) }
      }
      task.resume()
      session.finishTasksAndInvalidate()
    }
  }

  private func takeRelayed(_ body: Data, _ response: HTTPURLResponse?, _ error: (any Error)?) {
    guard phase.isOpen, let client else { return }
    guard let response, let url = response.url else { return fail(with: error ?? URLError(.unknown)) }
    let headers = response.allHeaderFields as? [String: String] ?? [:]
    play(
      Delivery(
        plan: DeliveryPlan(body: .bytes(body.count)),
        response: Platform.makeResponse(url: url, status: response.statusCode, headers: headers), body: .data(body),
        client: client, queue: queue
      ) { [self] error in
        end(error.map { .failed($0) } ?? .passedThrough)
      })
  }
}
