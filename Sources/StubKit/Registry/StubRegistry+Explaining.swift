import Foundation

/// Which stub would answer a request, and why.
extension StubRegistry {
  /// Returns the stub that would answer a request, or `nil` if none would. This uses up no stub and leaves no trace
  /// in the journal. It runs the closures in conditions.
  ///
  /// The method waits as ``Stub/callCount`` does, because a request that was resumed can take the last use of a stub.
  /// Also `nil` if the result hangs on a body that isn't known, because it is a stream. ``explain(_:)`` says so.
  package func answerer(of request: URLRequest) -> Stub? {
    journal.inFlight.settle(for: .ofStubs)
    return search(for: request)
  }

  /// Returns the stub for a request as ``answerer(of:)`` does, and waits for nothing: the search that a request makes.
  package func search(for request: URLRequest) -> Stub? {
    var search = StubSearch(RequestFacts(request), isInTask: false)
    var result = search.next(in: self)
    if case .needsTask = result {
      // A closure or a body can decide. Asking every request for its body would take a fifth of a match.
      if request.httpBodyStream != nil { return explain(request).stub }
      search = StubSearch(RequestFacts(request), isInTask: true)
      result = search.next(in: self)
    }
    return if case .found(let stub, _) = result { stub } else { nil }
  }

  /// Returns why a stub answers a request, or why none does. This uses up no stub and leaves no trace in the journal.
  /// It runs the closures that decide in conditions, unless they may need a body that isn't known: a stream, or a body
  /// that the journal doesn't keep.
  public func explain(_ request: URLRequest) -> MatchExplanation {
    inFlight.settle(for: .ofStubs)
    var facts = journal.facts(of: request)
    var candidates = [NearMiss]()
    var isCertain = true
    for stub in stubs.sorted(by: { $0.rank > $1.rank }) {
      let verdict = stub.isUsedUp ? false : stub.condition.verdict(&facts)
      if verdict == true {
        return MatchExplanation(request: facts.request, found: stub, candidates: candidates, isCertain: isCertain)
      }
      if verdict == nil { isCertain = false }
      candidates.append(NearMiss(stub, &facts, in: self))
    }
    return MatchExplanation(request: facts.request, found: nil, candidates: candidates, isCertain: isCertain)
  }
}
