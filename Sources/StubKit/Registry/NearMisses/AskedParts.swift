extension StubRegistry {
  /// Notes that a verification asks about requests, for the end of the test. One that is asked again and again, until
  /// it holds, is one.
  func note(_ condition: RequestMatcher) {
    if testReport != nil { journal.verified.withLock { $0[condition.description] = condition } }
  }

  /// The query items that the test asks about anywhere, be it for their absence.
  package var askedQueryItems: Set<AskedPart> {
    let conditions = stubs.map(\.condition) + journal.verified.withLock(\.values)
    return conditions.reduce(into: []) { $0.formUnion($1.node.askedParts.filter(\.isQueryItem)) }
  }

  /// Returns the parts of a request that the condition and the response closure of its stub ask about, or a
  /// verification that the request can meet. This runs no closure.
  package func askedParts(of facts: inout RequestFacts, answeredBy stub: Stub) -> Set<AskedPart> {
    let isOpaque = stub.responder.isClosure || annotations[stub.id] != nil
    var parts = isOpaque ? [.anything] : stub.condition.node.askedParts
    for condition in journal.verified.withLock(\.values) where !parts.contains(.anything) {
      if condition.canBe(true, &facts, readsBody: false) { parts.formUnion(condition.node.askedParts) }
    }
    return parts
  }
}
