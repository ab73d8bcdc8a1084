/// The places of stubs in the tuples' tables: linked from newer to older for each key, and from one of a stub's places to
/// its next. Freed entries are used again.
struct EntryStore {
  struct Entry {
    var stub: Stub?
    /// The stub's, without a look at it.
    var ordinal: UInt64
    var key: UInt64
    /// The next older and newer entries of the same key, -1 for none. `older` also links the free entries.
    var older: Int32 = -1
    var newer: Int32 = -1
    /// The next entry of the same stub, -1 for none.
    var sibling: Int32 = -1
    var tuple: Int32
  }

  private var entries: [Entry] = []
  private var firstFree: Int32 = -1

  subscript(position: Int32) -> Entry {
    @inline(__always) get { entries[Int(position)] }
    @inline(__always) _modify { yield &entries[Int(position)] }
  }

  @inline(__always)
  func key(_ position: Int32) -> UInt64 { entries[Int(position)].key }

  @inline(__always)
  func stub(_ position: Int32) -> Stub? { entries[Int(position)].stub }

  @inline(__always)
  func ordinal(_ position: Int32) -> UInt64 { entries[Int(position)].ordinal }

  mutating func add(_ entry: Entry) -> Int32 {
    guard firstFree >= 0 else {
      entries.append(entry)
      return Int32(entries.count - 1)
    }
    let position = firstFree
    firstFree = entries[Int(position)].older
    entries[Int(position)] = entry
    return position
  }

  mutating func free(_ position: Int32) {
    entries[Int(position)] = Entry(stub: nil, ordinal: 0, key: 0, older: firstFree, tuple: 0)
    firstFree = position
  }
}
