#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is to be found out of a request that nobody claims, before its registry is asked. See ``Attribution``.
enum Doubt: Sendable {
  /// It is for a server on this machine: if the one open scope has no stub for it, it goes there.
  case loopback
  /// Several scopes are open.
  case several(UnclearOrigin)

  enum Outcome: Sendable {
    case registry
    case network
    case failure(UnmatchedRequestError)
  }

  /// Not for a queue of URLSession's: it looks at the stubs of every open scope.
  func outcome(of request: URLRequest, in registry: StubRegistry) -> Outcome {
    switch self {
    case .loopback:
      registry.mayAnswer(request) ? .registry : .network
    case .several(let origin):
      origin.failure(of: request).map { .failure($0) } ?? .network
    }
  }
}

extension StubRegistry {
  /// Whether some stub may answer the request, as far as its head tells. A closure may say yes.
  fileprivate func mayAnswer(_ request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    return stubs.contains { !$0.isUsedUp && $0.condition.verdictByHead(&facts) != .fails }
  }
}
