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
