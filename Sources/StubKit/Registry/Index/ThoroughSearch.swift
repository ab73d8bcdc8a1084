import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A search that checks the request against the whole condition of every candidate.
struct ThoroughSearch: Sendable {
  private let registry: StubRegistry
  private var keys: RequestKeys
  /// The stubs without an equality, oldest first, and the number of those that are still to be checked.
  private var unindexed: [Stub?] = []
  private var unindexedCount = 0
  private var hashed = Hashed.notYetAsked

  private enum Hashed {
    case notYetAsked
    /// The newest candidate. The older ones have not been collected.
    case newest(Stub)
    /// The candidates older than this rank must be collected.
    case olderThan(UInt64)
    /// The rest, oldest first.
    case rest([Stub])
  }

  private let bound: UInt64

  /// - Parameter bound: Only stubs older than this rank are searched, or `nil` for all.
  init(_ registry: StubRegistry, _ facts: RequestFacts, olderThan bound: UInt64?) {
    self.registry = registry
    self.bound = bound ?? .max
    keys = RequestKeys(facts)
  }

  var facts: RequestFacts { keys.facts }

  /// Continues with what is known about the same request after its body was read.
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

  /// If the body can't be read here, the candidates are all stubs that are known by a body. Their other criteria say
  /// whether reading it is worthwhile.
  private mutating func collect(olderThan ordinal: UInt64, closures: ClosurePolicy) {
    if registry.looksAtBodies { _ = readBody(closures: closures) }
    hashed = .rest(registry.candidates(olderThan: ordinal, &keys).reversed())
  }

  /// Returns `false` if the body must be read first, which isn't possible here.
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
