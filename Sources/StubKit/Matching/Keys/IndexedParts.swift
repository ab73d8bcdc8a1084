/// The parts of requests by which stubs are known, where a request can have many: its header fields, the places in its
/// JSON, and other parts of its body. To find candidates, a search reads nothing else of a header or of JSON.
package struct IndexedParts: Sendable {
  /// The names of header fields.
  var headers: HashFilter = []
  /// The places in JSON.
  var places: HashFilter = []
  /// The arrays and objects around these places.
  var containers: HashFilter = []
  /// The dimensions of bodies.
  var body: DimensionSet = []
}

/// A set of hashes of which only six bits count. It contains each hash that was added. That it can contain others costs
/// look-ups in vain, and no wrong answer.
package struct HashFilter: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  @inline(__always)
  init(hash: UInt64) { rawValue = 1 &<< hash }

  @inline(__always)
  func contains(hash: UInt64) -> Bool { rawValue &>> hash & 1 != 0 }
}

/// The parts by which the stubs of an index are known now. A part leaves with the last one of its stubs.
struct CountedParts {
  private var headers = CountedFilter()
  private var places = CountedFilter()
  private var containers = CountedFilter()

  var parts: IndexedParts {
    IndexedParts(headers: headers.filter, places: places.filter, containers: containers.filter)
  }

  /// - Parameter difference: 1 to add the parts of a stub, and -1 to remove them.
  mutating func change(_ parts: IndexedParts, by difference: Int) {
    headers.change(parts.headers, by: difference)
    places.change(parts.places, by: difference)
    containers.change(parts.containers, by: difference)
  }
}

/// A filter that knows how often each of its bits was added.
private struct CountedFilter {
  private(set) var filter: HashFilter = []
  private var counts: [Int] = []

  mutating func change(_ bits: HashFilter, by difference: Int) {
    guard !bits.isEmpty else { return }
    if counts.isEmpty { counts = Array(repeating: 0, count: 64) }
    for place in counts.indices where bits.contains(hash: UInt64(place)) {
      counts[place] += difference
      let bit = HashFilter(hash: UInt64(place))
      if counts[place] > 0 { filter.formUnion(bit) } else { filter.subtract(bit) }
    }
  }
}
