/// What the bytes of a plain head are enough to tell.
enum PlainMatch {
  /// This stub matches, and no newer one does.
  case found(Stub)
  case none
  /// It has to be found out the long way round.
  case unsure
}

// The path of most requests: it allocates nothing and copies nothing.
extension StubIndex {
  func plainMatch(_ head: PlainHead, method: String) -> PlainMatch {
    var newest = NewestEntry(ordinal: newestScanned)
    var newestOther: UInt64 = 0
    tuples.withUnsafeBufferPointer { tuples in
      for tuple in tuples where tuple.newest > newest.ordinal {
        if tuple.isPlain {
          tuple.probe(head, method: method, keyMask: keyMask, entries, &newest)
        } else {
          newestOther = max(newestOther, tuple.newest)
        }
      }
    }
    guard newestOther == 0 || newestOther < newest.ordinal else { return .unsure }
    guard newest.entry >= 0 else { return newestScanned == 0 ? .none : .unsure }
    guard let stub = entries.stub(newest.entry), stub.isPlainMatch(head, method: method) else { return .unsure }
    return .found(stub)
  }
}

/// The newest entry of those that were probed.
struct NewestEntry {
  private(set) var entry: Int32 = -1
  private(set) var ordinal: UInt64

  init(ordinal: UInt64) { self.ordinal = ordinal }

  @inline(__always)
  mutating func probe(_ table: borrowing KeyTable, _ key: UInt64, _ entries: borrowing EntryStore) {
    let found = table.entry(key, in: entries)
    guard found >= 0 else { return }
    let foundOrdinal = entries.ordinal(found)
    if foundOrdinal > ordinal { (entry, ordinal) = (found, foundOrdinal) }
  }
}

extension StubTuple {
  /// Looks up what a plain head has in the tuple's dimensions.
  @inline(__always)
  fileprivate func probe(
    _ head: PlainHead, method: String, keyMask: UInt64, _ entries: borrowing EntryStore, _ newest: inout NewestEntry
  ) {
    var base = KeyHash(seed: UInt64(dimensions.rawValue))
    if dimensions.contains(.method) { base.combine(KeyHash.ofMethod(method)) }
    if dimensions.contains(.scheme) { base.combine(head.hash(head.scheme)) }
    if dimensions.contains(.host) { base.combine(head.hash(head.host)) }
    if dimensions.contains(.path) { base.combine(head.hash(head.path)) }
    guard let multiple else { return newest.probe(table, base.value & keyMask, entries) }
    probe(multiple, base, head, keyMask: keyMask, entries, &newest)
  }

  /// Out of line, so that the way without it has nothing to keep for it.
  @inline(never)
  private func probe(
    _ multiple: Dimension, _ base: KeyHash, _ head: PlainHead, keyMask: UInt64, _ entries: EntryStore,
    _ newest: inout NewestEntry
  ) {
    switch multiple {
    case .queryItem, .queryName:
      head.forEachQueryItem(namesOnly: multiple == .queryName) {
        newest.probe(table, Self.key(base, $0) & keyMask, entries)
      }
    case .template:
      for shape in shapes {
        if let hash = head.hash(ofShape: shape) { newest.probe(table, Self.key(base, hash) & keyMask, entries) }
      }
    case .pathPrefix, .pathSuffix:
      affixes.forEach(in: head.bytes[head.path]) { newest.probe(table, Self.key(base, $0) & keyMask, entries) }
    case .hostSuffix:
      affixes.forEach(in: head.bytes[head.host]) { newest.probe(table, Self.key(base, $0) & keyMask, entries) }
    default: break
    }
  }
}

extension Stub {
  @inline(__always)
  fileprivate func isPlainMatch(_ head: PlainHead, method: String) -> Bool {
    guard let plainCondition, !isUsedUp else { return false }
    return plainCondition.matches(head, method: method)
  }
}
