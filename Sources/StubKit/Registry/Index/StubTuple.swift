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

  /// The rank of the newest stub, or 0 if the tuple is empty.
  @exclusivity(unchecked) private(set) var newest: UInt64 = 0
  @exclusivity(unchecked) private(set) var table = KeyTable()
  /// The stubs by their ranks.
  @exclusivity(unchecked) private var stubs = StubList()

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

  func add(_ anchor: RequiredValue.Anchor) {
    switch anchor {
    case .wholeValue: break
    case .prefix(let length, let edge): prefixes.insert(length: length, edge: edge)
    case .shape(let shape): if !shapes.contains(shape) { shapes.append(shape) }
    }
  }

  func link(_ position: Int32, in entries: inout EntryStore) {
    let (key, rank) = (entries[position].key, entries[position].rank)
    newest = max(newest, rank)
    if let stub = entries[position].stub { stubs.insert(stub, rank) }
    let head = table.entry(key, in: entries)
    table.set(key, to: head < 0 ? position : entries.meld(head, position), in: entries)
  }

  func unlink(_ position: Int32, in entries: inout EntryStore) {
    let (key, rank) = (entries[position].key, entries[position].rank)
    stubs.remove(rank)
    if rank == newest { newest = stubs.sorted.last?.number ?? 0 }
    let head = table.entry(key, in: entries)
    let rest = entries.cut(position)
    if head != position {
      if rest >= 0 { table.set(key, to: entries.meld(head, rest), in: entries) }
    } else if rest >= 0 {
      table.set(key, to: rest, in: entries)
    } else {
      table.remove(key, in: entries)
    }
    guard table.count == 0 else { return }
    prefixes = Prefixes()
    shapes = []
  }
}

/// A hash table from keys to the newest entry of each, with open addressing, linear probing and eight bytes per slot.
///
/// The entries contain the keys. A slot contains half a key, so that a probe that misses touches nothing else. The
/// table owns its memory, so that a probe counts no references.
struct KeyTable: ~Copyable {
  private struct Slot {
    /// The upper half of the key.
    var tag: UInt32
    /// The entry, or -1.
    var entry: Int32
  }
  // Positions are masked, so they are below the count, which is a power of two.
  private var slots = KeyTable.emptySlots(8)
  private(set) var count = 0

  deinit { slots.deallocate() }

  private static func emptySlots(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(tag: 0, entry: -1))
    return slots
  }

  private var mask: Int { slots.count &- 1 }

  private static func tag(_ key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: key >> 32) }

  /// Returns the newest entry of the key, or -1.
  @inline(__always)
  func entry(_ key: UInt64, in entries: borrowing EntryStore) -> Int32 {
    let tag = Self.tag(key)
    var position = Int(truncatingIfNeeded: key) & mask
    // The loop ends, because a table is never full.
    while true {
      let slot = slots[position]
      if slot.entry < 0 || (slot.tag == tag && entries[slot.entry].key == key) { return slot.entry }
      position = (position &+ 1) & mask
    }
  }

  /// Calls `body` with the newest entry of each key, in no order.
  func forEachEntry(_ body: (Int32) -> Void) {
    for slot in slots where slot.entry >= 0 { body(slot.entry) }
  }

  /// Replaces the entry of a key, or adds it. The entries contain their keys.
  mutating func set(_ key: UInt64, to entry: Int32, in entries: borrowing EntryStore) {
    if (count + 1) * 2 > slots.count { grow(entries) }
    var position = Int(truncatingIfNeeded: key) & mask
    while slots[position].entry >= 0 {
      if entries[slots[position].entry].key == key {
        slots[position].entry = entry
        return
      }
      position = (position + 1) & mask
    }
    slots[position] = Slot(tag: Self.tag(key), entry: entry)
    count += 1
  }

  /// Removes a key and closes the gap, so that no mark of it remains.
  mutating func remove(_ key: UInt64, in entries: borrowing EntryStore) {
    var gap = Int(truncatingIfNeeded: key) & mask
    while slots[gap].entry >= 0, entries[slots[gap].entry].key != key { gap = (gap + 1) & mask }
    guard slots[gap].entry >= 0 else { return }
    count -= 1
    var next = (gap + 1) & mask
    while slots[next].entry >= 0 {
      let home = Int(truncatingIfNeeded: entries[slots[next].entry].key) & mask
      if (next - home) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap].entry = -1
  }

  private mutating func grow(_ entries: borrowing EntryStore) {
    let old = slots
    defer { old.deallocate() }
    slots = Self.emptySlots(old.count * 2)
    for slot in old where slot.entry >= 0 {
      let key = entries[slot.entry].key
      var position = Int(truncatingIfNeeded: key) & mask
      while slots[position].entry >= 0 { position = (position + 1) & mask }
      slots[position] = slot
    }
  }
}

/// The places of stubs in the tables of tuples. The places of each key are a pairing heap, so that they can come and go
/// in any order (Fredman, Sedgewick, Sleator, Tarjan, "The pairing heap", Algorithmica 1986), and each place of a stub is
/// linked to its next one. Freed entries are reused.
///
/// The store owns its memory, so that looking at an entry counts no references.
struct EntryStore: ~Copyable {
  struct Entry {
    var key: UInt64
    /// The rank of the stub, available without looking at the stub.
    var rank: UInt64
    var stub: Stub?
    /// The first of the entries that this one was found newer than, or -1.
    var child: Int32 = -1
    /// The next entry that was found older than the same one, or -1. It also links the free entries.
    var next: Int32 = -1
    /// The entry whose `next` or else `child` this is, or -1.
    var before: Int32 = -1
    /// The next entry of the same stub, or -1.
    var sibling: Int32 = -1
    var tuple: Int32

    init(_ stub: Stub, key: UInt64, tuple: Int) {
      self.key = key
      rank = stub.rank
      self.stub = stub
      sibling = stub.firstEntry
      self.tuple = Int32(tuple)
    }

    /// Creates a free entry.
    init(nextFree: Int32) { (key, rank, next, tuple) = (0, 0, nextFree, 0) }
  }

  // Every position that `add` has returned is below `count`, and the entries below it stay initialised until the end.
  private var entries = EntryStore.memory(capacity: 1)
  private var count = 0
  private var firstFree: Int32 = -1

  deinit {
    entries[..<count].deinitialize()
    entries.deallocate()
  }

  /// Returns memory that begins with a cache line, so that most entries have what a match reads in one.
  private static func memory(capacity: Int) -> UnsafeMutableBufferPointer<Entry> {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: capacity * MemoryLayout<Entry>.stride, alignment: 64)
    return memory.bindMemory(to: Entry.self)
  }

  subscript(position: Int32) -> Entry {
    @inline(__always) _read {
      assert(position >= 0 && position < count)
      yield entries[Int(position)]
    }
    @inline(__always) _modify {
      assert(position >= 0 && position < count)
      yield &entries[Int(position)]
    }
  }

  mutating func add(_ entry: Entry) -> Int32 {
    guard firstFree >= 0 else {
      if count == entries.count { grow() }
      entries.initializeElement(at: count, to: entry)
      count += 1
      return Int32(count - 1)
    }
    let position = firstFree
    firstFree = entries[Int(position)].next
    entries[Int(position)] = entry
    return position
  }

  mutating func free(_ position: Int32) {
    entries[Int(position)] = Entry(nextFree: firstFree)
    firstFree = position
  }

  private mutating func grow() {
    let larger = Self.memory(capacity: 2 * count)
    _ = larger.moveInitialize(fromContentsOf: entries)
    entries.deallocate()
    entries = larger
  }
}

// The pairing heaps.
extension EntryStore {
  /// Makes the older one of two heads the child of the newer one, which it returns.
  mutating func meld(_ one: Int32, _ other: Int32) -> Int32 {
    let (newer, older) = self[one].rank > self[other].rank ? (one, other) : (other, one)
    let next = self[newer].child
    if next >= 0 { self[next].before = older }
    (self[older].next, self[older].before) = (next, newer)
    self[newer].child = older
    return newer
  }

  /// Takes an entry out of its heap. Returns the head of those that were found older than it, or -1 if there are none.
  mutating func cut(_ position: Int32) -> Int32 {
    let entry = self[position]
    if entry.before >= 0 {
      if self[entry.before].child == position {
        self[entry.before].child = entry.next
      } else {
        self[entry.before].next = entry.next
      }
      if entry.next >= 0 { self[entry.next].before = entry.before }
    }
    // Melding pairs first, and then the pairs from the last one on, keeps later removals cheap.
    var (pairs, rest) = (Int32(-1), entry.child)
    while rest >= 0 {
      let (one, other) = (rest, self[rest].next)
      rest = other < 0 ? -1 : self[other].next
      let pair = other < 0 ? one : meld(one, other)
      (self[pair].next, self[pair].before) = (pairs, -1)
      pairs = pair
    }
    guard pairs >= 0 else { return -1 }
    var head = pairs
    pairs = self[head].next
    while pairs >= 0 {
      let next = self[pairs].next
      head = meld(head, pairs)
      pairs = next
    }
    (self[head].next, self[head].before) = (-1, -1)
    return head
  }

  /// Calls `body` with the stub of a head, and with those of all entries under it.
  func forEachOlder(than head: Int32, _ body: (Stub?) -> Void) {
    var pending = [head]
    while let position = pending.popLast() {
      guard position >= 0 else { continue }
      body(self[position].stub)
      pending += [self[position].next, self[position].child]
    }
  }
}
