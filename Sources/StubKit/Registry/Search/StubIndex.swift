import Foundation

/// The stubs of a registry, in the order in which they answer. The index is a tuple space search.
///
/// Each condition yields the values that a request must have for it to match. The set of their dimensions is the
/// stub's tuple, and all stubs of one tuple share one hash table, with the values as keys (Srinivasan, Suri,
/// Varghese, "Packet classification using tuple space search", SIGCOMM 1999). A request probes each tuple once, or
/// once for each of its own items, so 100,000 stubs in three styles cost three probes. Conditions that
/// require none are in one unindexed list that is scanned. The index finds candidates, and its caller verifies their
/// conditions.
///
/// The index lives under its registry's lock and runs none of the user's code.
struct StubIndex: ~Copyable {
  /// Limits that tests change to make rare cases frequent.
  struct Limits {
    /// With more tuples than this, a condition goes to a coarser one.
    var tuples = 32
    /// The bits of a key that count. Few of them force collisions.
    var keyMask = UInt64.max
  }

  /// All stubs, by their identifiers.
  private var roster = StubList()
  /// The stubs that require no value, by their ranks.
  private var unindexed = StubList()
  /// The tuples in the order in which they were first needed. Each one knows its newest stub, and is skipped if a
  /// newer one is found. One that has lost its stubs makes room for another one.
  private var tuples: [StubTuple] = []
  /// The places of stubs after their first ones, by the identifiers: one for each further alternative of an `||`.
  private var otherPlaces: [UInt64: [Placement]] = [:]
  /// The header fields and places in JSON by which stubs are known, of each of these stubs by its identifier, and of
  /// all.
  private var partsOfStubs: [UInt64: [IndexedParts]] = [:]
  private var countedParts = CountedParts()
  private var closureCount = 0
  /// The number of those whose condition more than the method and the URL decides.
  private var otherClosureCount = 0
  private let limits: Limits

  /// The numbers of stubs that were ever added to searches, and removed from them.
  struct Changes {
    var added = 0
    var removed = 0
  }

  private(set) var changes = Changes()

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The stubs, oldest first.
  var stubs: [Stub] { mutating get { roster.sorted.compactMap(\.stub) } }

  /// Returns whether answering a request can run the user's code, as far as its method and its URL tell at once.
  ///
  /// - Parameter request: The request, or `nil` for any request.
  mutating func mayRunClosures(for request: URLRequest?) -> Bool {
    guard closureCount > 0, otherClosureCount == 0, let request else { return closureCount > 0 }
    var facts = RequestFacts(request)
    var candidate = Stub?.none
    // The headers of the session are not known yet, and no header is read under the lock.
    guard newestCandidate(&facts, &candidate) != nil else { return true }
    if let newest = unindexedStubs?.last?.stub, newest.rank > candidate?.rank ?? 0 { candidate = newest }
    guard let candidate else { return false }
    return candidate.leadsToOthers || candidate.hasClosure || !candidate.compiled.decides
      || candidate.compiled.passes(facts.requestURL, method: facts.methodCode) != true
  }

  /// The parts of requests by which some stub is known.
  var parts: IndexedParts {
    var parts = countedParts.parts
    for tuple in tuples where tuple.source == .body && tuple.table.count > 0 { parts.body.formUnion(tuple.dimensions) }
    return parts
  }

  mutating func contains(_ stub: Stub) -> Bool { roster.place(of: stub.id) != nil }

  mutating func insert(_ stub: Stub) {
    roster.insert(stub, stub.id)
    count(stub, 1)
    place(stub)
  }

  /// Lets searches find a stub again that has a use left after all. Does nothing for one that was removed.
  mutating func restore(_ stub: Stub) {
    guard contains(stub) else { return }
    withdraw(stub)
    place(stub)
  }

  private mutating func place(_ stub: Stub) {
    changes.added += 1
    guard let alternatives = stub.condition.indexAlternatives() else { return unindexed.insert(stub, stub.rank) }
    for values in alternatives {
      guard let placement = placement(for: values) else {
        // An alternative that fits into no tuple makes every request a candidate.
        withdraw(stub)
        return unindexed.insert(stub, stub.rank)
      }
      insert(stub, at: placement)
    }
  }

  /// Returns `false` if the stub is not in the index.
  mutating func remove(_ stub: Stub) -> Bool {
    withdraw(stub)
    guard roster.remove(stub.id) else { return false }
    count(stub, -1)
    return true
  }

  private mutating func count(_ stub: Stub, _ difference: Int) {
    guard stub.hasClosure else { return }
    closureCount += difference
    if !stub.compiled.decides { otherClosureCount += difference }
  }

  /// Removes a stub that can't answer any more from searches. It stays listed. Does nothing for one that was removed.
  mutating func withdraw(_ stub: Stub) {
    guard contains(stub) else { return }
    changes.removed += 1
    unindexed.remove(stub.rank)
    if stub.tuple >= 0 { tuples[Int(stub.tuple)].remove(stub, stub.key) }
    stub.tuple = -1
    for place in otherPlaces.removeValue(forKey: stub.id) ?? [] { tuples[place.tuple].remove(stub, place.key) }
    for parts in partsOfStubs.removeValue(forKey: stub.id) ?? [] { countedParts.change(parts, by: -1) }
  }

  /// Leaves a stub only in the place of its first alternative. Returns `false` if it has no other one.
  mutating func narrow(_ stub: Stub) -> Bool {
    guard let places = otherPlaces.removeValue(forKey: stub.id) else { return false }
    for place in places { tuples[place.tuple].remove(stub, place.key) }
    return true
  }

  /// Returns the previous content, to be released outside the lock.
  mutating func removeAll() -> StubIndex { exchange(&self, with: StubIndex(limits)) }
}

// Placing stubs.
extension StubIndex {
  private struct Placement {
    let tuple: Int
    let key: UInt64
    let anchor: RequiredValue.Anchor
    /// A Boolean value that indicates whether no stub has the key.
    let isFree: Bool
  }

  private mutating func insert(_ stub: Stub, at placement: Placement) {
    tuples[placement.tuple].insert(stub, placement.key, placement.anchor)
    if case .parts(let parts) = placement.anchor {
      partsOfStubs[stub.id, default: []].append(parts)
      countedParts.change(parts, by: 1)
    }
    if stub.tuple >= 0 { return otherPlaces[stub.id, default: []].append(placement) }
    stub.tuple = Int32(placement.tuple)
    stub.key = placement.key
  }

  /// Returns the tuple and the key for the values that a condition requires, or `nil` if no tuple can take it.
  private mutating func placement(for values: RequiredValues) -> Placement? {
    guard !values.multiples.isEmpty else { return placement(values.singles, nil) }
    // If stubs share a page number and differ by an id, the id should distinguish them: the emptiest bucket wins.
    var best: Placement?
    for multiple in values.multiples {
      guard let candidate = placement(values.singles, multiple) else { continue }
      if candidate.isFree { return candidate }
      best = best ?? candidate
    }
    return best
  }

  private mutating func placement(_ singles: SingleHashes, _ multiple: RequiredValue?) -> Placement? {
    var wanted = singles.dimensions
    if let multiple { wanted.formUnion(DimensionSet(multiple.dimension)) }
    guard let number = tuple(for: wanted) else { return nil }
    let multiple = tuples[number].multiple == nil ? nil : multiple
    let key = tuples[number].key(singles, multiple: multiple?.hash) & limits.keyMask
    return Placement(
      tuple: number, key: key, anchor: multiple?.anchor ?? .wholeValue,
      isFree: tuples[number].table.newest(key) == nil)
  }

  /// Returns the tuple of exactly these dimensions, or, if there are enough tuples, of the most of them.
  private mutating func tuple(for wanted: DimensionSet) -> Int? {
    if let number = tuples.firstIndex(where: { $0.dimensions == wanted }) { return number }
    if let number = tuples.firstIndex(where: { $0.table.count == 0 }) {
      tuples[number] = StubTuple(wanted)
      return number
    }
    if tuples.count < limits.tuples {
      tuples.append(StubTuple(wanted))
      return tuples.count - 1
    }
    return tuples.indices.filter { tuples[$0].dimensions.isSubset(of: wanted) }
      .max { tuples[$0].dimensions.rawValue.nonzeroBitCount < tuples[$1].dimensions.rawValue.nonzeroBitCount }
  }
}

// Finding the candidates for a request.
extension StubIndex {
  /// The stubs that every request must be checked against, oldest first, with holes, or `nil` if there are none.
  var unindexedStubs: [StubList.Slot]? { mutating get { unindexed.slots.isEmpty ? nil : unindexed.sorted } }

  /// Finds the newest indexed stub that a request can match, and returns its rank, or `nil` if a newer one can be known
  /// by a header or by the body, which have not been read. This is mutating so that it receives the index in place.
  @inline(__always)
  mutating func newestCandidate(_ facts: inout RequestFacts, _ candidate: inout Stub?) -> UInt64? {
    var best = Unmanaged<Stub>?.none
    var newest = UInt64(0)
    var newestUnread = UInt64(0)
    let keyMask = limits.keyMask
    // Safe because both kinds of reference are a pointer. Counting one, even the array's, takes longer than a probe.
    tuples.withUnsafeBytes {
      $0.withMemoryRebound(to: Unmanaged<StubTuple>.self) { tuples in
        for tuple in tuples {
          tuple._withUnsafeGuaranteedRef { tuple in
            guard tuple.newest > newest else { return }
            if tuple.isUnread(in: facts) { return newestUnread = max(newestUnread, tuple.newest) }
            tuple.forEachKey(of: &facts) { key in
              guard let stub = tuple.table.newest(key & keyMask) else { return }
              let rank = stub._withUnsafeGuaranteedRef { $0.rank }
              if rank > newest {
                best = stub
                newest = rank
              }
            }
          }
        }
      }
    }
    guard newestUnread <= newest else { return nil }
    if let best { candidate = best.takeUnretainedValue() }
    return newest
  }

  /// Returns the stubs older than a rank that the request can match, newest first: the indexed ones, or all. While
  /// its headers or its body are unread, it can match every stub that is known by one.
  func candidates(olderThan rank: UInt64, _ facts: inout RequestFacts, all: Bool = false) -> [Stub] {
    var found = all ? unindexed.slots.compactMap(\.stub) : []
    func collect(_ stub: Stub) { if stub.rank < rank { found.append(stub) } }
    for tuple in tuples {
      if tuple.isUnread(in: facts) {
        tuple.table.forEachStub(collect)
      } else {
        tuple.forEachKey(of: &facts) { tuple.table.forEachStub($0 & limits.keyMask, collect) }
      }
    }
    found.sort { $0.rank > $1.rank }
    // A stub with several alternatives can have been found by more than one of them.
    return found.indices.filter { $0 == 0 || found[$0] !== found[$0 - 1] }.map { found[$0] }
  }
}

extension Stub {
  var hasClosure: Bool { condition.hasClosure || responder.runsClosures }

  /// A Boolean value that indicates whether another stub can answer in its place, or what follows its answer.
  fileprivate var leadsToOthers: Bool {
    limit < .max
      || responder.map { (300...399).contains($0.status) || $0.isPassedThrough || $0.options?.changes != nil }
        .contains(true)
  }
}

/// All stubs whose conditions require values in the same dimensions, by the values.
///
/// It is an object, because an index looks at its tuples in place. The registry's lock guards it, so that checks for
/// exclusive access would find nothing.
final class StubTuple {
  let dimensions: DimensionSet
  /// The dimension in which it has many, if there is one.
  let multiple: Dimension?
  /// The place of the values of `multiple` in a request, if it depends on the stubs. It shrinks only when the tuple is
  /// empty, because there are few.
  @exclusivity(unchecked) private var prefixes = Prefixes()
  @exclusivity(unchecked) private var shapes: [PathShape] = []

  /// The rank of the newest stub that it has had since it was empty, or 0 if it is empty.
  @exclusivity(unchecked) private(set) var newest: UInt64 = 0
  @exclusivity(unchecked) private(set) var table = KeyTable()

  init(_ dimensions: DimensionSet) {
    self.dimensions = dimensions
    let multiple = Dimension.allCases.dropFirst(Dimension.singles.count).first { dimensions.contains($0) }
    self.multiple = multiple
    source = multiple == .headerItem ? .header : multiple?.isOfBody == true ? .body : .line
  }

  /// The part of a request that has its values: the method and the URL, which are known, or what is read only if a stub
  /// is known by it.
  enum Source { case line, header, body }
  let source: Source

  /// Returns whether the values of a request have not been read.
  @inline(__always)
  func isUnread(in facts: RequestFacts) -> Bool {
    switch source {
    case .line: false
    case .header: !facts.hasIndexedHeaders
    case .body: !facts.hasBodyHashes
    }
  }

  /// Returns the key of a stub with these values, one in each of the tuple's dimensions.
  func key(_ hashes: SingleHashes, multiple hash: UInt64?) -> UInt64 {
    var key = KeyHash(seed: UInt64(dimensions.rawValue))
    for dimension in Dimension.singles where dimensions.contains(dimension) {
      key.add(hashes[dimension], of: dimension)
    }
    return hash.map { Self.key(key, $0) } ?? key.value
  }

  /// Calls `body` with each key under which a stub can be that matches the request.
  @inline(__always)
  func forEachKey(of facts: inout RequestFacts, _ body: (UInt64) -> Void) {
    var base = KeyHash(seed: UInt64(dimensions.rawValue))
    if dimensions.contains(.method) { base.add(facts.methodHash, of: .method) }
    if dimensions.contains(.host) {
      guard let hash = facts.hostHash else { return }
      base.add(hash, of: .host)
    }
    if dimensions.contains(.path) {
      guard let hash = facts.pathHash else { return }
      base.add(hash, of: .path)
    }
    if dimensions.contains(.absoluteURL), !addURL(of: &facts, to: &base) { return }
    guard let multiple else { return body(base.value) }
    forEachKey(of: &facts, multiple, base, body)
  }

  // Separate functions, so that the path without them has nothing to keep for them.

  @inline(never)
  private func addURL(of facts: inout RequestFacts, to base: inout KeyHash) -> Bool {
    guard let hash = facts.absoluteURLHash else { return false }
    base.add(hash, of: .absoluteURL)
    return true
  }

  @inline(never)
  private func forEachKey(
    of facts: inout RequestFacts, _ multiple: Dimension, _ base: KeyHash, _ body: (UInt64) -> Void
  ) {
    facts.forEachHash(of: multiple, prefixes, shapes) { body(Self.key(base, $0)) }
  }

  @inline(__always)
  private static func key(_ base: KeyHash, _ hash: UInt64) -> UInt64 {
    var key = base
    key.combine(hash)
    return key.value
  }

  func insert(_ stub: Stub, _ key: UInt64, _ anchor: RequiredValue.Anchor) {
    switch anchor {
    case .wholeValue, .parts: break
    case .prefix(let length, let edge): prefixes.insert(length: length, edge: edge)
    case .shape(let shape): if !shapes.contains(shape) { shapes.append(shape) }
    }
    newest = max(newest, stub.rank)
    table.insert(stub, key)
  }

  func remove(_ stub: Stub, _ key: UInt64) {
    table.remove(stub, key)
    guard table.count == 0 else { return }
    newest = 0
    shapes = []
    prefixes = Prefixes()
  }
}
