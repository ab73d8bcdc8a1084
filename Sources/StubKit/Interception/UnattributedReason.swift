/// Why it isn't certain which registry a request belongs to. A load settles this before it asks a registry. See
/// ``Attribution``.
enum UnattributedReason: Sendable {
  /// The request goes to this machine. Does the only open scope have a stub for it? If not, it goes to the network.
  case loopback
  /// Several scopes are open. Does any of them have a stub for it?
  case several(UnclearOrigin)

  enum Outcome: Sendable {
    case registry
    case network
    case failure(UnmatchedRequestError)
  }

  /// Answers the question by looking at the stubs of every open scope. Don't call this on a queue of URLSession.
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
  /// Returns whether some stub can answer the request, judged by the request's head. A closure counts as met.
  fileprivate func mayAnswer(_ request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    return stubs.contains { !$0.isUsedUp && $0.condition.verdictByHead(&facts) != .fails }
  }
}
