import Foundation

/// The answer of a registry to a request, and the journal entry for its outcome.
struct Answer: Sendable {
  enum Kind: Sendable {
    /// `stub` is `nil` for the answer of a policy.
    case respond(StubResponse, stub: StubReference?)
    /// `stub` is `nil` if the policy lets the request through.
    case passThrough(by: StubReference? = nil)
    case fail(any Error)
    /// If there are many stubs, creating the error takes long. Don't do it on a queue of URLSession.
    case unmatched(@Sendable () -> UnmatchedRequestError)

    /// Returns the kind of answer that a response is.
    static func of(_ response: StubResponse, by stub: StubReference?) -> Kind {
      response.isPassedThrough && response.problem == nil
        ? .passThrough(by: stub) : .respond(response, stub: stub)
    }
  }
  let kind: Kind
  let entry: RequestJournal.EntryID
  /// The number of the call of its stub or its policy, from 1.
  var call = 1
  /// The number of bytes of the request's body that were read, or `nil` if nobody had to read them.
  var readByteCount: Int?
  /// The observation of the request, or `nil`, which is usual, if nobody observes it.
  var observation: StubObservation?
}

/// How far an answer gets without running the user's code.
enum PartialAnswer: Sendable {
  case answered(Answer)
  /// The rest runs the user's closures, neither under a lock nor on a queue of URLSession. The entry exists already
  /// if the stub is known.
  case unfinished(entry: RequestJournal.EntryID?, rest: @Sendable () async -> Answer)
}

extension StubRegistry {
  /// Finds the stub for a request and claims a use of it. Each condition is checked once, newest stub first.
  ///
  /// - Parameters:
  ///   - observers: The observers to tell before the request is answered, or `nil`. They are told elsewhere.
  ///   - misses: Receives the request, before it fails, if no stub matches it. `nil` if misses are not reported.
  ///   - timeline: The timeline of the request, which knows the closure that answers, or `nil`.
  ///   - origin: What is known of the task that made the request.
  func answer(
    _ incoming: IncomingRequest, observers: StubObservers? = nil, misses: MissCollection? = nil,
    on timeline: (any Timeline)? = nil, from origin: RecordingOrigin = .unknown
  ) -> PartialAnswer {
    let lookup = Lookup(
      registry: self, incoming: incoming, observers: observers, misses: misses, timeline: timeline,
      origin: origin)
    let partial = lookup.answer()
    return observers == nil ? partial : partial.tellingObservers
  }
}

/// The search for the stub of one request.
private struct Lookup: Sendable {
  let registry: StubRegistry
  let incoming: IncomingRequest
  let observers: StubObservers?
  let misses: MissCollection?
  let timeline: (any Timeline)?
  let origin: RecordingOrigin

  func answer() -> PartialAnswer {
    // No server would receive such a request, so it takes no use of a stub.
    if let problem = incoming.problem { return .answered(failure(problem)) }
    return answer(from: StubSearch(registry, incoming), closures: .defer)
  }

  func answer(from search: StubSearch, closures: ClosurePolicy) -> PartialAnswer {
    var search = search
    while true {
      switch search.next(closures: closures) {
      case .found(let stub, let captures):
        switch search.claim(stub) {
        case .call(let number): return answer(by: stub, RequestMatch(callNumber: number, captures: captures))
        // Another request took the last use, so the next older stub follows.
        case .usedUp: continue
        case .stale: search.beginAgain()
        }
      case .undecided:
        return .unfinished(entry: nil) { [search] in
          await proceed { lookup in
            var search = search
            search.proceed(with: lookup.incoming)
            return await lookup.answer(from: search, closures: .run).finished
          }
        }
      case .none:
        if search.isCurrent { return answerWithoutStub(after: search, closures: closures) }
        search.beginAgain()
      }
    }
  }

  private func answer(by stub: Stub, _ match: RequestMatch) -> PartialAnswer {
    let reference = stub.reference
    let calls = stub.calls
    let entry = begin("matched", by: reference, match, calls)
    switch stub.responder {
    case .value(let response):
      return answer(with: response, of: stub, match, entry)
    case .sequence(let responses, let end):
      return answer(with: responses[end.index(ofCall: match.callNumber, in: responses.count)], of: stub, match, entry)
    case .closure(let closure):
      return .unfinished(entry: entry) {
        await proceed(from: entry) { lookup in
          do {
            let request = lookup.incoming.seen.request
            let made = try await lookup.call(reference) { try await closure(request, match) }
            let response = await lookup.controlled(made, of: stub, match, entry)
            response.moveScenarios(for: request)
            return Answer(
              kind: .of(response, by: reference), entry: entry, call: match.callNumber,
              observation: lookup.observation(entry, of: stub, response))
          } catch {
            return Answer(
              kind: .fail(error), entry: entry, observation: lookup.observation(entry, of: stub, .failure(error)))
          }
        }
      }
    }
  }

  /// Answers with a response that is known in advance.
  private func answer(
    with response: StubResponse, of stub: Stub, _ match: RequestMatch, _ entry: RequestJournal.EntryID
  ) -> PartialAnswer {
    @Sendable func answer(_ lookup: Lookup, _ response: StubResponse) -> Answer {
      Answer(
        kind: .of(response, by: stub.reference), entry: entry, call: match.callNumber,
        observation: lookup.observation(entry, of: stub, response))
    }
    guard response.isControlled else { return .answered(answer(self, response)) }
    return .unfinished(entry: entry) {
      await proceed(from: entry) { lookup in
        answer(lookup, await lookup.controlled(response, of: stub, match, entry))
      }
    }
  }

  /// Returns a response as it is, or what the test sends in its place.
  private func controlled(
    _ response: StubResponse, of stub: Stub, _ match: RequestMatch, _ entry: RequestJournal.EntryID
  ) async -> StubResponse {
    guard response.isControlled else { return response }
    let call = StubCall(incoming.seen.request, match)
    stub.calls.controlled.begin(call, entry: entry.number)
    return await call.response(response)
  }

  private func call(
    _ stub: StubReference, _ closure: () async throws -> StubResponse
  ) async throws -> StubResponse {
    guard let timeline else { return try await closure() }
    return try await timeline.answer(by: stub, closure)
  }

  private func answerWithoutStub(after search: StubSearch, closures: ClosurePolicy) -> PartialAnswer {
    if closures == .run && leaves { return .answered(passThrough()) }
    switch registry.unmatched(for: origin).kind {
    case .fail:
      return .answered(unmatched(after: search))
    case .passThrough(let condition):
      var facts = RequestFacts(incoming)
      var captures = Captures()
      switch condition.evaluate(&facts, closures: closures, captures: &captures) {
      case .matches: return .answered(passThrough())
      case .fails: return .answered(unmatched(after: search))
      case .undecided:
        return .unfinished(entry: nil) {
          await proceed { $0.incoming.meets(condition) ? $0.passThrough() : $0.unmatched(after: search) }
        }
      }
    case .respond(let closure):
      let entry = begin("answered by the policy")
      return .unfinished(entry: entry) {
        await proceed(from: entry) { lookup in
          let request = lookup.incoming.seen.request
          let response = closure(request)
          response.moveScenarios(for: request)
          return Answer(
            kind: .of(response, by: nil), entry: entry,
            call: lookup.registry.countPolicyCall(), observation: lookup.observation(entry))
        }
      }
    }
  }

  /// A Boolean value that indicates whether an unattributed request goes to a server on this machine, because no
  /// closure of the only open scope takes it.
  private var leaves: Bool {
    guard incoming.confidence == .onlyScope, incoming.bare.isLoopback else { return false }
    var facts = RequestFacts(incoming)
    return registry.newestStub(forHeadOf: &facts) == nil
  }

  private func unmatched(after search: StubSearch) -> Answer {
    let entry = begin("unmatched")
    return Answer(
      kind: .unmatched { [search] in
        var search = search
        search.proceed(with: incoming)
        let error = UnmatchedRequestError(search.facts, in: registry, remedy: registry.recordingRemedy(for: origin))
        // A request that names no scope can be left over from a test that has ended.
        misses?.add(error, isCertain: incoming.confidence != .onlyScope)
        return error
      }, entry: entry, observation: observation(entry))
  }

  private func passThrough() -> Answer {
    let entry = begin("passed through")
    return Answer(kind: .passThrough(), entry: entry, observation: observation(entry))
  }

  private func failure(_ error: any Error) -> Answer { Answer(kind: .fail(error), entry: begin("failed")) }

  private func begin(
    _ decision: StaticString, by stub: StubReference? = nil, _ match: RequestMatch? = nil, _ calls: StubCalls? = nil
  ) -> RequestJournal.EntryID {
    Trace.log(decision, incoming.bare, by: stub)
    let seen = incoming.seen
    return registry.journal.begin(
      seen.request, body: seen.body, stub: stub, match, calls: calls, isInferred: incoming.confidence.isInferred)
  }

  /// - Parameter stub: The stub, or `nil` for an unmatched request.
  private func observation(
    _ entry: RequestJournal.EntryID, of stub: Stub? = nil, _ response: StubResponse? = nil
  ) -> StubObservation? {
    observers.map {
      StubObservation(
        $0, request: incoming.seen.request, stub: stub, response: response, journal: registry.journal, entry: entry)
    }
  }

  /// Continues where the user's closures can run without delaying anything, with the body, which is read if nobody
  /// has read it yet.
  ///
  /// - Parameter entry: The journal entry of the request, if it has one already.
  private func proceed(
    from entry: RequestJournal.EntryID? = nil, _ rest: (Lookup) async -> Answer
  ) async -> Answer {
    let lookup: Lookup
    do {
      let read = try await incoming.read()
      lookup = Lookup(
        registry: registry, incoming: read, observers: observers, misses: misses, timeline: timeline,
        origin: origin)
    } catch {
      return entry.map { Answer(kind: .fail(error), entry: $0) } ?? failure(error)
    }
    let isRead = lookup.incoming.isRead(since: incoming)
    if isRead, let entry {
      let seen = lookup.incoming.seen
      registry.journal.complete(entry, seen.request, body: seen.body)
    }
    var answer = await rest(lookup)
    if isRead { answer.readByteCount = lookup.incoming.seen.body?.count ?? 0 }
    guard isRead, case .passThrough = answer.kind, await !lookup.incoming.giveBack() else { return answer }
    return Answer(kind: .fail(BodyAlreadyReadError(request: incoming.bare)), entry: answer.entry)
  }
}

extension IncomingRequest {
  fileprivate func meets(_ condition: RequestMatcher) -> Bool {
    var facts = RequestFacts(self)
    var captures = Captures()
    return condition.evaluate(&facts, closures: .run, captures: &captures) == .matches
  }
}

extension PartialAnswer {
  /// Returns this answer, which tells the registry's observers first.
  fileprivate var tellingObservers: PartialAnswer {
    switch self {
    case .answered(let answer):
      guard let observation = answer.observation else { return self }
      return .unfinished(entry: answer.entry) {
        observation.begin()
        return answer
      }
    case .unfinished(let entry, let rest):
      return .unfinished(entry: entry) {
        let answer = await rest()
        answer.observation?.begin()
        return answer
      }
    }
  }

  fileprivate var finished: Answer {
    get async {
      switch self {
      case .answered(let answer): answer
      case .unfinished(_, let rest): await rest()
      }
    }
  }
}
