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

/// Stubs by a number of each. Nothing is sorted before somebody asks for the order, so that registering stubs costs the
/// same in any order. A removed stub leaves a hole, and the holes are closed when they are the majority.
struct StubList {
  struct Slot {
    let number: UInt64
    var stub: Stub?
  }

  /// The stubs in any order, and the holes.
  private(set) var slots: [Slot] = []
  private var count = 0
  private var isSorted = true

  init() {}

  /// Creates a list of one stub, by its rank.
  init(_ stub: Stub) { insert(stub, stub.rank) }

  /// The stubs in ascending order of their numbers, and the holes. The last slot is never a hole.
  var sorted: [Slot] {
    mutating get {
      if !isSorted { slots.sort { $0.number < $1.number } }
      isSorted = true
      return slots
    }
  }

  mutating func insert(_ stub: Stub, _ number: UInt64) {
    isSorted = isSorted && slots.last?.number ?? 0 <= number
    slots.append(Slot(number: number, stub: stub))
    count += 1
  }

  /// Returns the position of a stub with a number, or `nil` if there is none.
  mutating func place(of number: UInt64) -> Int? {
    var range = sorted.indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = slots[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    // A stub with several alternatives can be in a list more than once.
    return slots[range.lowerBound...].prefix { $0.number == number }.firstIndex { $0.stub != nil }
  }

  /// Returns `false` if there is no stub with the number.
  @discardableResult
  mutating func remove(_ number: UInt64) -> Bool {
    guard let place = place(of: number) else { return false }
    slots[place].stub = nil
    count -= 1
    while let last = slots.last, last.stub == nil { slots.removeLast() }
    if slots.count > 16 && count < slots.count / 2 { slots.removeAll { $0.stub == nil } }
    return true
  }
}
