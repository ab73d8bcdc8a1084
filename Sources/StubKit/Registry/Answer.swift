import Foundation

/// The answer of a registry to a request, and those who learn what becomes of it.
///
/// A registry rarely knows an answer at once. Take a condition on the body, and a response that is a closure:
///
/// ```swift
/// stub(.post, "/login", where: hasJSON(at: "user", equals: "ann")) { _ in await token() }
/// ```
///
/// 1. The search needs the body, which nobody has read. The answer is *undecided*, and so is the request's entry.
/// 2. The rest of the answer runs away from URLSession's queue. It reads the body and searches again. The stub is
///    found, one of its uses is claimed, and the *entry* is decided. The answer isn't: the closure has yet to run.
/// 3. The rest goes on with the closure. Its response is the answer, which is decided now.
///
/// So `.undecided` means that the user's code or a body comes first, and `RequestsInFlight.isDecided` that a stub is
/// chosen, or none. The first test to read is "in a stream is read once, beside each kind of answer" in
/// `IncomingBodiesTests.swift`.
struct Answer {
  indirect enum Kind {
    /// `stub` is `nil` for the answer of a policy.
    case respond(StubResponse, stub: StubReference?)
    /// `stub` is `nil` if the policy lets the request through.
    case passThrough(by: StubReference? = nil)
    case fail(any Error)
    /// If there are many stubs, creating the error takes long. Don't do it on a queue of URLSession.
    case unmatched(@Sendable () -> UnmatchedRequestError)
    /// The rest runs the user's closures, neither under a lock nor on a queue of URLSession. It is decided.
    case undecided(rest: @Sendable () async -> Answer)

    /// Returns the kind of answer that a response is.
    static func of(_ response: StubResponse, by stub: StubReference?) -> Kind {
      // The test has no call by which it could answer.
      if response.isControlled { return .fail(StubResponseError(stub: stub, reason: .controlledWithoutStub)) }
      return response.isPassedThrough && response.problem == nil
        ? .passThrough(by: stub) : .respond(response, stub: stub)
    }
  }
  let kind: Kind
  /// The request in the journal.
  let entry: JournalEntry
  /// The request, with its body if that was read on the way to the answer.
  let incoming: IncomingRequest
  /// The observation of the request, or `nil` if nobody observes it.
  var observation: StubObservation?
  /// The number of the call of its stub, from 1, or for the answer of a policy that of the request in its registry.
  var callNumber = 1
  /// Returns the answer when it is decided.
  func decided() async -> Answer { if case .undecided(let rest) = kind { await rest() } else { self } }
}

extension StubRegistry {
  /// Finds the stub for a request and claims a use of it. The newest stub comes first. A closure of a condition runs
  /// each time that a condition with it is tested, and again if a scenario that the search has seen moves meanwhile.
  ///
  /// - Parameters:
  ///   - confidence: How StubKit knows that the request belongs here.
  ///   - begun: The entry of the request, if it began when the request was made. A request that has arrived once has
  ///     another entry the next time.
  ///   - isLeft: Whether the client has left, so that only a request without a stub is told.
  func answer(
    _ incoming: IncomingRequest, _ snapshot: Snapshot = Snapshot(), _ confidence: AttributionConfidence = .certain,
    _ begun: JournalEntry? = nil, isLeft: Bool = false
  ) -> Answer {
    let entry: JournalEntry
    if let begun, begun.arrive(incoming) {
      entry = begun
    } else {
      entry = journal.begin(incoming.original, confidence, snapshot)
      _ = entry.arrive(incoming)
    }
    if let testReport = snapshot.testReport, let everyRequest = testReport.everyRequest {
      // A request that names no scope may come from another test.
      let isOwn = confidence == .certain || confidence == .session || testReport.runsAlone
      if isOwn { everyRequest.judge(incoming, entry, in: self) }
    }
    let lookup = Lookup(registry: self, incoming: incoming, snapshot: snapshot, entry: entry, isLeft: isLeft)
    let answer = lookup.search(isInTask: false)
    guard snapshot.isObserved, !isLeft else { return answer }
    // Those who observe the request learn of it before anything else happens.
    return Answer(
      kind: .undecided {
        let answer = await answer.decided()
        entry.waits(for: .callback)
        answer.observation?.willBegin()
        entry.waits(for: nil)
        return answer
      }, entry: entry, incoming: incoming, observation: answer.observation)
  }
}

/// The search for the stub of one request.
private struct Lookup {
  let registry: StubRegistry
  var incoming: IncomingRequest
  let snapshot: StubRegistry.Snapshot
  let entry: JournalEntry
  /// Whether the client has left before the search.
  let isLeft: Bool

  func search(isInTask: Bool) -> Answer {
    // No server would receive such a request, so it takes no use of a stub.
    if let problem = incoming.problem { return fail(with: problem, isSent: false) }
    var search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
    while true {
      let next = search.next(in: registry)
      // Nothing is chosen for a client that has left. That no stub matches is told all the same.
      let isUnmatched = if case .none = next { failsWithoutStub } else { false }
      if !isUnmatched, isLeft || isInTask && entry.isOver { return left() }
      switch next {
      case .found(let stub, let captures):
        switch stub.claim(for: incoming, seen: search.facts.scenarios) {
        case .call(let number):
          let captures = captures ?? Captures(of: stub.condition, for: incoming.original)
          return answer(by: stub, RequestMatch(callNumber: number, captures: captures))
        // Another request took the last use, so the next older stub follows.
        case .usedUp: continue
        case .stale: search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
        }
      case .needsTask:
        return undecided(for: .condition) { await $0.search(isInTask: true).decided() }
      case .none:
        if search.facts.scenarios.areCurrent { return answerWithoutStub(after: search) }
        search = StubSearch(RequestFacts(incoming), isInTask: isInTask)
      }
    }
  }

  private func left() -> Answer {
    entry.endSearch()
    return Answer(kind: .fail(URLError(.cancelled)), entry: entry, incoming: incoming)
  }

  private var failsWithoutStub: Bool {
    if case .followsPolicy(.fail) = registry.departure(ofUnmatched: incoming, entry.confidence) { true } else { false }
  }

  private func answer(by stub: Stub, _ match: RequestMatch) -> Answer {
    let response: StubResponse
    switch stub.responder {
    case .value(let value): response = value
    case .sequence(let responses, _): response = responses[stub.responder.index(ofCall: match.callNumber)]
    case .closure(let closure):
      entry.decide("matched", by: stub, match)
      return undecided(for: .response) { lookup in
        do {
          let request = lookup.incoming.asSent
          let made = try await lookup.snapshot.timeline.answer(by: stub.reference) { try await closure(request, match) }
          if made.isControlled { lookup.expectCall() }
          let response = await lookup.controlled(made, match)
          response.applyMoves(for: request)
          return lookup.answer(with: response, of: stub, match)
        } catch {
          return lookup.answer(.fail(error), of: stub, .failure(error))
        }
      }
    }
    entry.decide(
      "matched", by: stub, match, countsLater: response.isControlled,
      then: response.mayRedirect ? .redirect : nil)
    if response.isControlled {
      expectCall()
    } else if !sendsStream(for: response) {
      return answer(with: response, of: stub, match)
    }
    return undecided(for: nil, reads: response.reachesServer) { lookup in
      lookup.answer(with: await lookup.controlled(response, match), of: stub, match)
    }
  }

  /// Returns whether the request has a stream that has to be read, or asked for, before the response, as for a server.
  private func sendsStream(for response: StubResponse) -> Bool {
    incoming.isUnread && incoming.file == nil && !response.isPassedThrough && !registry.isOffline
  }

  private func answer(with response: StubResponse, of stub: Stub, _ match: RequestMatch) -> Answer {
    if response.isPassedThrough, case .offline = registry.departureByStub { return offline(of: stub) }
    if response.isPassedThrough, NetworkAccess.blocks(incoming.original) {
      let reason = "The stub \(stub.reference) passes it through"
      return answer(.fail(NetworkOffError(incoming.original, because: reason)), of: stub, response)
    }
    var answer = answer(.of(response, by: stub.reference), of: stub, response)
    answer.callNumber = match.callNumber
    return answer
  }

  /// Returns a response as it is, or what the test sends in its place.
  private func controlled(_ response: StubResponse, _ match: RequestMatch) async -> StubResponse {
    guard response.isControlled else { return response }
    let call = StubCall(incoming.asSent, match)
    entry.begin(call)
    entry.waits(for: .call)
    return await call.response(response)
  }

  /// Notes that the request waits for the test. If the test is over, it can't learn of that at its end.
  private func expectCall() {
    entry.waitsForTest()
    guard snapshot.testReport?.isOpen == false, let sentence = entry.untakenSentence else { return }
    RequestWarnings.add(.late, sentence)
  }

  private func answerWithoutStub(after search: borrowing StubSearch) -> Answer {
    if let response = Elsewhere.response(to: incoming.original) {
      entry.decide("answered in place of another host", then: response.mayRedirect ? .redirect : nil)
      return answer(.respond(response, stub: nil))
    }
    switch registry.departure(ofUnmatched: incoming, entry.confidence) {
    case .departs:
      return passThrough()
    case .offline:
      entry.decide("offline")
      return offline()
    case .followsPolicy(.passThrough(let condition)):
      var facts = RequestFacts(incoming)
      if !search.isInTask, condition.needsTask(&facts) {
        return undecided(for: .policy) { $0.passThrough(if: condition, unmatchedBy: RequestFacts($0.incoming)) }
      }
      return passThrough(if: condition, unmatchedBy: search.facts)
    case .followsPolicy(.respond(let closure)):
      entry.decide("answered by the policy")
      return undecided(for: .policy) { lookup in
        let request = lookup.incoming.asSent
        let response = closure(request)
        response.applyMoves(for: request)
        var answer = lookup.answer(.of(response, by: nil))
        answer.callNumber = lookup.entry.number
        return answer
      }
    case .followsPolicy(.fail), .stays, .hangsOnStubs, .late, .unclear:
      return unmatched(search.facts)
    }
  }

  /// - Parameter facts: What the search has learned of the request.
  private func passThrough(if condition: RequestMatcher, unmatchedBy facts: RequestFacts) -> Answer {
    var own = RequestFacts(incoming)
    return condition.isMet(by: &own) ? passThrough() : unmatched(facts)
  }

  private func passThrough() -> Answer {
    entry.decide("passed through")
    return answer(.passThrough())
  }

  private func unmatched(_ facts: RequestFacts) -> Answer {
    let report = { @Sendable in
      let error = UnmatchedRequestError(facts, entry.confidence, snapshot.endedCreator, in: registry)
      error.report(to: snapshot.testReport, entry.confidence, of: entry.request.startedAt)
      entry.endReport()
      return error
    }
    entry.decide("unmatched", then: .report)
    return answer(.unmatched(report))
  }

  /// Without a network, there is no server, whether a stub matches or not.
  private func offline(of stub: Stub? = nil) -> Answer {
    let response = StubResponse.failure(.notConnectedToInternet)
    return answer(.respond(response, stub: stub?.reference), of: stub, response)
  }

  /// - Parameter isSent: Whether the body breaks off only after a server has received its beginning.
  private func fail(with problem: any Error, isSent: Bool) -> Answer {
    // A stub that has been chosen stays: only its closure needed the body.
    if entry.request.stage != .decided { entry.decide("failed", isSent: isSent) }
    return Answer(kind: .fail(problem), entry: entry, incoming: incoming)
  }

  /// - Parameter stub: The stub, or `nil` for an unmatched request.
  private func answer(_ kind: Answer.Kind, of stub: Stub? = nil, _ response: StubResponse? = nil) -> Answer {
    guard snapshot.isObserved else { return Answer(kind: kind, entry: entry, incoming: incoming) }
    let answer = stub.flatMap { stub in response.map { (stub, $0) } }
    let subject = StubObservation.Subject(incoming.asSent, answer, in: registry, entry)
    return Answer(kind: kind, entry: entry, incoming: incoming, observation: StubObservation(subject))
  }

  /// Continues where the user's closures can run without delaying anything, with the body, which is read unless that
  /// has happened.
  ///
  /// - Parameters:
  ///   - awaited: The user's closure that the rest waits for, or `nil` if none runs.
  ///   - reads: Whether the body is read. If not, a delegate is only asked for its stream.
  private func undecided(
    for awaited: Awaited?, reads: Bool = true, _ rest: @escaping @Sendable (Lookup) async -> Answer
  ) -> Answer {
    let isUnread = incoming.isUnread
    if reads, isUnread { entry.waitsForBody(on: incoming.delegateQueue) }
    let kind = Answer.Kind.undecided {
      var lookup = self
      if isUnread { entry.waits(for: .body) }
      do {
        if reads { lookup.incoming = try await incoming.read() } else { try await incoming.askForStream() }
      } catch {
        return fail(with: error, isSent: true)
      }
      if lookup.incoming.isRead(since: incoming) {
        entry.complete(lookup.incoming.asSent)
        entry.endBody()
      }
      entry.waits(for: awaited)
      defer { entry.waits(for: nil) }
      return await rest(lookup)
    }
    return Answer(kind: kind, entry: entry, incoming: incoming)
  }
}
