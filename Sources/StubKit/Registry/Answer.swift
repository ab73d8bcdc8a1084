import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a registry makes of a request, and the journal entry that is to hear what came of it.
struct Answer: Sendable {
  enum Kind: Sendable {
    /// `stub` is nil for the answer of a policy; `head` is where a constant answer keeps the head it makes.
    case respond(StubResponse, stub: StubReference?, head: ResponseHeadCache? = nil)
    case passThrough
    case fail(any Error)
  }
  let kind: Kind
  let entry: RequestJournal.EntryID
}

/// How far the answer has come without running code of the user's.
enum Answering: Sendable {
  case answered(Answer)
  /// The rest runs the user's closures: neither under a lock nor on a queue of URLSession's.
  /// The entry is there already if the stub is known.
  case unfinished(entry: RequestJournal.EntryID?, rest: @Sendable () async -> Answer)
}

extension StubRegistry {
  /// Finds the stub for a request and claims a use of it. Each condition is asked once, newest stub first.
  func answer(_ request: URLRequest) -> Answering {
    Inquiry(registry: self, request: request).answer(from: StubSearch(self, request), closures: .defer)
  }
}

/// One request's question to a registry.
private struct Inquiry: Sendable {
  let registry: StubRegistry
  let request: URLRequest

  func answer(from search: StubSearch, closures: ClosurePolicy) -> Answering {
    var search = search
    while true {
      switch search.next(closures: closures) {
      case .found(let stub, let captures):
        // A lost claim means that another request took the last use: the next older stub has its turn.
        guard let callNumber = stub.claim() else { continue }
        return answer(by: stub, RequestMatch(callNumber: callNumber, captures: captures))
      case .undecided:
        return .unfinished(entry: nil) { [search] in await answer(from: search, closures: .run).finished }
      case .none:
        return answerWithoutStub(closures: closures)
      }
    }
  }

  private func answer(by stub: Stub, _ match: RequestMatch) -> Answering {
    let reference = stub.reference
    let entry = registry.journal.begin(request, body: request.httpBody, stub: reference)
    Trace.log("matched", request, by: reference)
    switch stub.responder {
    case .value(let response):
      return .answered(Answer(kind: .respond(response, stub: reference, head: stub.head), entry: entry))
    case .sequence(let responses, let end):
      let response = responses[end.index(ofCall: match.callNumber, in: responses.count)]
      return .answered(Answer(kind: .respond(response, stub: reference), entry: entry))
    case .closure(let closure):
      return .unfinished(entry: entry) {
        do {
          return Answer(kind: .respond(try await closure(request, match), stub: reference), entry: entry)
        } catch {
          return Answer(kind: .fail(error), entry: entry)
        }
      }
    }
  }

  private func answerWithoutStub(closures: ClosurePolicy) -> Answering {
    switch registry.unmatched.kind {
    case .fail:
      return .answered(failure())
    case .passThrough(let condition):
      var facts = RequestFacts(request)
      var captures = Captures()
      switch condition.evaluate(&facts, closures: closures, captures: &captures) {
      case .matches: return .answered(passThrough())
      case .fails: return .answered(failure())
      case .undecided:
        return .unfinished(entry: nil) { condition.matches(request) ? passThrough() : failure() }
      }
    case .respond(let closure):
      let entry = begin("answered by the policy")
      return .unfinished(entry: entry) { Answer(kind: .respond(closure(request), stub: nil), entry: entry) }
    }
  }

  private func failure() -> Answer {
    Answer(kind: .fail(UnmatchedRequestError(request: request, stubs: registry.stubs)), entry: begin("unmatched"))
  }

  private func passThrough() -> Answer { Answer(kind: .passThrough, entry: begin("passed through")) }

  private func begin(_ decision: StaticString) -> RequestJournal.EntryID {
    Trace.log(decision, request)
    return registry.journal.begin(request, body: request.httpBody, stub: nil)
  }
}

extension Answering {
  fileprivate var finished: Answer {
    get async {
      switch self {
      case .answered(let answer): answer
      case .unfinished(_, let rest): await rest()
      }
    }
  }
}
