/// The places of stubs in the tables of tuples. For each key, they are linked from newer to older, and each place of
/// a stub is linked to its next one. Freed entries are reused.
///
/// The store owns its memory, so that looking at an entry counts no references.
struct EntryStore: ~Copyable {
  struct Entry {
    // A plain match reads these four and nothing else.
    var key: UInt64
    /// The ordinal of the stub, available without looking at the stub.
    var ordinal: UInt64
    /// The plain condition of the stub, if it has one. The stub owns it, and this entry keeps the stub.
    var plainCondition: PlainCondition.Reference?
    var stub: Stub?
    /// The next older and newer entries of the same key, or -1. `older` also links the free entries.
    var older: Int32 = -1
    var newer: Int32 = -1
    /// The next entry of the same stub, or -1.
    var sibling: Int32 = -1
    var tuple: Int32

    init(_ stub: Stub, key: UInt64, tuple: Int) {
      self.key = key
      ordinal = stub.ordinal
      plainCondition = stub.plainCondition.reference
      self.stub = stub
      sibling = stub.firstEntry
      self.tuple = Int32(tuple)
    }

    /// Creates a free entry.
    init(nextFree: Int32) { (key, ordinal, older, tuple) = (0, 0, nextFree, 0) }
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
    firstFree = entries[Int(position)].older
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
