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
    /// The newest candidate; the older ones have not been collected.
    case newest(Stub)
    /// The candidates older than that stub are to be collected.
    case olderThan(UInt64)
    /// The rest, oldest first.
    case rest([Stub])
  }

  init(_ registry: StubRegistry, _ request: URLRequest) {
    self.registry = registry
    keys = RequestKeys(RequestFacts(request))
  }

  mutating func next(closures: ClosurePolicy) -> Result {
    if case .notYetAsked = hashed, !begin(closures: closures) { return .undecided }
    while true {
      if case .olderThan(let id) = hashed, !collect(olderThan: id, closures: closures) { return .undecided }
      guard let stub = newestCandidate else { return .none }
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
  }

  /// False when the body must be read first, which is not for here.
  private mutating func begin(closures: ClosurePolicy) -> Bool {
    var (candidate, unindexed) = registry.probe(&keys)
    if case .needsBody = candidate {
      guard readBody(closures: closures) else { return false }
      (candidate, unindexed) = registry.probe(&keys)
    }
    self.unindexed = unindexed
    unindexedCount = unindexed.count
    if case .stub(let stub) = candidate { hashed = .newest(stub) } else { hashed = .rest([]) }
    return true
  }

  /// False when the body must be read first, which is not for here.
  private mutating func collect(olderThan id: UInt64, closures: ClosurePolicy) -> Bool {
    if registry.looksAtBodies { guard readBody(closures: closures) else { return false } }
    hashed = .rest(registry.candidates(olderThan: id, &keys).reversed())
    return true
  }

  private mutating func readBody(closures: ClosurePolicy) -> Bool {
    if keys.hasBody { return true }
    if closures == .defer && keys.bodyIsUnread { return false }
    keys.readBody()
    return true
  }

  private var newestCandidate: Stub? {
    mutating get {
      let indexed: Stub? =
        switch hashed {
        case .notYetAsked, .olderThan: nil
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
    case .notYetAsked, .olderThan: break
    case .newest(let newest): hashed = .olderThan(newest.id)
    case .rest(var stubs):
      stubs.removeLast()
      hashed = .rest(stubs)
    }
  }
}
