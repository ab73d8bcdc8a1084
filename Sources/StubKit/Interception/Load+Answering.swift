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
    client?.prepare()
    switch registry.answer(hop.request) {
    case .answered(let answer):
      take(answer)
    case .unfinished(let entry, let rest):
      self.entry = entry
      guard wait() else { return }
      closures = handOver.run { [self] in
        let answer = await rest()
        queue.perform { self.take(answer) }
      }
    }
  }

  private func take(_ answer: Answer) {
    entry = answer.entry
    if case .over(let outcome) = phase { return settleEntry(outcome) }
    // The scope may have ended meanwhile, and the failure wait for a suspended task.
    guard phase.isOpen else { return }
    switch answer.kind {
    case .respond(let response, let stub, let head): respond(response, by: stub, keeping: head)
    case .passThrough: passThrough()
    case .fail(let error): fail(with: error)
    }
  }

  private func respond(_ response: StubResponse, by stub: StubReference?, keeping head: ResponseHeadCache?) {
    if let reason = response.problem { return fail(with: StubResponseError(stub: stub, reason: reason)) }
    guard !response.body.isInMemory else {
      return deliver(response, body: response.loadedBody, by: stub, keeping: head)
    }
    guard wait() else { return }
    DispatchQueue.global().async { [self] in
      let body = response.loadedBody
      queue.perform { self.deliver(response, body: body, by: stub) }
    }
  }

  private func deliver(
    _ response: StubResponse, body loadedBody: Result<Data, StubResponseError.Reason>, by stub: StubReference?,
    keeping heads: ResponseHeadCache? = nil
  ) {
    let body: Data
    switch loadedBody {
    case .success(let data): body = data
    case .failure(let reason): return fail(with: StubResponseError(stub: stub, reason: reason))
    }
    guard phase.isOpen, let client else { return }
    let told = response.dropsBody(for: hop.request.httpMethod) ? Data() : body
    let head = response.failure == nil ? response.head(for: hop.request, bodyLength: body.count, keeping: heads) : nil
    let status = response.status
    play(
      Delivery(
        plan: response.plan(bodyLength: told.count), response: head, body: told,
        failure: response.failure(of: hop.request), client: client, queue: queue,
        holds: { [self] step in head.map { mayLeadOn($0, at: step) } ?? false }
      ) { [self] error in
        if error == nil { keepCredential() }
        end(error.map { .failed($0) } ?? .answered(status: status))
      })
    if case .delivering = phase { trackInFlight() }
  }
}

extension StubResponse {
  fileprivate var loadedBody: Result<Data, StubResponseError.Reason> {
    do { return .success(try body.load()) } catch { return .failure(error) }
  }

  /// What it fails with, at once or after a part of its body; the system's own errors name the URL.
  fileprivate func failure(of request: URLRequest) -> (any Error)? {
    let error = failure ?? interruption?.error
    return (error as? URLError)?.naming(request) ?? error
  }

  /// - Parameter bodyLength: Of the body as it is told, which may have been dropped.
  fileprivate func plan(bodyLength: Int) -> DeliveryPlan {
    let ending: DeliveryPlan.Ending =
      failure != nil ? .failure : interruption.map { .interruption(afterBytes: $0.byteCount) } ?? .finish
    return DeliveryPlan(
      bodyLength: bodyLength, delay: delay, pace: pace, pieceLength: pieceLength, ending: ending)
  }
}
