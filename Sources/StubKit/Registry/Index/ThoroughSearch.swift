import Foundation

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
  mutating func proceed(with incoming: IncomingRequest) { keys.proceed(with: incoming) }

  mutating func next(closures: ClosurePolicy) -> StubSearch.Result {
    if case .notYetAsked = hashed { begin(closures: closures) }
    while true {
      if case .olderThan(let ordinal) = hashed { collect(olderThan: ordinal, closures: closures) }
      let candidate = newestHashed
      if let result = nextUnindexed(newerThan: candidate?.ordinal ?? 0, closures: closures) { return result }
      guard let candidate else { return .none }
      let result = check(candidate, closures: closures)
      if case .undecided = result { return .undecided }
      stepPastHashed()
      if let result { return result }
    }
  }

  /// Checks the stubs without an equality that are newer than a rank. There can be thousands, so this touches little
  /// beside the stubs.
  private mutating func nextUnindexed(newerThan ordinal: UInt64, closures: ClosurePolicy) -> StubSearch.Result? {
    while unindexedCount > 0 {
      guard let stub = unindexed[unindexedCount - 1] else {
        unindexedCount -= 1
        continue
      }
      if stub.ordinal < ordinal { return nil }
      if closures == .run, stub.onlyClosure != nil {
        let (left, matches) = keys.ask(unindexed, before: unindexedCount, newerThan: ordinal)
        if matches {
          unindexedCount = left - 1
          return unindexed[left - 1].map { .found($0, Captures()) }
        }
        if left < unindexedCount {
          unindexedCount = left
          continue
        }
      }
      let result = check(stub, closures: closures)
      if case .undecided = result { return .undecided }
      unindexedCount -= 1
      if let result { return result }
    }
    return nil
  }

  /// Returns `nil` for a stub that doesn't match, or that is used up.
  @inline(__always)
  private mutating func check(_ stub: Stub, closures: ClosurePolicy) -> StubSearch.Result? {
    guard !stub.isUsedUp else {
      registry.withdraw(stub)
      return nil
    }
    if let closure = stub.onlyClosure {
      guard closures == .run else { return .undecided }
      return keys.ask(closure) ? .found(stub, Captures()) : nil
    }
    var captures = Captures()
    return switch keys.evaluate(stub.condition, closures: closures, captures: &captures) {
    case .matches: .found(stub, captures)
    case .undecided: .undecided
    case .fails: nil
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

  private var newestHashed: Stub? {
    switch hashed {
    case .notYetAsked, .olderThan: nil
    case .newest(let stub): stub
    case .rest(let stubs): stubs.last
    }
  }

  private mutating func stepPastHashed() {
    switch hashed {
    case .notYetAsked, .olderThan: break
    case .newest(let newest): hashed = .olderThan(newest.ordinal)
    case .rest(var stubs):
      stubs.removeLast()
      hashed = .rest(stubs)
    }
  }
}
