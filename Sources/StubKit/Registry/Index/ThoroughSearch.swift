import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A search that holds every candidate's whole condition against the request.
struct ThoroughSearch: Sendable {
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

  private let bound: UInt64

  /// - Parameter bound: Only stubs older than that one are looked for; nil for all.
  init(_ registry: StubRegistry, _ facts: RequestFacts, olderThan bound: UInt64?) {
    self.registry = registry
    self.bound = bound ?? .max
    keys = RequestKeys(facts)
  }

  var facts: RequestFacts { keys.facts }

  /// Goes on with what is known of the same request once its body was read.
  mutating func goOn(with incoming: IncomingRequest) { keys.goOn(with: incoming) }

  mutating func next(closures: ClosurePolicy) -> StubSearch.Result {
    if case .notYetAsked = hashed { begin(closures: closures) }
    while true {
      if case .olderThan(let ordinal) = hashed { collect(olderThan: ordinal, closures: closures) }
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

  private mutating func begin(closures: ClosurePolicy) {
    var (candidate, unindexed) = registry.probe(&keys)
    if case .needsBody = candidate, readBody(closures: closures) { (candidate, unindexed) = registry.probe(&keys) }
    self.unindexed = unindexed
    unindexedCount = unindexed.count
    if bound < .max {
      while let stub = unindexed[..<unindexedCount].last, (stub?.ordinal ?? .max) >= bound { unindexedCount -= 1 }
      hashed = .olderThan(bound)
      return
    }
    switch candidate {
    case .stub(let stub): hashed = .newest(stub)
    case .needsBody: hashed = .olderThan(.max)
    case .none: hashed = .rest([])
    }
  }

  /// Where the body is not to be read here, the candidates are all stubs that are known by a body: whether one of them is
  /// worth the reading, its other criteria say.
  private mutating func collect(olderThan ordinal: UInt64, closures: ClosurePolicy) {
    if registry.looksAtBodies { _ = readBody(closures: closures) }
    hashed = .rest(registry.candidates(olderThan: ordinal, &keys).reversed())
  }

  /// False when the body must be read first, which is not for here.
  private mutating func readBody(closures: ClosurePolicy) -> Bool {
    if keys.hasBody { return true }
    if closures != .run && keys.bodyIsUnread { return false }
    if closures == .defer && keys.bodyIsLong { return false }
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
        if let indexed, indexed.ordinal > stub.ordinal { return indexed }
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
    case .newest(let newest): hashed = .olderThan(newest.ordinal)
    case .rest(var stubs):
      stubs.removeLast()
      hashed = .rest(stubs)
    }
  }
}
