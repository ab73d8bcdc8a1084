import Foundation

/// From a request to the delivery of its response.
extension Exchange {
  func ask() {
    guard let client else { return }
    if case .failure(let error)? = context.obstacle { return fail(with: error) }
    if let problem = client.prepare(for: hop) { return fail(with: problem) }
    if let unattributed { return resolve(unattributed) }
    receive(registry.answer(client.incoming(hop, context.confidence), context.acceptance))
  }

  /// Settles which registry an unattributed request belongs to, before the registry is asked.
  private func resolve(_ unattributed: UnattributedReason) {
    guard wait() else { return }
    queue.away { [registry, request = hop.request] in
      unattributed.outcome(of: request, in: registry)
    } then: { [self] outcome in
      guard state.isUndecided else { return }
      self.unattributed = nil
      switch outcome {
      case .registry:
        state.stopWork()
        askAgain()
      case .network:
        Trace.log("passed through", hop.request)
        context.callbackScope?.release()
        passThrough()
      case .failure(let error):
        Trace.log("unattributed", hop.request)
        fail(with: error)
      }
    }
  }

  private func receive(_ answer: Answer) {
    listeners = answer.listeners
    if case .over(let outcome) = state { return endListeners(outcome) }
    // The scope can have ended meanwhile, and the failure can wait for a client that is paused.
    guard state.isUndecided, let client else { return }
    if case .undecided(let rest) = answer.kind {
      guard wait() else { return }
      return run(rest) { [self] in receive($0) }
    }
    guard answer.readByteCount == nil, let file = client.uploadedFile(of: hop) else { return proceed(with: answer) }
    // The listeners learn of an upload's body before anything happens to the request.
    let flag = CancellationFlag()
    guard wait(reading: flag) else { return }
    queue.away { [listeners] in
      for listener in listeners { listener.sends(bodyIn: file, unless: flag) }
    } then: { [self] in
      if state.isUndecided { proceed(with: answer) }
    }
  }

  private func proceed(with answer: Answer) {
    if let byteCount = answer.readByteCount { client?.didRead(byteCount) }
    switch answer.kind {
    case .respond(let response, let stub): respond(response, CallRandomness(stub: stub, call: answer.call))
    case .passThrough(let stub): passThrough(by: stub)
    case .fail(let error): fail(with: error)
    case .unmatched(let report): fail(withReport: report)
    case .undecided: preconditionFailure("An answer that is undecided has been decided.")
    }
  }

  /// Continues away from the queue, because a long report would delay the requests of other clients.
  func fail(withReport report: @escaping @Sendable () -> UnmatchedRequestError) {
    guard wait() else { return }
    queue.away(report) { [self] error in
      if state.isUndecided { fail(with: error) }
    }
  }

  /// - Parameter stub: The stub that passes the request through, or `nil` for a policy.
  private func passThrough(by stub: StubReference? = nil) { client?.passThrough(hop, of: self, by: stub) }

  private func respond(_ response: StubResponse, _ randomness: CallRandomness) {
    let stub = randomness.stub
    if let reason = response.problem { return fail(with: StubResponseError(stub: stub, reason: reason)) }
    guard response.body.isClosed else { return deliver(response, randomness, body: response.body.opened(by: stub)) }
    guard wait() else { return }
    queue.away {
      response.body.opened(by: stub)
    } then: { [self] body in
      deliver(response, randomness, body: body)
    }
  }

  private func deliver(
    _ response: StubResponse, _ randomness: CallRandomness, body opened: Result<ResponseBody, StubResponseError>
  ) {
    guard state.isUndecided, let client else { return }
    let whole: ResponseBody
    switch opened {
    case .success(let open): whole = open
    case .failure(let error): return fail(with: error)
    }
    let (response, body) = response.selected(for: client.incoming(hop, context.confidence).seen.request, of: whole)
    var sent = response.transmission(
      for: hop.request.httpMethod, of: body, conditions: registry.network, randomness: randomness)
    var pump: StreamPump?
    if let stream = sent.stream {
      guard let iteration = stream.claim() else { return fail(with: StreamAlreadyUsedError(stub: randomness.stub)) }
      let collection = BodyCollection(client.collected)
      sent.body = .collected(collection)
      // Weakly, because the exchange holds the delivery that holds this.
      pump = StreamPump(iteration, collection: collection) { [weak self] work in self?.taskForClosures().run(work) }
    }
    let head = client.expect(response, bodyLength: body.count, sent, for: hop)
    let isDropped = response.dropsBody(for: hop.request.httpMethod)
    let recorded = RecordedRequest.Response(
      response, length: body.count, content: sent.body.data, contentLength: sent.body.count, isDropped: isDropped)
    if recorded.droppedBodyLength > 0 {
      Trace.log("dropped the body of the response, which can have none, to", hop.request, by: randomness.stub)
    }
    let (status, target) = (response.status, response.options?.redirectTarget)
    sent.plan.requestLength = requestLength(sent)
    sent.plan.limits = sent.takesTime ? limits : nil
    sent.plan.joinsPieces = !client.noticesPieces
    play(
      Delivery(
        plan: sent.plan, response: head, body: sent.body, failure: sent.failure?.naming(client.request),
        gate: sent.gate, stream: pump,
        client: client, queue: queue,
        onMilestone: { [self] milestone in
          switch milestone {
          case .head:
            client.headIsDue()
            for listener in listeners { listener.receives(recorded) }
            return follows(head, to: target, atEnd: false) ? .wait : .proceed
          case .end(let error):
            if error == nil, follows(head, to: target, atEnd: true) { return .wait }
            return tellListeners(ofEnd: error)
          }
        }
      ) { [self] error in
        if error == nil, let head { client.accept(head, of: hop) }
        end(error.map { .failed($0) } ?? .answered(status: status))
      })
    if case .delivering = state { trackInFlight() }
  }

  /// Returns how much of the request's body is sent for the response: to a server that is reached, and not again after
  /// a redirect, as in URLSession.
  private func requestLength(_ sent: Transmission) -> Int {
    guard hop.redirectCount == 0, sent.reachesServer else { return 0 }
    return client?.requestLength(isTimed: sent.plan.uplink != nil) ?? 0
  }

  /// Returns whether the response is held until StubKit knows whether another request follows it.
  private func follows(_ head: HTTPURLResponse?, to target: URL?, atEnd: Bool) -> Bool {
    guard let head, let client, case .delivering(let held) = state,
      let followUp = FollowUp(head, of: hop.request, to: target, atEnd: atEnd, demandsAtEnd: client.showsDemands)
    else { return false }
    // It is answered when the delivery waits.
    queue.perform { [self] in
      guard state.isHolding(held) else { return }
      client.ask(about: followUp, head, of: hop) { [self] decision in
        queue.perform { [self] in if state.isHolding(held) { proceed(with: decision, head.statusCode, held, atEnd) } }
      }
    }
    return true
  }

  private func proceed(with decision: FollowUp.Decision, _ status: Int, _ held: Delivery, _ isAtEnd: Bool) {
    func afterListeners(_ request: URLRequest?, _ proceed: @escaping @Sendable () -> Void) {
      if !tellListeners(ofEnd: nil, redirectedTo: request, of: held, then: proceed) { proceed() }
    }
    switch decision {
    case .answer:
      // At the end, the listeners learn of that end.
      if isAtEnd { afterListeners(nil) { [self] in release(held) } } else { release(held) }
    case .redirected(let next):
      afterListeners(next.request) { [self] in follow(next, from: held, status: status) }
    case .repeated(let next):
      afterListeners(nil) { [self] in follow(next, from: held, status: status) }
    case .left(let request, let leave):
      afterListeners(request) { [self] in
        leadOn(held, status: status)
        leave { [self] in queue.perform { [self] in if state.isHolding(held) { release(held) } } }
      }
    case .failure(let error):
      state.stopWork()
      state = .ready
      fail(with: error)
    }
  }
}
