import Foundation

/// Passing a task's request through to the network.
extension TaskClient {
  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?) {
    let context = exchange.context
    // A credential for a stub's challenge must not leave the process.
    guard hop.credential?.isOfNetwork ?? true else {
      if let stub { return exchange.fail(with: StubResponseError(stub: stub, reason: .passedThroughWithCredential)) }
      return exchange.fail(withReport: { [request = hop.request] in
        let error = UnmatchedRequestError(RequestFacts(request), in: context.registry)
        error.deliver(context.confidence, to: context.snapshot.misses)
        return error
      })
    }
    let recorder = context.registry.tap?.begin(incoming(hop, context.confidence).asSent)
    // The system's loader can't take another request in place of the task's own, nor a body that was read, and doesn't
    // say what it receives.
    if hop.isFirst, hop.body == nil, recorder == nil, passNatively(exchange) { return }
    fetch(hop, of: exchange, recorder)
  }

  private func fetch(_ hop: Hop, of exchange: Exchange, _ recorder: (any NetworkRecorder)?) {
    let unsupported: (any Error)? = Platform.loads(hop.request) ? nil : URLError.unsupported(hop.request)
    if let problem = unsupported ?? (recorder == nil ? nil : Platform.problemOfRecordings) {
      recorder?.cancel()
      exchange.fail(with: problem)
    } else {
      exchange.wait(for: NetworkFetch(self, hop, of: exchange, recorder))
    }
  }
}

extension Exchange {
  /// Delivers the response of a fetch as it arrives.
  ///
  /// - Parameters:
  ///   - head: The head, or `nil` if there is none to show.
  ///   - target: Where it redirects, as URLSession understands it, or `nil` to follow its `Location`.
  func deliver(_ fetch: NetworkFetch, _ head: HTTPURLResponse?, to target: URL?) {
    guard case .passedThrough(let load) = state, load === fetch else { return }
    let client = fetch.client
    play(
      Delivery(
        ResponseSchedule(plan: DeliveryPlan(body: .stream)), response: head, stream: fetch, client: client,
        queue: queue,
        onMilestone: { [self] milestone in
          switch milestone {
          case .head:
            if let head {
              // The fetch's session has stored the cookies.
              client.headIsDue(
                ExpectedHead(
                  head: head, isEncoded: head.value(forHTTPHeaderField: "Content-Encoding") != nil, setCookies: [],
                  request: hop.request, comesAtOnce: false))
            }
            return follows(head, to: target, atEnd: false) ? .wait : .proceed
          case .end(let error):
            return error == nil && follows(head, to: target, atEnd: true) ? .wait : .proceed
          }
        }
      ) { [self] error in
        fetch.showCounts()
        if error == nil, let head { client.accept(head, of: hop) }
        end(.passedThrough)
      })
  }
}
