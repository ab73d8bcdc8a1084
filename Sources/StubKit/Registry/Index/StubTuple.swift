/// All stubs whose conditions have equalities in the same dimensions, by the values.
///
/// It is an object, because an index looks at its tuples in place. The registry's lock guards it, so that checks for
/// exclusive access would find nothing.
final class StubTuple {
  let dimensions: DimensionSet
  /// The dimensions in which a request has one value, in a fixed order.
  let singles: [Dimension]
  /// The dimension in which it has many, if there is one.
  let multiple: Dimension?
  /// A Boolean value that indicates whether a plain head is enough to know a request's keys here.
  let isPlain: Bool
  /// The place of the values of `multiple` in a request, if it depends on the stubs. It never shrinks, because there
  /// are few.
  @exclusivity(unchecked) private(set) var affixes: Affixes
  @exclusivity(unchecked) private(set) var shapes: [PathShape] = []

  /// The rank of the newest stub in the tuple.
  @exclusivity(unchecked) private(set) var newest: UInt64 = 0
  @exclusivity(unchecked) private(set) var table = KeyTable()

  init(_ dimensions: DimensionSet) {
    let singles = Dimension.allCases.filter { $0.isSingle && dimensions.contains($0) }
    let multiple = Dimension.allCases.first { !$0.isSingle && dimensions.contains($0) }
    self.dimensions = dimensions
    self.singles = singles
    self.multiple = multiple
    isPlain =
      singles.allSatisfy { [.method, .scheme, .host, .port, .path].contains($0) }
      && [nil, .queryItem, .queryName, .template, .pathPrefix, .pathSuffix, .hostSuffix].contains(multiple)
    affixes = Affixes(isSuffix: multiple != .pathPrefix)
  }

  var isOfBody: Bool { multiple?.isOfBody == true }

  /// Returns the key of a stub with these equalities, one in each of the tuple's dimensions.
  func key(_ hashes: SingleHashes, multiple hash: UInt64?) -> UInt64 {
    var key = KeyHash(seed: UInt64(dimensions.rawValue))
    for dimension in singles { key.add(hashes[dimension], of: dimension) }
    return hash.map { Self.key(key, $0) } ?? key.value
  }

  @inline(__always)
  static func key(_ base: KeyHash, _ hash: UInt64) -> UInt64 {
    var key = base
    key.combine(hash)
    return key.value
  }

  func add(_ place: Equality.Place) {
    switch place {
    case .wholeValue: break
    case .affix(let length, let edge): affixes.insert(length: length, edge: edge)
    case .shape(let shape): if !shapes.contains(shape) { shapes.append(shape) }
    }
  }

  func link(_ position: Int32, in entries: inout EntryStore) {
    let key = entries[position].key
    let ordinal = entries[position].ordinal
    newest = max(newest, ordinal)
    // The new entry goes behind those of a higher priority.
    var newer: Int32 = -1
    var older = table.entry(key, in: entries)
    while older >= 0, entries[older].ordinal > ordinal { (newer, older) = (older, entries[older].older) }
    (entries[position].newer, entries[position].older) = (newer, older)
    if older >= 0 { entries[older].newer = position }
    if newer >= 0 { entries[newer].older = position } else { table.set(key, to: position, in: entries) }
  }

  func unlink(_ position: Int32, in entries: inout EntryStore) {
    let entry = entries[position]
    if entry.older >= 0 { entries[entry.older].newer = entry.newer }
    if entry.newer >= 0 {
      entries[entry.newer].older = entry.older
    } else if entry.older >= 0 {
      table.set(entry.key, to: entry.older, in: entries)
    } else {
      table.remove(entry.key, in: entries)
    }
  }
}
