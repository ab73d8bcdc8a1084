/// A hash table from keys to the newest entry of each: open addressing with linear probing, eight bytes a slot.
///
/// The keys themselves stand in the entries; a slot holds half a key, so that a probe that misses touches nothing else.
struct KeyTable {
  private struct Slot {
    /// The upper half of the key.
    var tag: UInt32
    /// The entry, or -1.
    var entry: Int32
  }
  private var slots: [Slot] = Array(repeating: .init(tag: 0, entry: -1), count: 8)
  private(set) var count = 0

  private var mask: Int { slots.count - 1 }

  private static func tag(_ key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: key >> 32) }

  /// The entry whose key this is, by `isKey` of the candidate entry.
  @inline(__always)
  func entry(_ key: UInt64, where isKey: (Int32) -> Bool) -> Int32? {
    slots.withUnsafeBufferPointer { slots in
      let mask = slots.count &- 1
      let tag = Self.tag(key)
      var position = Int(truncatingIfNeeded: key) & mask
      while slots[position].entry >= 0 {
        if slots[position].tag == tag && isKey(slots[position].entry) { return slots[position].entry }
        position = (position &+ 1) & mask
      }
      return nil
    }
  }

  /// Puts `entry` where the key's entry is, or adds it. `keyOf` gives the keys of the entries that are there.
  mutating func set(_ key: UInt64, to entry: Int32, keyOf: (Int32) -> UInt64) {
    if (count + 1) * 4 > slots.count * 3 { grow(keyOf) }
    var position = Int(truncatingIfNeeded: key) & mask
    while slots[position].entry >= 0 {
      if keyOf(slots[position].entry) == key {
        slots[position].entry = entry
        return
      }
      position = (position + 1) & mask
    }
    slots[position] = Slot(tag: Self.tag(key), entry: entry)
    count += 1
  }

  /// Takes the key out and closes the gap, so that no mark of it is left behind.
  mutating func remove(_ key: UInt64, keyOf: (Int32) -> UInt64) {
    var gap = Int(truncatingIfNeeded: key) & mask
    while slots[gap].entry >= 0, keyOf(slots[gap].entry) != key { gap = (gap + 1) & mask }
    guard slots[gap].entry >= 0 else { return }
    count -= 1
    var next = (gap + 1) & mask
    while slots[next].entry >= 0 {
      let home = Int(truncatingIfNeeded: keyOf(slots[next].entry)) & mask
      if (next - home) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap].entry = -1
  }

  private mutating func grow(_ keyOf: (Int32) -> UInt64) {
    let old = slots
    slots = Array(repeating: .init(tag: 0, entry: -1), count: old.count * 2)
    for slot in old where slot.entry >= 0 {
      let key = keyOf(slot.entry)
      var position = Int(truncatingIfNeeded: key) & mask
      while slots[position].entry >= 0 { position = (position + 1) & mask }
      slots[position] = slot
    }
  }
}
