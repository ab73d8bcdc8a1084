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
    multiple = Dimension.allCases.first { !$0.isSingle && dimensions.contains($0) }
  }

  var isOfBody: Bool { multiple?.isOfBody == true }

  /// Returns the key of a stub with these values, one in each of the tuple's dimensions.
  func key(_ hashes: SingleHashes, multiple hash: UInt64?) -> UInt64 {
    var key = KeyHash(seed: UInt64(dimensions.rawValue))
    for dimension in Dimension.allCases where dimension.isSingle && dimensions.contains(dimension) {
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
    if !dimensions.isDisjoint(with: .rare), !addRare(of: &facts, to: &base) { return }
    guard let multiple else { return body(base.value) }
    forEachKey(of: &facts, multiple, base, body)
  }

  // Separate functions, so that the path without them has nothing to keep for them.

  @inline(never)
  private func addRare(of facts: inout RequestFacts, to base: inout KeyHash) -> Bool {
    for dimension in [Dimension.scheme, .port, .absoluteURL] where dimensions.contains(dimension) {
      guard let hash = facts.hash(of: dimension) else { return false }
      base.add(hash, of: dimension)
    }
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
    case .wholeValue: break
    case .prefix(let length, let edge): prefixes.insert(length: length, edge: edge)
    case .shape(let shape): if !shapes.contains(shape) { shapes.append(shape) }
    }
    newest = max(newest, stub.rank)
    table.insert(stub, key)
  }

  func remove(_ stub: Stub, _ key: UInt64) {
    table.remove(stub, key)
    guard table.count == 0 else { return }
    (newest, shapes) = (0, [])
    prefixes = Prefixes()
  }
}

/// A hash table from keys to the stubs of each, with open addressing and linear probing.
///
/// It owns its memory, so that a probe counts no references.
struct KeyTable: ~Copyable {
  private struct Slot {
    var key: UInt64 = 0
    /// The newest stub of the key, or `nil` in a free slot.
    // Safe because an index lists its stubs as long as they are in a table.
    var newest: Unmanaged<Stub>?
  }
  // Positions are masked, so they are below the count, which is a power of two.
  private var slots = KeyTable.freeSlots(8)
  /// All stubs of the keys that have several, by their ranks.
  private var shared: [UInt64: StubList] = [:]
  /// The number of keys.
  private(set) var count = 0

  deinit { slots.deallocate() }

  private static func freeSlots(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot())
    return slots
  }

  private var mask: Int { slots.count &- 1 }

  /// Returns the position of the slot with a key, or of the free one where it would be.
  @inline(__always)
  private func position(of key: UInt64) -> Int {
    var position = Int(truncatingIfNeeded: key) & mask
    // The loop ends, because a table is never full.
    while slots[position].newest != nil, slots[position].key != key { position = (position &+ 1) & mask }
    return position
  }

  /// Returns the newest stub of a key.
  @inline(__always)
  func newest(_ key: UInt64) -> Unmanaged<Stub>? { slots[position(of: key)].newest }

  /// Calls `body` with each stub of a key, in no order.
  func forEachStub(_ key: UInt64, _ body: (Stub) -> Void) {
    if let stubs = shared[key] { return stubs.slots.compactMap(\.stub).forEach(body) }
    if let stub = newest(key) { body(stub.takeUnretainedValue()) }
  }

  /// Calls `body` with each stub, in no order.
  func forEachStub(_ body: (Stub) -> Void) {
    for slot in slots where slot.newest != nil { forEachStub(slot.key, body) }
  }

  mutating func insert(_ stub: Stub, _ key: UInt64) {
    if (count + 1) * 2 > slots.count { grow() }
    let position = position(of: key)
    if let newest = slots[position].newest?.takeUnretainedValue() {
      shared[key, default: StubList(newest)].insert(stub, stub.rank)
      if newest.rank > stub.rank { return }
    } else {
      count += 1
    }
    slots[position] = Slot(key: key, newest: .passUnretained(stub))
  }

  /// Removes a stub. A key without stubs leaves no mark: the gap is closed.
  mutating func remove(_ stub: Stub, _ key: UInt64) {
    var gap = position(of: key)
    shared[key]?.remove(stub.rank)
    if let newest = shared[key]?.sorted.last?.stub { return slots[gap].newest = .passUnretained(newest) }
    guard slots[gap].newest != nil else { return }
    shared[key] = nil
    count -= 1
    var next = (gap + 1) & mask
    while slots[next].newest != nil {
      let home = Int(truncatingIfNeeded: slots[next].key) & mask
      if (next - home) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap] = Slot()
  }

  private mutating func grow() {
    let old = slots
    defer { old.deallocate() }
    slots = Self.freeSlots(old.count * 2)
    for slot in old where slot.newest != nil { slots[position(of: slot.key)] = slot }
  }
}
