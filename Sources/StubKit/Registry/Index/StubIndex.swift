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
  private var entries = EntryStore()
  /// The tuples in the order in which they were first needed. Each one knows its newest stub, and is skipped if a
  /// newer one is found.
  private var tuples = TupleList()
  private var tupleOfDimensions: [DimensionSet: Int] = [:]
  /// The rank of the newest stub without an equality, or 0 if there is none.
  private var newestScanned: UInt64 = 0
  private var closureHolders = 0
  /// The numbers of the newest stub, and of the one that is asked last. There are two billion on either side.
  private var (lastNumber, firstNumber) = (UInt64(1) << 31, UInt64(1) << 31)
  private let limits: Limits

  init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  /// The stubs, oldest first.
  var stubs: [Stub] { roster.stubs }

  /// A Boolean value that indicates whether answering can run the user's code.
  var holdsClosure: Bool { closureHolders > 0 }

  private var unindexed: [Stub?]? { newestScanned == 0 ? nil : scanned.slots }

  /// A Boolean value that indicates whether some stub is known by the body of its requests.
  var looksAtBodies: Bool { tuples.all.contains { $0.isOfBody && $0.table.count > 0 } }

  func contains(_ stub: Stub) -> Bool { roster.contains(stub) }

  /// - Parameter isLast: Whether the stub is asked after all others of its priority, instead of before them.
  mutating func insert(_ stub: Stub, isLast: Bool = false) {
    if isLast { firstNumber -= 1 } else { lastNumber += 1 }
    stub.ordinal = UInt64(stub.priority - Int(Int32.min)) << 32 | (isLast ? firstNumber : lastNumber)
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
    let key = tuples.all[number].key(singles, multiple: multiple?.hash) & limits.keyMask
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
  /// The newest stub that a request can match, among those with an equality.
  struct Candidate {
    /// The stub, retained once for whoever takes it, because each further time would cost as much as a probe.
    let stub: Unmanaged<Stub>?
    let ordinal: UInt64
    /// A Boolean value that indicates whether a newer one can be known by the body, whose values have not been computed.
    let needsBody: Bool
    /// The stubs that every request must be checked against, oldest first, or `nil` if there are none. Removed stubs
    /// leave holes.
    let unindexed: [Stub?]?
  }

  /// Returns the newest candidate for a request.
  ///
  /// This changes nothing, and is mutating so that it receives the index in place, and not a copy of its fields.
  @inline(__always)
  mutating func newestCandidate(_ facts: inout RequestFacts) -> Candidate {
    var (best, newest, newestOfBody) = (Int32(-1), UInt64(0), UInt64(0))
    for number in 0..<tuples.count {
      tuples[number]._withUnsafeGuaranteedRef { tuple in
        guard tuple.newest > newest else { return }
        if tuple.isOfBody && !facts.hasBodyHashes {
          newestOfBody = max(newestOfBody, tuple.newest)
          return
        }
        tuple.forEachKey(of: &facts) { key in
          let head = tuple.table.entry(key & limits.keyMask, in: entries)
          if head >= 0, entries[head].ordinal > newest { (best, newest) = (head, entries[head].ordinal) }
        }
      }
    }
    let stub = best < 0 ? nil : entries[best].stub.map { Unmanaged.passRetained($0) }
    return Candidate(stub: stub, ordinal: newest, needsBody: newestOfBody > newest, unindexed: unindexed)
  }

  /// Returns all stubs older than a rank that the request can match, among those with an equality, newest first.
  /// While its body is unknown, it can match all stubs that are known by a body.
  func candidates(olderThan ordinal: UInt64, _ facts: inout RequestFacts) -> [Stub] {
    var found: [Stub] = []
    func collect(from head: Int32) {
      var position = head
      while position >= 0 {
        if let stub = entries[position].stub, stub.ordinal < ordinal { found.append(stub) }
        position = entries[position].older
      }
    }
    for tuple in tuples.all {
      if tuple.isOfBody && !facts.hasBodyHashes {
        tuple.table.forEachEntry { collect(from: $0) }
      } else {
        tuple.forEachKey(of: &facts) { collect(from: tuple.table.entry($0 & limits.keyMask, in: entries)) }
      }
    }
    found.sort { $0.ordinal > $1.ordinal }
    // A stub with several alternatives can have been found by more than one of them.
    return found.indices.filter { $0 == 0 || found[$0] !== found[$0 - 1] }.map { found[$0] }
  }
}

extension Stub {
  var holdsClosure: Bool { condition.holdsClosure || responder.runsClosures }
}

/// Tuples in the order in which they were added.
private struct TupleList: ~Copyable {
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

/// Stubs in the order in which they were registered. Appending and removing are amortised O(1): a removed stub leaves
/// a hole, and the holes are closed when they are the majority.
struct StubRoster {
  /// The lists that a stub can be in. It knows its position in each.
  enum Kind {
    case all
    case scanned
  }

  private let kind: Kind
  private(set) var slots: [Stub?] = []
  private var count = 0

  init(_ kind: Kind) { self.kind = kind }

  var stubs: [Stub] { slots.compactMap { $0 } }

  /// The newest stub. The last slot is never a hole.
  var newest: Stub? { slots.last ?? nil }

  func contains(_ stub: Stub) -> Bool {
    let place = Int(stub[positionIn: kind])
    return slots.indices.contains(place) && slots[place] === stub
  }

  /// Inserts a stub by its ordinal: at the end, unless it has a lower priority than others.
  mutating func insert(_ stub: Stub) {
    append(stub)
    var place = slots.count - 1
    while place > 0, let before = slots[..<place].last, (before?.ordinal ?? .max) > stub.ordinal {
      slots.swapAt(place - 1, place)
      before?[positionIn: kind] = Int32(place)
      place -= 1
    }
    stub[positionIn: kind] = Int32(place)
  }

  mutating func append(_ stub: Stub) {
    stub[positionIn: kind] = Int32(slots.count)
    slots.append(stub)
    count += 1
  }

  /// Returns `false` if the stub is not in the roster.
  mutating func remove(_ stub: Stub) -> Bool {
    guard contains(stub) else { return false }
    slots[Int(stub[positionIn: kind])] = nil
    stub[positionIn: kind] = -1
    count -= 1
    while let last = slots.last, last == nil { slots.removeLast() }
    if slots.count > 16 && count < slots.count / 2 { closeHoles() }
    return true
  }

  private mutating func closeHoles() {
    slots.removeAll { $0 == nil }
    for (place, stub) in slots.enumerated() { stub?[positionIn: kind] = Int32(place) }
  }
}

extension Stub {
  // Not a key path, which would take longer than all that is done with the position.
  fileprivate subscript(positionIn kind: StubRoster.Kind) -> Int32 {
    get {
      switch kind {
      case .all: rosterPosition
      case .scanned: scanPosition
      }
    }
    set {
      switch kind {
      case .all: rosterPosition = newValue
      case .scanned: scanPosition = newValue
      }
    }
  }
}
