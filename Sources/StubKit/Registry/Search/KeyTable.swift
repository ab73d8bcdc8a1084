/// The lists of stubs, by their keys.
///
/// A key is a hash already. A dictionary would hash it again, which takes a twelfth of a match by path, and more of one
/// that looks up several keys.
struct KeyTable {
  private struct Slot {
    var key: UInt64 = 0
    /// The stubs of the key, or `nil` in a free slot. A key that has lost its stubs keeps its slot until the table
    /// grows, so that the keys behind it are found.
    var list: StubList<Stub>?
  }

  /// The slots, of which at most half are taken. Their number is a power of two.
  private var slots = [Slot](repeating: Slot(), count: 8)
  private var takenCount = 0

  /// The list at a place.
  subscript(place: Int) -> StubList<Stub> {
    @inline(__always) get { slots[place].list ?? StubList() }
    @inline(__always) _modify { yield &slots[place].list! }
  }

  /// Returns the place of a key's list, or `nil` if there is none.
  @inline(__always)
  func place(of key: UInt64) -> Int? {
    let place = slot(of: key)
    return slots[place].list == nil ? nil : place
  }

  /// Returns the slot with a key, or the free one where it would be.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: key) & mask
    while slots[place].key != key, slots[place].list != nil { place = (place &+ 1) & mask }
    return place
  }

  mutating func insert(_ stub: Stub, _ key: UInt64) {
    var place = slot(of: key)
    if slots[place].list == nil {
      if 2 * takenCount >= slots.count {
        grow()
        place = slot(of: key)
      }
      slots[place] = Slot(key: key, list: StubList())
      takenCount += 1
    }
    self[place].insert(stub, stub.rank)
  }

  mutating func remove(_ stub: Stub, _ key: UInt64) {
    guard let place = place(of: key) else { return }
    self[place].remove(stub.rank)
    if self[place].count == 0 { self[place] = StubList() }
  }

  private mutating func grow() {
    let old = slots.filter { $0.list?.count ?? 0 > 0 }
    takenCount = old.count
    var count = 8
    while count < 4 * old.count { count *= 2 }
    slots = Array(repeating: Slot(), count: count)
    for entry in old { slots[slot(of: entry.key)] = entry }
  }
}
