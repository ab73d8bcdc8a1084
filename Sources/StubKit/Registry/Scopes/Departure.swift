import Foundation

/// Whether a request may leave for the network, and where it goes if not.
///
/// This is decided when the request is made, where no stub can be asked, because URLSession holds a lock. If it hangs
/// on stubs, the exchange asks again before it asks a registry. When no stub has matched, the search asks a last
/// time.
enum Departure {
  /// It goes to the network.
  case departs
  /// A registry answers: the global one if it is enabled, or else that of the only open scope.
  case stays
  /// It leaves only if no open scope has a stub for it.
  case hangsOnStubs
  /// No stub matches it, and the policy for such requests decides.
  case followsPolicy(UnmatchedPolicy.Kind)
  /// It fails, because each scope that it can belong to has ended.
  case late
  /// It fails, because it can belong to any of several scopes.
  case unclear
  /// It fails, because there is no network.
  case offline

  /// Decides about a request that neither its task nor its session claims. The first row that applies decides.
  ///
  /// - Parameters:
  ///   - isLate: Whether a callback makes it whose scope has ended.
  ///   - isUnscoped: Whether it certainly comes from a test that has no scope.
  ///   - owner: Who it belongs to as nobody claims it.
  ///   - isLoopback: Whether it goes to this machine.
  ///   - isKept: Whether an open scope keeps it from a server on this machine, or `nil` if none was asked.
  ///   - policy: The policy for code outside of scopes when none is open any more.
  init(
    isLate: Bool = false, isUnscoped: Bool = false, _ owner: OpenScopes.Inferred, isLoopback: Bool,
    isKept: Bool? = nil, unscoped policy: @autoclosure () -> UnscopedPolicy = .fail
  ) {
    let asksStubs = isLoopback && isKept == nil
    self =
      switch owner {
      case .global: .stays
      case _ where isLate: .late
      case _ where isUnscoped: .departs
      case .never: .departs
      case _ where isLoopback && isKept == false: .departs
      // A server on this machine can belong to any test, and to none.
      case .ended: isLoopback || policy() == .passThrough ? .departs : .late
      case .only: asksStubs ? .hangsOnStubs : .stays
      case .several: asksStubs ? .hangsOnStubs : .unclear
      }
  }

  /// Decides about a request that hangs on the stubs of open scopes. Don't call this on a queue of URLSession.
  ///
  /// - Parameter owner: Who it belongs to, by the scopes that were open when it was made.
  static func ofUnclaimed(
    _ request: URLRequest, _ owner: OpenScopes.Inferred, scopes: OpenScopes = .shared
  ) -> Departure {
    let incoming = IncomingRequest(request)
    let isKept =
      switch owner {
      // A closure there, or a body, can still decide.
      case .only(let reference, _): reference.registry.keeps(incoming, closuresMatch: true)
      case .several: scopes.registries.contains { $0.registry.isEnabled && $0.registry.keeps(incoming) }
      case .global, .never, .ended: false
      }
    return Departure(owner, isLoopback: request.isLoopback, isKept: isKept)
  }
}

extension StubRegistry {
  /// Decides about a request that no stub here matches.
  ///
  /// - Parameter policy: The policy for such requests, or `nil` for that of the registry and its recordings.
  func departure(
    ofUnmatched incoming: IncomingRequest, _ confidence: AttributionConfidence, by policy: UnmatchedPolicy.Kind? = nil
  ) -> Departure {
    // It names no scope, and the only open one doesn't keep it from a server on this machine.
    if confidence == .onlyScope, incoming.original.isLoopback, !keeps(incoming) { return .departs }
    if isOffline { return .offline }
    let policy = policy ?? self.policy
    if case .passThrough = policy, NetworkAccess.blocks(incoming.original) { return .followsPolicy(.fail) }
    return .followsPolicy(policy)
  }

  /// Returns whether a stub here, or the policy, keeps a request that names no scope from a server on this machine.
  fileprivate func keeps(_ incoming: IncomingRequest, closuresMatch: Bool = false) -> Bool {
    loopback == .fail || newestStub(forHeadOf: incoming, closuresMatch: closuresMatch) != nil
  }

  /// Returns the stub that is asked first of those that can answer a request, as far as the head of the request tells.
  /// No closure runs.
  func newestStub(forHeadOf incoming: IncomingRequest, closuresMatch: Bool = false) -> Stub? {
    // Without the body, every stub that is known by a body is a candidate.
    var head = RequestFacts(incoming)
    var keys = RequestKeys()
    keys.readHeader(withIndex { $0.parts }, &head)
    var candidates = withIndex { $0.candidates(keys, head) }
    while let stub = candidates.popNewest() {
      let condition = stub.condition
      if !stub.isUsedUp, condition.canBe(true, &head, readsBody: false),
        closuresMatch || !condition.hasClosure || !condition.canBe(false, &head, readsBody: false)
      {
        return stub
      }
    }
    return nil
  }
}
