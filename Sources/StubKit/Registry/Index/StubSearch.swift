import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request's search for the stubs that match it, newest first, among those that were there when it began.
///
/// It can be interrupted where the user's code has to run, and goes on elsewhere from there, so that every condition is
/// asked once. The registry's lock is held only while the index is probed.
struct StubSearch: Sendable {
  enum Result {
    case found(Stub, Captures)
    /// The next stub's condition hangs on a closure, or on a body that nobody has read, and `.defer` was asked for.
    case undecided
    case none
  }

  private let registry: StubRegistry
  private var keys: RequestKeys
  /// The stubs that have no equality, oldest first, and how many of them are still to be asked.
  private var unindexed: [Stub?] = []
  private var unindexedCount = 0
  private var hashed = Hashed.notYetAsked

  private enum Hashed {
    case notYetAsked
    /// The newest candidate, when the older ones have not been collected.
    case newest(Stub)
    /// The rest, oldest first.
    case rest([Stub])
  }

  init(_ registry: StubRegistry, _ request: URLRequest) {
    self.registry = registry
    keys = RequestKeys(RequestFacts(request))
  }

  mutating func next(closures: ClosurePolicy) -> Result {
    if case .notYetAsked = hashed, !begin(closures: closures) { return .undecided }
    while let stub = newestCandidate {
      guard !stub.isUsedUp else {
        registry.withdraw(stub)
        step(past: stub)
        continue
      }
      var captures = Captures()
      switch keys.evaluate(stub.condition, closures: closures, captures: &captures) {
      case .matches:
        step(past: stub)
        return .found(stub, captures)
      case .undecided:
        return .undecided
      case .fails:
        step(past: stub)
      }
    }
    return .none
  }

  /// False when the body must be read first, which is not for here.
  private mutating func begin(closures: ClosurePolicy) -> Bool {
    var (candidate, unindexed) = registry.probe(&keys)
    if case .needsBody = candidate {
      if closures == .defer && keys.bodyIsUnread { return false }
      keys.readBody()
      (candidate, unindexed) = registry.probe(&keys)
    }
    self.unindexed = unindexed
    unindexedCount = unindexed.count
    if case .stub(let stub) = candidate { hashed = .newest(stub) } else { hashed = .rest([]) }
    return true
  }

  private var newestCandidate: Stub? {
    mutating get {
      let indexed: Stub? =
        switch hashed {
        case .notYetAsked: nil
        case .newest(let stub): stub
        case .rest(let stubs): stubs.last
        }
      while unindexedCount > 0 {
        guard let stub = unindexed[unindexedCount - 1] else {
          unindexedCount -= 1
          continue
        }
        if let indexed, indexed.id > stub.id { return indexed }
        return stub
      }
      return indexed
    }
  }

  private mutating func step(past stub: Stub) {
    if unindexedCount > 0, unindexed[unindexedCount - 1] === stub {
      unindexedCount -= 1
      return
    }
    switch hashed {
    case .notYetAsked: break
    case .newest(let newest): hashed = .rest(registry.candidates(olderThan: newest.id, &keys).reversed())
    case .rest(var stubs):
      stubs.removeLast()
      hashed = .rest(stubs)
    }
  }
}
