import Foundation

/// What the search for the stub of a request has found.
enum Found {
  /// A stub, of which a use is claimed.
  case stub(StubUse, RequestMatch)
  /// No stub, and the closure of the registry's policy answers.
  case policy(@Sendable (URLRequest) async throws -> StubResponse)
  /// No stub, and the response of the host that a ``NetworkFault`` redirects to.
  case elsewhere(StubResponse)
  /// No stub, and the request goes to the network.
  case network
  /// There is no network. The stub that matches, if there is one, isn't used, and moves nothing.
  case offline((use: StubUse, match: RequestMatch)?)
  /// Nothing. The report about that needs what the search has learned.
  case none(RequestFacts)
  /// The request can't be sent, so no stub is asked.
  case problem(any Error)
  /// The search goes on in a task for the user's closures, with the body. It begins again there.
  case needsTask(Awaited)
  /// The client has left, and nothing is chosen for it.
  case left
}

extension StubRegistry {
  /// Finds the stub for a request and claims a use of it. The newest stub comes first. A closure of a condition runs
  /// each time that a condition with it is tested, and again if a scenario that the search has seen moves meanwhile, or
  /// if nothing matches and stubs took the place of others meanwhile.
  ///
  /// The search tells nobody what it finds.
  ///
  /// - Parameters:
  ///   - confidence: How StubKit knows that the request belongs here.
  ///   - isInTask: Whether the caller is a task for the user's closures, which has read the body.
  ///   - hasLeft: Returns whether the client has left. It is asked after each condition. That no stub matches is found
  ///     all the same.
  func search(
    for incoming: IncomingRequest, _ confidence: AttributionConfidence = .certain, isInTask: Bool = false,
    unless hasLeft: () -> Bool = { false }
  ) -> Found {
    // No server would receive such a request, so it takes no use of a stub.
    if let problem = incoming.problem { return .problem(problem) }
    var search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
    var isSecond = false
    while true {
      let next = search.next(in: self)
      if hasLeft(), !next.isNone || !failsUnmatched(incoming, confidence) { return .left }
      switch next {
      case .found(let stub, let captures):
        // Since the look, closures can have taken their time, which run in a task only.
        if isInTask ? isOffline : search.isOffline, let use = stub.useWithoutNetwork() {
          let captures = captures ?? Captures(of: stub.condition, for: incoming.original)
          return .offline((use, RequestMatch(callNumber: use.callNumber, captures: captures)))
        }
        switch stub.claim(for: incoming, seen: search.facts.scenarios) {
        case .use(let use):
          let captures = captures ?? Captures(of: stub.condition, for: incoming.original)
          return .stub(use, RequestMatch(callNumber: use.callNumber, captures: captures))
        // Another request took the last use, so the next older stub follows.
        case .usedUp: continue
        case .stale: search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
        }
      case .needsTask:
        return .needsTask(.condition)
      case .none:
        // A closure that changes stubs must not keep the search going for ever.
        if search.facts.scenarios.areCurrent, isSecond || search.isCertain(in: self) {
          return foundWithoutStub(after: search, incoming, confidence)
        }
        isSecond = true
        search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
      }
    }
  }

  private func failsUnmatched(_ incoming: IncomingRequest, _ confidence: AttributionConfidence) -> Bool {
    if case .followsPolicy(.fail) = departure(ofUnmatched: incoming, confidence) { true } else { false }
  }

  private func foundWithoutStub(
    after search: borrowing StubSearch, _ incoming: IncomingRequest, _ confidence: AttributionConfidence
  ) -> Found {
    if let response = Elsewhere.response(to: incoming.original) { return .elsewhere(response) }
    var departure = departure(ofUnmatched: incoming, confidence)
    while case .followsPolicy(.recording(let condition, let own, let others)) = departure {
      var facts = RequestFacts(incoming)
      if !search.isInTask, condition.needsTask(&facts) { return .needsTask(.recording) }
      let policy = condition.isMet(by: &facts) ? own : others
      departure = self.departure(ofUnmatched: incoming, confidence, by: policy)
    }
    switch departure {
    case .departs: return .network
    case .offline: return .offline(nil)
    case .followsPolicy(.passThrough(let condition)):
      var facts = RequestFacts(incoming)
      if !search.isInTask, condition.needsTask(&facts) { return .needsTask(.policy) }
      return condition.isMet(by: &facts) ? .network : .none(search.facts)
    case .followsPolicy(.respond(let closure)): return .policy(closure)
    case .followsPolicy(.fail), .followsPolicy(.recording), .stays, .hangsOnStubs, .late, .unclear:
      return .none(search.facts)
    }
  }
}

extension StubSearch.Result {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
