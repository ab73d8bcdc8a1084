/// The search for the stubs that match one request, newest first, among those that existed when it began.
///
/// The index finds candidates, and the search checks their whole conditions, each once. The registry's lock is held
/// only while the index is probed.
struct StubSearch: ~Copyable {
  enum Result {
    /// The captures are `nil` where comparing bytes decides and a text is captured, which has yet to be found.
    case found(Stub, Captures?)
    /// The condition of the next stub needs a task. A new search in one finds out.
    case needsTask
    case none
  }

  /// A Boolean value that indicates whether the search runs in a task, where the user's closures may run, the body has
  /// been read, and a long one may be compared. Elsewhere others wait for this queue.
  let isInTask: Bool

  // The registry is not among these: whoever searches has it, and counting a reference to it takes longer than a probe.
  /// What the search knows about the request, with the results of the closures that it has run.
  private(set) var facts: RequestFacts

  /// The number of the stubs that require no value and are still to be checked.
  private var unindexedCount = 0
  /// The candidate of the index that is checked next, if it is known.
  private var waiting: Stub?
  /// The candidates after that one have a lower rank.
  private var bound = UInt64.max
  /// The lists of stubs, which most searches never need.
  private var lists: Lists?
  /// The changes of the index up to the first look.
  private var changesBefore: StubIndex.Changes?

  // They are one optional, as what is rare in the facts is: a search that ends releases each reference that it has,
  // also one to nothing. Seven optionals made a match take 5 % longer.
  private struct Lists {
    /// The stubs that require no value, oldest first.
    var unindexed: [StubList.Slot] = []
    /// The candidates after the first one, oldest first, or `nil` if nobody has looked them up.
    var older: [Stub]?
  }

  private var unindexed: [StubList.Slot] {
    get { lists?.unindexed ?? [] }
    _modify {
      if lists == nil { lists = Lists() }
      yield &lists!.unindexed
    }
  }

  private var older: [Stub]? {
    get { lists?.older }
    _modify {
      if lists == nil { lists = Lists() }
      yield &lists!.older
    }
  }

  private var hasOlder: Bool { @inline(__always) get { lists?.older != nil } }

  @inline(__always)
  init(_ facts: consuming RequestFacts, isInTask: Bool) {
    self.facts = facts
    self.isInTask = isInTask
  }

  /// Returns the next stub of a registry that matches. It must be the same registry each time.
  mutating func next(in registry: StubRegistry) -> Result {
    if bound == .max, !hasOlder { begin(in: registry) }
    while true {
      if waiting == nil { waiting = nextOlderCandidate(in: registry) }
      if unindexedCount > 0, let result = nextUnindexed(newerThan: waiting?.rank ?? 0, in: registry) { return result }
      guard let candidate = waiting.take() else { return .none }
      if let result = check(candidate, in: registry) { return result }
    }
  }

  /// Returns whether it is certain that no stub matches, after the search has found none. If stubs were added and
  /// others removed meanwhile, one of them matched all the time, perhaps, where the search didn't look.
  func isCertain(in registry: StubRegistry) -> Bool {
    guard let before = changesBefore else { return true }
    let now = registry.withIndex { $0.changes }
    return now.added == before.added || now.removed == before.removed
  }

  /// Checks the unindexed stubs that are newer than a rank. There can be thousands, so this touches little
  /// beside the stubs.
  @inline(never)
  private mutating func nextUnindexed(newerThan rank: UInt64, in registry: StubRegistry) -> Result? {
    while unindexedCount > 0 {
      guard let stub = lists!.unindexed[unindexedCount - 1].stub else {
        unindexedCount -= 1
        continue
      }
      if stub.rank < rank { return nil }
      if isInTask, stub.onlyClosure != nil {
        let count = unindexedCount
        if let stub = askClosures(newerThan: rank) { return .found(stub, Captures()) }
        if unindexedCount < count { continue }
      }
      unindexedCount -= 1
      if let result = check(stub, in: registry) { return result }
    }
    return nil
  }

  /// Asks the closures of stubs that are nothing but a closure, newest first, and returns the first stub that matches.
  private mutating func askClosures(newerThan rank: UInt64) -> Stub? {
    let request = facts.request
    var results: [(closure: ObjectIdentifier, result: Bool)] = []
    var count = unindexedCount
    unindexed.withUnsafeBytes {
      // Safe because both kinds of reference are a pointer or nothing, and this array keeps the stubs meanwhile.
      // Counting references would take longer than everything else.
      $0.withMemoryRebound(to: (number: UInt64, stub: Unmanaged<Stub>?).self) { slots in
        while count > 0, results.last?.result != true {
          if let stub = slots[count - 1].stub {
            // A stub that counts its uses is checked by itself.
            let closure = stub._withUnsafeGuaranteedRef {
              $0.limit == .max ? $0.onlyClosure.map { Unmanaged.passUnretained($0) } : nil
            }
            guard slots[count - 1].number >= rank, let closure else { return }
            results.append(closure._withUnsafeGuaranteedRef { (ObjectIdentifier($0), $0.test(request)) })
          }
          count -= 1
        }
      }
    }
    unindexedCount = count
    facts.note(results)
    return results.last?.result == true ? unindexed[count].stub : nil
  }

  /// Returns `nil` for a stub that doesn't match, or that is used up.
  @inline(__always)
  private mutating func check(_ stub: Stub, in registry: StubRegistry) -> Result? {
    if stub.isUsedUp {
      registry.withIndex { $0.withdraw(stub) }
      lookAgain(in: registry)
      return nil
    }
    if stub.turns < .max, !hasOlder, stub.useCount >= stub.turns, registry.withIndex({ $0.narrow(stub) }) {
      lookAgain(in: registry)
      return nil
    }
    let method = stub.compiled.looksAtMethod ? facts.methodCode : 0
    switch stub.compiled.passes(facts.requestURL, method: method) {
    case false?: return nil
    case true?:
      guard let rest = stub.compiled.rest else { return .found(stub, stub.compiled.captures ? nil : Captures()) }
      return check(stub, rest)
    case nil: return check(stub, stub.condition)
    }
  }

  /// Checks what bytes can't decide of a stub's condition.
  @inline(never)
  private mutating func check(_ stub: Stub, _ condition: RequestMatcher) -> Result? {
    if !isInTask, condition.needsTask(&facts) { return .needsTask }
    facts.captures = Captures()
    return condition.isMet(by: &facts) ? .found(stub, facts.captures) : nil
  }

  /// Begins with the first candidate of the index, and with the stubs that it doesn't know by a key.
  @inline(__always)
  private mutating func begin(in registry: StubRegistry) {
    if !findNewest(in: registry) { older = olderCandidates(in: registry) }
    if waiting == nil, !hasOlder { older = [] }
  }

  /// Finds the first candidate of the index, and reads what it can be known by. Returns `false` if the body must be
  /// read first, which isn't possible here.
  @inline(__always)
  private mutating func findNewest(in registry: StubRegistry) -> Bool {
    // Each round reads the headers or the body. What is added meanwhile under other names isn't found.
    while let parts = lookUp(in: registry) {
      // A header is shorter than a body, and can make reading that unnecessary.
      if !readHeaders(parts), !readBody(parts) { return false }
    }
    return true
  }

  /// Looks up the first candidate of the index. Returns the parts by which stubs are known if it can be known by one
  /// that has not been read, or `nil`. The closure writes in place, because what it would return is counted again.
  private mutating func lookUp(in registry: StubRegistry) -> IndexedParts? {
    registry.withIndex { index in
      if changesBefore == nil { changesBefore = index.changes }
      // Those of an earlier look are not replaced here, because that could release them under the lock.
      if unindexed.isEmpty, let stubs = index.unindexedStubs {
        unindexed = stubs
        unindexedCount = stubs.count
      }
      guard let rank = index.newestCandidate(&facts, &waiting) else { return index.parts }
      bound = rank
      return nil
    }
  }

  /// Begins again with the first candidate of the index, after another one has left it. So the entries of a long
  /// sequence are never looked up at once.
  @inline(never)
  private mutating func lookAgain(in registry: StubRegistry) {
    guard !hasOlder else { return }
    let before = (unindexed, unindexedCount)
    _ = findNewest(in: registry)
    (unindexed, unindexedCount) = before
  }

  /// If the body can't be read here, the candidates are all stubs that are known by a body. Their other criteria say
  /// whether reading it is worthwhile.
  @inline(never)
  private mutating func nextOlderCandidate(in registry: StubRegistry) -> Stub? {
    if !hasOlder {
      if !facts.hasIndexedHeaders || !facts.hasBodyHashes {
        let parts = registry.withIndex { $0.parts }
        _ = readHeaders(parts)
        if !parts.body.isEmpty { _ = readBody(parts) }
      }
      older = olderCandidates(in: registry)
    }
    return older?.popLast()
  }

  @inline(never)
  private mutating func olderCandidates(in registry: StubRegistry) -> [Stub] {
    registry.withIndex { $0.candidates(olderThan: bound, &facts) }.reversed()
  }

  /// Reads the header fields by which stubs are known. Returns `false` if that changes nothing.
  @inline(never)
  private mutating func readHeaders(_ parts: IndexedParts) -> Bool {
    if facts.hasIndexedHeaders { return false }
    facts.readHeaders(parts.headers)
    return !parts.headers.isEmpty
  }

  /// Reads what stubs are known by of the body. Returns `false` if it must be read first, which isn't possible here.
  @inline(never)
  private mutating func readBody(_ parts: IndexedParts) -> Bool {
    if facts.hasBodyHashes { return true }
    guard isInTask || !facts.bodyNeedsTask else { return false }
    facts.computeBodyHashes(of: parts)
    return true
  }
}
