import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// From a request to the delivery of its answer.
extension Load {
  func ask() {
    guard hop.isFirst || Platform.leavesToUs(hop.request) else {
      return fail(with: URLError(.unsupportedURL, failing: hop.request))
    }
    guard let client else { return }
    if let problem = handOver.problem { return fail(with: problem) }
    client.prepare()
    let observers = handOver.isObserved ? registry.observers : nil
    switch registry.answer(client.incoming(hop, isInferred: handOver.isInferred), observers: observers) {
    case .answered(let answer):
      take(answer)
    case .unfinished(let entry, let rest):
      self.entry = entry
      guard wait() else { return }
      run { [self] in
        let answer = await rest()
        queue.perform { self.take(answer) }
      }
    }
  }

  private func take(_ answer: Answer) {
    entry = answer.entry
    observation = answer.observation
    if case .over(let outcome) = phase {
      settleEntry(outcome)
      return tellObserversLater(outcome)
    }
    // The scope may have ended meanwhile, and the failure wait for a suspended task.
    guard phase.isOpen else { return }
    client?.didRead(answer.readByteCount)
    switch answer.kind {
    case .respond(let response, let stub, let head): respond(response, by: stub, keeping: head)
    case .passThrough: passThrough()
    case .fail(let error): fail(with: error)
    }
  }

  private func respond(_ response: StubResponse, by stub: StubReference?, keeping head: ResponseHeadCache?) {
    if let reason = response.problem { return fail(with: StubResponseError(stub: stub, reason: reason)) }
    guard !response.body.isInMemory else {
      return deliver(response, body: response.opened(by: stub), keeping: head)
    }
    guard wait() else { return }
    queue.away {
      response.opened(by: stub)
    } then: { [self] body in
      deliver(response, body: body)
    }
  }

  private func deliver(
    _ response: StubResponse, body opened: Result<DeliveryBody, StubResponseError>,
    keeping heads: ResponseHeadCache? = nil
  ) {
    let body: DeliveryBody
    switch opened {
    case .success(let open): body = open
    case .failure(let error): return fail(with: error)
    }
    guard phase.isOpen, let client else { return }
    let told = response.dropsBody(for: hop.request.httpMethod) ? .empty : body
    let head = response.failure == nil ? response.head(for: hop.request, bodyLength: body.count, keeping: heads) : nil
    let status = response.status
    let (isEncoded, setCookies) = (response.isEncoded, response.headers.values(of: "Set-Cookie"))
    let sent = RecordedRequest.Response(response, length: body.count, told: told)
    let failure = response.failure(of: client.loader.request)
    client.mayFailLater = !response.comesAtOnce
    play(
      Delivery(
        plan: response.plan(for: told, requestLength: sentLength(response)), response: head, body: told,
        failure: failure, client: client, queue: queue,
        holds: { [self] step in
          if step == .head, let head {
            client.meet(head, isEncoded: isEncoded, setCookies: setCookies, for: hop.request)
            if let entry { registry.journal.respond(entry, with: sent) }
          }
          if let head, mayLeadOn(head, at: step) { return true }
          return tellObservers(at: step, failure)
        }
      ) { [self] error in
        // What the response asks for again it was not given.
        if error == nil, head.flatMap(CredentialDemand.init) == nil { keepCredential() }
        end(error.map { .failed($0) } ?? .answered(status: status))
      })
    if case .delivering = phase { trackInFlight() }
  }
}

extension Load {
  /// How much of a body is sent for the response: to a server that is reached, and not again after a redirect, as natively.
  private func sentLength(_ response: StubResponse) -> Int {
    hop.redirectCount == 0 && response.comesFromServer ? client?.reportedRequestLength ?? 0 : 0
  }
}

extension StubResponse {
  /// Whether all of it is told together, so that nothing can come between its parts.
  fileprivate var comesAtOnce: Bool {
    interruption == nil && body.isInMemory && pieceLength == nil && pace == .atOnce
  }

  /// Whether there was a server that the request was sent to, also if it then failed.
  fileprivate var comesFromServer: Bool {
    guard let failure else { return true }
    return switch (failure as? URLError)?.code {
    case .networkConnectionLost, .timedOut, .badServerResponse, .cannotParseResponse, .zeroByteResource: true
    default: false
    }
  }

  fileprivate func opened(by stub: StubReference?) -> Result<DeliveryBody, StubResponseError> {
    Result { () throws(StubResponseError) in try DeliveryBody.open(body, of: stub) }
  }

  /// What it fails with, at once or after a part of its body. The system's own errors name the task's first URL, as
  /// natively also after a redirect.
  fileprivate func failure(of request: URLRequest) -> (any Error)? {
    let error = failure ?? interruption?.error
    return (error as? URLError)?.naming(request) ?? error
  }

  /// - Parameter told: The body as it is told, which may have been dropped.
  fileprivate func plan(for told: DeliveryBody, requestLength: Int) -> DeliveryPlan {
    let ending: DeliveryPlan.Ending =
      failure != nil ? .failure : interruption.map { .interruption(afterBytes: $0.byteCount) } ?? .finish
    return DeliveryPlan(
      requestLength: requestLength, bodyLength: told.count, delay: delay, pace: pace, pieceLength: pieceLength,
      longestPiece: told.longestPiece, ending: ending)
  }
}
