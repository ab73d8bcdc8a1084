import Foundation

extension RequestJournal {
  /// Notes that a verification asks about requests. A test with more of them asks the same again.
  func note(_ condition: RequestMatcher) {
    verified.withLock { if $0.count < 200 { $0.append(condition) } }
  }
}

extension StubRegistry {
  /// The query items that the test asks about anywhere, be it for their absence.
  package var askedQueryItems: Set<AskedPart> {
    let conditions = stubs.map(\.condition) + journal.verified.withLock(\.self)
    return conditions.reduce(into: []) { $0.formUnion($1.askedParts.filter(\.isQueryItem)) }
  }

  /// Returns the parts of a request that the condition and the response closure of its stub ask about, or a verification that
  /// the request can meet. This runs no closure.
  package func askedParts(of facts: inout RequestFacts, answeredBy stub: Stub) -> Set<AskedPart> {
    let isOpaque = stub.responder.isClosure || annotations[stub.id] != nil
    var parts = isOpaque ? [.anything] : stub.condition.askedParts
    for condition in journal.verified.withLock(\.self) where !parts.contains(.anything) {
      if condition.canBe(true, &facts, readsBody: false) { parts.formUnion(condition.askedParts) }
    }
    return parts
  }

  /// Returns the unused stubs that are nearest to the newest requests. One whose condition they meet is a default that the test
  /// overrides. Recordings report theirs themselves. This runs no closure.
  package func nearestUnusedStubs(_ count: Int) -> [Stub] {
    var requests = journal.entries.suffix(10).map { RequestFacts($0.request) }
    let annotations = annotations
    let unused = stubs.filter { $0.callCount == 0 && !$0.isMistaken && annotations[$0.id] == nil }
    let distances = unused.suffix(1_000).map { stub in
      (stub, distance: requests.indices.map { stub.distance(&requests[$0]) }.min() ?? 1)
    }
    return distances.filter { $0.distance > 0 }.nearest(count) { $0.distance }.map(\.0)
  }
}
