/// Tuples in the order in which they were added, up to a fixed number. They stay in place, and looking at one copies
/// nothing.
struct TupleList: ~Copyable {
  // Holds: allocated in `init` for `capacity` tuples, freed in `deinit`, and never lent.
  private let tuples: UnsafeMutablePointer<StubTuple>
  private let capacity: Int
  /// The number of tuples. Those below it are initialised, and stay so until the end.
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    tuples = .allocate(capacity: capacity)
  }

  deinit {
    tuples.deinitialize(count: count)
    tuples.deallocate()
  }

  var indices: Range<Int> { Range(uncheckedBounds: (0, count)) }

  subscript(number: Int) -> StubTuple {
    @inline(__always) _read {
      assert(number < count)
      yield tuples[number]
    }
    @inline(__always) _modify {
      assert(number < count)
      yield &tuples[number]
    }
  }

  mutating func append(_ tuple: consuming StubTuple) {
    precondition(count < capacity)
    (tuples + count).initialize(to: tuple)
    count += 1
  }
}
