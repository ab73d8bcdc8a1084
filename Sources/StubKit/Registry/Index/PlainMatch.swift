import Foundation

/// The result of a search that looks only at the bytes of a plain head.
enum PlainMatch {
  /// This stub matches, and no newer one does.
  case found(Stub)
  case none
  /// The thorough search must determine it.
  case unsure
}

extension StubIndex {
  /// The path of most requests. It allocates nothing and copies nothing.
  ///
  /// It changes nothing, and is mutating so that it receives the index in place, and not a copy of its fields.
  @inline(never)
  mutating func plainMatch(_ head: borrowing PlainHead) -> PlainMatch {
    var newest = NewestEntry(ordinal: newestScanned)
    var newestOther: UInt64 = 0
    for number in 0..<tuples.count {
      tuples[number]._withUnsafeGuaranteedRef { tuple in
        guard tuple.newest > newest.ordinal else { return }
        if tuple.isPlain { probe(tuple, head, &newest) } else { newestOther = max(newestOther, tuple.newest) }
      }
    }
    guard newestOther == 0 || newestOther < newest.ordinal else { return .unsure }
    guard newest.entry >= 0 else { return newestScanned == 0 ? .none : .unsure }
    guard let condition = entries[newest.entry].plainCondition else { return .unsure }
    // With very many stubs, a match does little else than wait for memory. Looking at the stub first lets the processor
    // fetch it together with its condition.
    let isLimited = entries[newest.entry].stub?.limit != nil
    guard condition.matches(head), let stub = entries[newest.entry].stub, !isLimited || !stub.isUsedUp else {
      return .unsure
    }
    return .found(stub)
  }

  /// Looks up the values of a plain head in the dimensions of a tuple. It is mutating for the same reason.
  @inline(__always)
  private mutating func probe(_ tuple: StubTuple, _ head: borrowing PlainHead, _ newest: inout NewestEntry) {
    let dimensions = tuple.dimensions
    var base = KeyHash(seed: UInt64(dimensions.rawValue))
    if dimensions.contains(.method) { base.add(term: head.methodTerm) }
    if dimensions.contains(.scheme) { base.add(term: head.schemeTerm) }
    if dimensions.contains(.host) { base.add(term: head.hostTerm) }
    if dimensions.contains(.port) { base.add(term: head.portTerm) }
    if dimensions.contains(.path) { base.add(term: head.pathTerm) }
    guard let multiple = tuple.multiple else {
      return newest.probe(tuple.table, base.value & keyMask, entries)
    }
    probe(tuple, multiple, base, head, &newest)
  }

  /// A separate function, so that the path without it has nothing to keep for it.
  @inline(never)
  private mutating func probe(
    _ tuple: StubTuple, _ multiple: Dimension, _ base: KeyHash, _ head: borrowing PlainHead, _ newest: inout NewestEntry
  ) {
    @inline(__always)
    func probe(_ hash: UInt64) {
      newest.probe(tuple.table, StubTuple.key(base, hash) & keyMask, entries)
    }
    switch multiple {
    case .queryItem: head.forEachQueryItem(namesOnly: false) { probe($0) }
    case .queryName: head.forEachQueryItem(namesOnly: true) { probe($0) }
    case .template:
      let count = head.segmentCount
      for shape in tuple.shapes where shape.fits(count) { probe(head.hash(ofShape: shape)) }
    case .pathPrefix, .pathSuffix: tuple.affixes.forEach(in: head.part(head.path)) { probe($0) }
    case .hostSuffix: tuple.affixes.forEach(in: head.part(head.host)) { probe($0) }
    default: break
    }
  }
}

/// The newest of the entries that were probed.
struct NewestEntry {
  private(set) var entry: Int32 = -1
  private(set) var ordinal: UInt64

  init(ordinal: UInt64) { self.ordinal = ordinal }

  @inline(__always)
  mutating func probe(_ table: borrowing KeyTable, _ key: UInt64, _ entries: borrowing EntryStore) {
    let found = table.entry(key, in: entries)
    guard found >= 0 else { return }
    let foundOrdinal = entries[found].ordinal
    if foundOrdinal > ordinal { (entry, ordinal) = (found, foundOrdinal) }
  }
}

extension Stub {
  /// Returns what the condition captures from a request that it plainly matches.
  func plainCaptures(from request: URLRequest) -> Captures {
    guard condition.traits.captures, var text = request.url?.absoluteString else { return Captures() }
    return text.withUTF8 { url in
      guard let head = PlainHead(url: url, method: { request.plainMethod }) else { return Captures() }
      return plainCondition.reference?.captures(from: head) ?? Captures()
    }
  }
}

extension URLRequest {
  /// The method, or `nil` for an unusual one.
  @inline(__always)
  var plainMethod: PlainMethod? { httpMethod.map { PlainMethod($0) } ?? .get }
}
