import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Handing a request to the system's own loader.
extension Load {
  /// - Parameter stub: The one that says so; nil for a policy.
  func passThrough(by stub: StubReference? = nil) {
    // A credential that was meant for a stub goes nowhere else.
    guard hop.credential == nil else {
      if let stub { return fail(with: StubResponseError(stub: stub, reason: .passedThroughWithCredential)) }
      return fail(withReport: { [registry, request = hop.request, question = handOver.question] in
        let error = UnmatchedRequestError(RequestFacts(request), in: registry)
        question?.miss(error)
        return error
      })
    }
    let isLooking = hop.isFirst && client?.lookIntoCache { self.passThrough(cached: $0) } ?? false
    if isLooking { phase = .waiting } else { passThrough(cached: nil) }
  }

  private func passThrough(cached: CachedURLResponse?) {
    guard phase.isOpen, let client else { return }
    guard let recorder = registry.recorder else { return pass(cached: cached, recording: nil) }
    let request = client.incoming(hop, evidence: handOver.evidence).seen.request
    let recording = ExchangeRecording(recorder, request)
    guard hop.isFirst, let prepare = Platform.prepare(recording, of: client.task, for: hop.request) else {
      return pass(cached: cached, recording: recording)
    }
    phase = .waiting
    queue.begin()
    // The task begins at once, on the thread that makes it, and this is URLSession's queue.
    WorkerPool.errands.run { [self] in
      _ = Platform.task(on: nil) { [self] in
        let finish = await prepare()
        queue.perform { [self] in
          finish()
          pass(cached: cached, recording: recording)
        }
        queue.end()
      }
    }
  }

  /// - Parameter recording: Takes what comes back; nil unless something records.
  private func pass(cached: CachedURLResponse?, recording: ExchangeRecording?) {
    guard phase.isOpen else { return }
    // Weakly, since the load holds the loader that holds this; the task keeps the load.
    let mayFinish = { [weak self] in self?.mayFinish($0, $1) ?? true }
    guard let native = client?.nativeLoad(of: hop, cached: cached, recording: recording, mayFinish: mayFinish)
    else {
      return hop.isFirst || !Platform.loads(hop.request)
        ? fail(with: URLError(.unsupportedURL, failing: hop.request)) : relay(recording)
    }
    client = nil
    settle(.passedThrough)
    // What still comes is for nobody, and the system's loader is not to be disturbed at its end.
    if hop.isFirst { queue.ownerLeft() }
    goOn(with: native)
  }

  func goOn(with native: NativeLoad) {
    phase = .passedThrough(native)
    if !isPaused { native.start() }
  }

  /// Has a session that StubKit leaves alone load the request, and answers with what comes, for a redirect that leads to the
  /// real network where the task itself can't be made to go there.
  private func relay(_ recording: ExchangeRecording?) {
    guard wait() else { return }
    var request = hop.request
    // It is a redirect's, which does not send it again.
    request.httpBody = nil
    request.httpBodyStream = nil
    // Off URLSession's queues, where no task may be made.
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
        plan: DeliveryPlan(bodyLength: body.count),
        response: Platform.makeResponse(url: url, status: response.statusCode, headers: headers), body: .memory(body),
        client: client, queue: queue
      ) { [self] error in
        end(error.map { .failed($0) } ?? .passedThrough)
      })
  }
}
