/// The stubs of a registry, in the order in which they answer. The index is a tuple space search.
///
/// Each condition yields the equalities that a request must have for it to match. The set of their dimensions is the
/// stub's tuple, and all stubs of one tuple share one hash table, with the values as keys (Srinivasan, Suri,
/// Varghese, "Packet classification using tuple space search", SIGCOMM 1999). A request probes each tuple once, or
/// once for each of its own items, so 100,000 stubs in three styles cost three probes. Conditions without an equality
/// are in one list that is scanned. The index finds candidates, and its caller verifies their conditions.
///
/// The index lives under its registry's lock and runs none of the user's code.
struct StubIndex: ~Copyable {
  /// Limits that tests change to make rare cases frequent.
  struct Limits: Sendable {
    /// With more tuples than this, a condition goes to a coarser one.
    var tuples = 32
    /// The bits of a key that count. Few of them force collisions.
    var keyMask = UInt64.max
  }

  private var roster = StubRoster(.all)
  /// The stubs without an equality.
  private var scanned = StubRoster(.scanned)
  private(set) var entries = EntryStore()
  /// The tuples in the order in which they were first needed. Each one knows its newest stub, and is skipped if a
  /// newer one is found.
  private(set) var tuples = TupleList()
  private var tupleOfDimensions: [DimensionSet: Int] = [:]
  /// The rank of the newest stub without an equality, or 0 if there is none.
  private(set) var newestScanned: UInt64 = 0
  private var closureHolders = 0
  /// The numbers of the newest stub, and of the one that is asked last.
  private var (lastNumber, firstNumber) = (UInt64(1) << 47, UInt64(1) << 47)
  private let limits: Limits

  init(_ limits: Limits = Limits()) { self.limits = limits }

  var keyMask: UInt64 { limits.keyMask }

  /// The stubs, oldest first.
  var stubs: [Stub] { roster.stubs }

  /// A Boolean value that indicates whether answering can run the user's code.
  var holdsClosure: Bool { closureHolders > 0 }

  /// The stubs that every request must be checked against, oldest first. Removed stubs leave holes.
  var unindexed: [Stub?] { scanned.slots }

  /// A Boolean value that indicates whether some stub is known by the body of its requests.
  var looksAtBodies: Bool { tuples.all.contains { $0.isOfBody && $0.table.count > 0 } }

  func contains(_ stub: Stub) -> Bool { roster.contains(stub) }

  /// - Parameter isLast: Whether the stub is asked after all others of its priority, instead of before them.
  mutating func insert(_ stub: Stub, isLast: Bool = false) {
    if isLast { firstNumber -= 1 } else { lastNumber += 1 }
    stub.ordinal = UInt64(stub.priority - Int(Int16.min)) << 48 | (isLast ? firstNumber : lastNumber)
    roster.append(stub)
    closureHolders += stub.holdsClosure ? 1 : 0
    guard let alternatives = stub.condition.indexAlternatives() else { return insertScanned(stub) }
    let placements = alternatives.compactMap { placement(for: $0) }
    // An alternative that fits into no tuple makes every request a candidate.
    guard placements.count == alternatives.count else { return insertScanned(stub) }
    for placement in placements { insert(stub, at: placement) }
  }

  /// Returns `false` if the stub is not in the index.
  mutating func remove(_ stub: Stub) -> Bool {
    guard roster.remove(stub) else { return false }
    closureHolders -= stub.holdsClosure ? 1 : 0
    withdraw(stub)
    return true
  }

  /// Removes a stub that can't answer any more from searches. It stays listed.
  mutating func withdraw(_ stub: Stub) {
    if scanned.remove(stub) { newestScanned = scanned.newest?.ordinal ?? 0 }
    var position = stub.firstEntry
    stub.firstEntry = -1
    while position >= 0 {
      let next = entries[position].sibling
      tuples.all[Int(entries[position].tuple)].unlink(position, in: &entries)
      entries.free(position)
      position = next
    }
  }

  /// Returns the previous content, to be released outside the lock.
  mutating func removeAll() -> StubIndex {
    for stub in roster.stubs {
      (stub.rosterPosition, stub.scanPosition, stub.firstEntry) = (-1, -1, -1)
    }
    var index = StubIndex(limits)
    (index.lastNumber, index.firstNumber) = (lastNumber, firstNumber)
    swap(&self, &index)
    return index
  }
}

// Finding the place of a stub.
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
    let position = entries.add(.init(stub, key: placement.key, tuple: placement.tuple))
    stub.firstEntry = position
    tuples.all[placement.tuple].add(placement.place)
    tuples.all[placement.tuple].link(position, in: &entries)
  }

  /// Returns the tuple and the key for the equalities of a condition, or `nil` if no tuple can take it.
  private mutating func placement(for equalities: [Equality]) -> Placement? {
    var singles = SingleHashes()
    var multiples: [Equality] = []
    for equality in equalities {
      if equality.dimension.isSingle { singles.add(equality) } else { multiples.append(equality) }
    }
    guard !multiples.isEmpty else { return placement(singles, nil).map(\.placement) }
    // If stubs share a page number and differ by an id, the id should distinguish them: the emptiest bucket wins.
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
    let multiple = tuples.all[number].multiple == nil ? nil : multiple
    let key = tuples.all[number].key(singles, multiple: multiple?.hash) & keyMask
    let place = multiple?.place ?? .wholeValue
    let isFree = tuples.all[number].table.entry(key, in: entries) < 0
    return (Placement(tuple: number, key: key, place: place), isFree)
  }

  /// Returns the tuple of exactly these dimensions, or, if there are enough tuples, of the most of them.
  private mutating func tuple(for wanted: DimensionSet) -> Int? {
    if let number = tupleOfDimensions[wanted] { return number }
    guard tuples.count >= limits.tuples else {
      tuples.append(StubTuple(wanted))
      tupleOfDimensions[wanted] = tuples.count - 1
      return tuples.count - 1
    }
    return tuples.all.indices.filter { tuples.all[$0].dimensions.isSubset(of: wanted) }
      .max { tuples.all[$0].dimensions.rawValue.nonzeroBitCount < tuples.all[$1].dimensions.rawValue.nonzeroBitCount }
  }
}

// Finding the candidates for a request.
extension StubIndex {
  enum Candidate {
    case stub(Stub)
    /// A stub that is newer than any that could be found without the body can match.
    case needsBody
    case none
  }

  /// Returns the newest stub that the request can match, among those with an equality.
  ///
  /// - Parameter keys: The values of the request. Those of the body count only if they have been computed.
  func newestCandidate(_ keys: inout RequestKeys) -> Candidate {
    var best: Stub?
    var needsBody = false
    for tuple in tuples.all {
      guard tuple.newest > (best?.ordinal ?? 0) else { continue }
      if tuple.isOfBody && !keys.hasBody {
        needsBody = true
        continue
      }
      forEachHead(of: tuple, &keys) { head in
        guard let stub = entries[head].stub, stub.ordinal > (best?.ordinal ?? 0) else { return }
        best = stub
      }
    }
    if needsBody && tuples.all.contains(where: { $0.isOfBody && $0.newest > (best?.ordinal ?? 0) }) {
      return .needsBody
    }
    return best.map { .stub($0) } ?? .none
  }

  /// Returns all stubs older than a rank that the request can match, among those with an equality, newest first.
  /// While its body is unknown, it can match all stubs that are known by a body.
  func candidates(olderThan ordinal: UInt64, _ keys: inout RequestKeys) -> [Stub] {
    var found: [Stub] = []
    func collect(from head: Int32) {
      var position = head
      while position >= 0 {
        if let stub = entries[position].stub, stub.ordinal < ordinal { found.append(stub) }
        position = entries[position].older
      }
    }
    for tuple in tuples.all {
      if tuple.isOfBody && !keys.hasBody {
        tuple.table.forEachEntry { collect(from: $0) }
      } else {
        forEachHead(of: tuple, &keys) { collect(from: $0) }
      }
    }
    found.sort { $0.ordinal > $1.ordinal }
    // A stub with several alternatives can have been found by more than one of them.
    return found.indices.filter { $0 == 0 || found[$0] !== found[$0 - 1] }.map { found[$0] }
  }

  /// Calls `body` with the newest entry of each key that the request has in a tuple.
  @inline(__always)
  private func forEachHead(of tuple: StubTuple, _ keys: inout RequestKeys, _ body: (Int32) -> Void) {
    guard tuple.table.count > 0 else { return }
    var base = KeyHash(seed: UInt64(tuple.dimensions.rawValue))
    for dimension in tuple.singles {
      guard let hash = keys.single(dimension) else { return }
      base.add(hash, of: dimension)
    }
    func probe(_ key: UInt64) {
      let head = tuple.table.entry(key & keyMask, in: entries)
      if head >= 0 { body(head) }
    }
    guard let multiple = tuple.multiple else { return probe(base.value) }
    keys.forEachValue(of: multiple, in: tuple) { probe(StubTuple.key(base, $0)) }
  }
}

extension Stub {
  var holdsClosure: Bool { condition.holdsClosure || responder.runsClosures }
}

/// Tuples in the order in which they were added.
struct TupleList: ~Copyable {
  private(set) var all: [StubTuple] = []
  private(set) var count = 0
  // Safe because `all` keeps what this lists. Walking the array itself counts references, which takes longer than a probe.
  private var unretained = UnsafeMutablePointer<Unmanaged<StubTuple>>.allocate(capacity: 1)

  deinit { unretained.deallocate() }

  subscript(number: Int) -> Unmanaged<StubTuple> { unretained[number] }

  mutating func append(_ tuple: StubTuple) {
    all.append(tuple)
    count += 1
    unretained.deallocate()
    unretained = .allocate(capacity: all.count)
    for (number, tuple) in all.enumerated() { (unretained + number).initialize(to: .passUnretained(tuple)) }
  }
}
