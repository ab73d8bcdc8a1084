import Foundation

/// From a request to the delivery of its answer.
extension Load {
  func ask() {
    guard hop.isFirst || Platform.leavesToUs(hop.request) else {
      return fail(with: URLError(.unsupportedURL, failing: hop.request))
    }
    guard let client else { return }
    client.prepare()
    if let problem = handOver.problem { return fail(with: problem) }
    if let unattributed { return resolve(unattributed) }
    let observers = handOver.isObserved ? registry.observers : nil
    let incoming = client.incoming(hop, confidence: handOver.confidence)
    switch registry.answer(
      incoming, observers: observers, misses: handOver.misses, on: handOver.timeline, from: handOver.origin)
    {
    case .answered(let answer):
      record(answer)
    case .unfinished(let entry, let rest):
      self.entry = entry
      guard wait() else { return }
      run(rest) { [self] answer in record(answer) }
    }
  }

  /// Adds the file of an upload to the journal, if nobody has read it, before anything happens to the request.
  private func record(_ answer: Answer) {
    guard phase.isOpen, answer.readByteCount == nil, let file = client?.uploadedFile(of: hop) else {
      return take(answer)
    }
    entry = answer.entry
    guard wait() else { return }
    let flag = CancellationFlag()
    bodyReading = flag
    queue.away { [registry] in
      registry.journal.complete(answer.entry, bodyIn: file, unless: flag)
    } then: { [self] in
      take(answer)
    }
  }

  private func take(_ answer: Answer) {
    entry = answer.entry
    observation = answer.observation
    if case .over(let outcome) = phase {
      settleEntry(outcome)
      return tellObserversLater(outcome)
    }
    // The scope can have ended meanwhile, and the failure can wait for a suspended task.
    guard phase.isOpen else { return }
    client?.didRead(answer.readByteCount ?? 0)
    switch answer.kind {
    case .respond(let response, let stub): respond(response, CallRandomness(stub: stub, call: answer.call))
    case .passThrough(let stub): passThrough(by: stub)
    case .fail(let error): fail(with: error)
    case .unmatched(let report): fail(withReport: report)
    }
  }

  /// Continues elsewhere, because a long report would delay the requests of all sessions.
  func fail(withReport report: @escaping @Sendable () -> UnmatchedRequestError) {
    guard wait() else { return }
    queue.away(report) { [self] error in
      // The scope can have ended meanwhile, and the failure can wait for a suspended task.
      if phase.isOpen { fail(with: error) }
    }
  }

  private func respond(_ response: StubResponse, _ randomness: CallRandomness) {
    if let reason = response.problem { return fail(with: StubResponseError(stub: randomness.stub, reason: reason)) }
    guard response.body.isClosed else {
      return deliver(response, randomness, body: response.body.opened(by: randomness.stub))
    }
    guard wait() else { return }
    queue.away {
      response.body.opened(by: randomness.stub)
    } then: { [self] body in
      deliver(response, randomness, body: body)
    }
  }

  private func deliver(
    _ response: StubResponse, _ randomness: CallRandomness, body opened: Result<ResponseBody, StubResponseError>
  ) {
    let whole: ResponseBody
    switch opened {
    case .success(let open): whole = open
    case .failure(let error): return fail(with: error)
    }
    guard phase.isOpen, let client else { return }
    let (response, body) = response.selected(
      for: client.incoming(hop, confidence: handOver.confidence).seen.request, of: whole)
    var sent = response.transmission(
      for: hop.request.httpMethod, of: body, conditions: registry.network, randomness: randomness)
    let head = sent.plan.ending == .failure ? nil : response.head(for: hop.request, bodyLength: body.count)
    let pump: StreamPump?
    if let stream = sent.stream {
      guard let iteration = stream.claim() else { return fail(with: StreamAlreadyUsedError(stub: randomness.stub)) }
      let collection = BodyCollection(client.collected)
      sent.body = .collected(collection)
      // Weakly, because the load holds the delivery that holds this.
      pump = StreamPump(iteration, collection: collection) { [weak self] work in self?.taskForClosures().run(work) }
    } else {
      pump = nil
    }
    redirectTarget = response.options?.redirectTarget
    let status = response.status
    let (isEncoded, setCookies) = (response.isEncoded, response.headers.values(of: "Set-Cookie"))
    let recorded = RecordedRequest.Response(
      response, length: body.count, content: sent.body.data, contentLength: sent.body.count,
      isDropped: response.dropsBody(for: hop.request.httpMethod))
    if recorded.droppedBodyLength > 0 {
      Trace.log("dropped the body of the response, which can have none, to", hop.request, by: randomness.stub)
    }
    let failure = sent.failure?.naming(client.loader.request)
    client.mayFailLater = !sent.comesAtOnce
    sent.plan.requestLength = sentLength(sent)
    sent.plan.limits = sent.takesTime ? limits : nil
    sent.plan.joinsPieces = !client.noticesPieces
    play(
      Delivery(
        plan: sent.plan, response: head, body: sent.body, failure: failure, gate: sent.gate, stream: pump,
        client: client, queue: queue,
        onMilestone: { [self] milestone in
          switch milestone {
          case .head:
            guard let head else { return .proceed }
            client.register(head, isEncoded: isEncoded, setCookies: setCookies, for: hop.request)
            if let entry { registry.journal.respond(entry, with: recorded) }
            return mayLeadOn(head, atEnd: false) ? .wait : .proceed
          case .end(let error):
            if error == nil, let head, mayLeadOn(head, atEnd: true) { return .wait }
            return tellObservers(ofEnd: error)
          }
        }
      ) { [self] error in
        // The response asks for another credential, so the given one was not accepted.
        if error == nil, head.flatMap(CredentialDemand.init) == nil { keepCredential() }
        end(error.map { .failed($0) } ?? .answered(status: status))
      })
    if case .delivering = phase { trackInFlight() }
  }

  /// Returns how much of a body is sent for the response: to a server that is reached, and not again after a
  /// redirect, as in URLSession.
  private func sentLength(_ response: Transmission) -> Int {
    guard let client, hop.redirectCount == 0, response.reachesServer else { return 0 }
    // Over a slow network, sending takes its time even if nobody observes it.
    return response.plan.uplink == nil ? client.reportedRequestLength : client.requestLength
  }
}

extension StubResponse {
  /// Returns the head as URLSession reports it, for a request that has a URL.
  fileprivate func head(for request: URLRequest, bodyLength: Int) -> HTTPURLResponse? {
    guard let url = request.url else { return nil }
    let content = headContent(bodyLength: bodyLength)
    return Platform.makeResponse(url: url, status: content.status, headers: content.fields)
  }
}
