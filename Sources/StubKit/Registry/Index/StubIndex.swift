/// The stubs of a registry, in the order in which they answer: a tuple space search.
///
/// From each condition come the equalities that a request must have for it to match; the set of their dimensions is the
/// stub's tuple, and all stubs of one tuple share one hash table, keyed by the values (Srinivasan, Suri, Varghese,
/// "Packet classification using tuple space search", SIGCOMM 1999). A request probes each tuple once, or once for each of
/// its own items, so a hundred thousand stubs in three styles cost three probes. Conditions without an equality stand in
/// one list that is scanned. What the index finds are candidates: their conditions are verified by whoever asked.
///
/// It lives under its registry's lock and runs nothing of the user's.
struct StubIndex: ~Copyable {
  /// What tests change to make the rare frequent.
  struct Limits: Sendable {
    /// Beyond this many tuples a condition goes to a coarser one.
    var tuples = 32
    /// Which bits of a key count: few, to force collisions.
    var keyMask = UInt64.max
  }

  private var roster = StubRoster(position: \.rosterPosition)
  /// The stubs without an equality.
  private var scanned = StubRoster(position: \.scanPosition)
  private(set) var entries = EntryStore()
  /// In the order in which they were first needed. Each knows its newest stub, and is passed over when a newer one is found.
  private(set) var tuples: TupleList
  private var tupleOfDimensions: [DimensionSet: Int] = [:]
  /// No stub without an equality is newer; 0 if there is none.
  private(set) var newestScanned: UInt64 = 0
  private var closureHolders = 0
  private var lastNumber: UInt64 = 0
  private let limits: Limits

  init(_ limits: Limits = Limits()) {
    self.limits = limits
    tuples = TupleList(capacity: limits.tuples)
  }

  var keyMask: UInt64 { limits.keyMask }

  /// Oldest first.
  var stubs: [Stub] { roster.stubs }

  /// Whether answering may mean running code of the user's.
  var holdsClosure: Bool { closureHolders > 0 }

  /// The stubs that any request has to be held against, oldest first; removed ones leave holes.
  var unindexed: [Stub?] { scanned.slots }

  /// Whether some stub is known by its request's body.
  var looksAtBodies: Bool { tuples.indices.contains { tuples[$0].isOfBody && tuples[$0].table.count > 0 } }

  func contains(_ stub: Stub) -> Bool { roster.contains(stub) }

  mutating func insert(_ stub: Stub) {
    lastNumber += 1
    stub.ordinal = UInt64(stub.priority - Int(Int16.min)) << 48 | lastNumber
    roster.append(stub)
    closureHolders += stub.holdsClosure ? 1 : 0
    guard let alternatives = stub.condition.indexAlternatives() else { return insertScanned(stub) }
    let placements = alternatives.compactMap { placement(for: $0) }
    // An alternative that fits into no tuple makes every request a candidate.
    guard placements.count == alternatives.count else { return insertScanned(stub) }
    for placement in placements { insert(stub, at: placement) }
  }

  /// False when the stub is not there.
  mutating func remove(_ stub: Stub) -> Bool {
    guard roster.remove(stub) else { return false }
    closureHolders -= stub.holdsClosure ? 1 : 0
    withdraw(stub)
    return true
  }

  /// Takes a stub that can answer no more out of the way of searches; it stays listed.
  mutating func withdraw(_ stub: Stub) {
    if scanned.remove(stub) { newestScanned = scanned.newest?.ordinal ?? 0 }
    var position = stub.firstEntry
    stub.firstEntry = -1
    while position >= 0 {
      let next = entries[position].sibling
      tuples[Int(entries[position].tuple)].unlink(position, in: &entries)
      entries.free(position)
      position = next
    }
  }

  /// Returns what was there, to be let go outside the lock.
  mutating func removeAll() -> StubIndex {
    for stub in roster.stubs {
      (stub.rosterPosition, stub.scanPosition, stub.firstEntry) = (-1, -1, -1)
    }
    var index = StubIndex(limits)
    index.lastNumber = lastNumber
    swap(&self, &index)
    return index
  }
}

// Where a stub goes.
extension StubIndex {
  private struct Placement {
    let tuple: Int
    let key: UInt64
    let place: Equality.Place
  }

  private mutating func insertScanned(_ stub: Stub) {
    scanned.insert(stub)
    newestScanned = max(newestScanned, stub.ordinal)
  }

  private mutating func insert(_ stub: Stub, at placement: Placement) {
    let position = entries.add(
      .init(
        stub: stub, ordinal: stub.ordinal, key: placement.key, sibling: stub.firstEntry, tuple: Int32(placement.tuple)))
    stub.firstEntry = position
    tuples[placement.tuple].add(placement.place)
    tuples[placement.tuple].link(position, in: &entries)
  }

  /// The tuple and the key for a condition's equalities; nil when no tuple can take it.
  private mutating func placement(for equalities: [Equality]) -> Placement? {
    var singles = SingleHashes()
    var multiples: [Equality] = []
    for equality in equalities {
      if equality.dimension.isSingle { singles.add(equality) } else { multiples.append(equality) }
    }
    guard !multiples.isEmpty else { return placement(singles, nil).map(\.placement) }
    // Stubs that share a page number and differ by an id should be told apart by the id: the emptiest bucket wins.
    var best: (placement: Placement, isFree: Bool)?
    for multiple in multiples {
      guard let candidate = placement(singles, multiple) else { continue }
      if candidate.isFree { return candidate.placement }
      best = best ?? candidate
    }
    return best?.placement
  }

  private mutating func placement(
    _ singles: SingleHashes, _ multiple: Equality?
  ) -> (placement: Placement, isFree: Bool)? {
    var wanted = singles.dimensions
    if let multiple { wanted.formUnion(DimensionSet(multiple.dimension)) }
    guard let number = tuple(for: wanted) else { return nil }
    let multiple = tuples[number].multiple == nil ? nil : multiple
    let key = tuples[number].key(singles, multiple: multiple?.hash) & keyMask
    let place = multiple?.place ?? .wholeValue
    let isFree = tuples[number].table.entry(key, in: entries) < 0
    return (Placement(tuple: number, key: key, place: place), isFree)
  }

  /// The tuple of just these dimensions, or, when there are enough tuples, of the most of them.
  private mutating func tuple(for wanted: DimensionSet) -> Int? {
    if let number = tupleOfDimensions[wanted] { return number }
    guard tuples.count >= limits.tuples else {
      tuples.append(StubTuple(wanted))
      tupleOfDimensions[wanted] = tuples.count - 1
      return tuples.count - 1
    }
    return tuples.indices.filter { tuples[$0].dimensions.isSubset(of: wanted) }
      .max { tuples[$0].dimensions.rawValue.nonzeroBitCount < tuples[$1].dimensions.rawValue.nonzeroBitCount }
  }
}

// What a request finds.
extension StubIndex {
  enum Candidate {
    case stub(Stub)
    /// A newer stub may match than any that could be found without the body.
    case needsBody
    case none
  }

  /// The newest stub that the request may match, of those with an equality.
  ///
  /// - Parameter keys: The request's values; those of the body only if they have been worked out.
  func newestCandidate(_ keys: inout RequestKeys) -> Candidate {
    var best: Stub?
    var needsBody = false
    for number in tuples.indices {
      guard tuples[number].newest > (best?.ordinal ?? 0) else { continue }
      if tuples[number].isOfBody && !keys.hasBody {
        needsBody = true
        continue
      }
      forEachHead(of: number, &keys) { head in
        guard let stub = entries[head].stub, stub.ordinal > (best?.ordinal ?? 0) else { return }
        best = stub
      }
    }
    if needsBody && tuples.indices.contains(where: { tuples[$0].isOfBody && tuples[$0].newest > (best?.ordinal ?? 0) })
    {
      return .needsBody
    }
    return best.map { .stub($0) } ?? .none
  }

  /// All stubs older than that one which the request may match, of those with an equality, newest first. As long as its
  /// body is not known, it may match all that are known by a body.
  func candidates(olderThan ordinal: UInt64, _ keys: inout RequestKeys) -> [Stub] {
    var found: [Stub] = []
    func collect(from head: Int32) {
      var position = head
      while position >= 0 {
        if let stub = entries[position].stub, stub.ordinal < ordinal { found.append(stub) }
        position = entries[position].older
      }
    }
    for number in tuples.indices {
      if tuples[number].isOfBody && !keys.hasBody {
        tuples[number].table.forEachEntry { collect(from: $0) }
      } else {
        forEachHead(of: number, &keys) { collect(from: $0) }
      }
    }
    found.sort { $0.ordinal > $1.ordinal }
    // A stub with several alternatives may have been found by more than one of them.
    return found.indices.filter { $0 == 0 || found[$0] !== found[$0 - 1] }.map { found[$0] }
  }

  /// Calls `body` with the newest entry of each key that the request has in a tuple.
  @inline(__always)
  private func forEachHead(of number: Int, _ keys: inout RequestKeys, _ body: (Int32) -> Void) {
    guard tuples[number].table.count > 0 else { return }
    var base = KeyHash(seed: UInt64(tuples[number].dimensions.rawValue))
    for dimension in tuples[number].singles {
      guard let hash = keys.single(dimension) else { return }
      base.add(hash, of: dimension)
    }
    func probe(_ key: UInt64) {
      let head = tuples[number].table.entry(key & keyMask, in: entries)
      if head >= 0 { body(head) }
    }
    guard let multiple = tuples[number].multiple else { return probe(base.value) }
    keys.forEachValue(of: multiple, in: tuples[number]) { probe(StubTuple.key(base, $0)) }
  }
}

extension Stub {
  var holdsClosure: Bool { condition.holdsClosure || responder.runsClosures }
}
