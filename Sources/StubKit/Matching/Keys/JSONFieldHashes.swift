import StubKitFormats

extension JSONValue {
  /// Returns one equality for each leaf of the value, up to a few. A body that equals or contains the value has each
  /// of them.
  ///
  /// - Parameters:
  ///   - place: The place of the value in the body. Defaults to the whole body.
  ///   - counts: A closure that returns whether a leaf is included. By default, each leaf is.
  package func leafEqualities(
    limit: Int = 8, at place: UInt64 = JSONPath.rootHash, where counts: (JSONValue) -> Bool = { _ in true }
  ) -> [Equality] {
    var hashes: [UInt64] = []
    forEachField(at: place) { value, hash, isLeaf in
      if isLeaf && hashes.count < limit && counts(value) { hashes.append(hash) }
    }
    return hashes.map { Equality(dimension: .jsonField, hash: $0) }
  }

  /// Calls `body` with every value in this one, the hash of it and of its place, and whether it is empty.
  ///
  /// It has a stack of its own, because recursion would need more of a thread's stack than some threads have.
  func forEachField(
    at root: UInt64 = JSONPath.rootHash, _ body: (_ value: JSONValue, _ hash: UInt64, _ isLeaf: Bool) -> Void
  ) {
    var pending: [(value: JSONValue, place: UInt64)] = []
    func visit(_ value: JSONValue, at place: UInt64) {
      if value.isContainer { pending.append((value, place)) } else { body(value, value.fieldHash(at: place), true) }
    }
    visit(self, at: root)
    while let (value, place) = pending.popLast() {
      switch value {
      case .array(let elements):
        body(value, value.fieldHash(at: place), elements.isEmpty)
        for (index, element) in elements.enumerated() {
          visit(element, at: JSONPath.hash(of: "\(index)", below: place))
        }
      case .object(let members):
        body(value, value.fieldHash(at: place), members.isEmpty)
        for (key, member) in members { visit(member, at: JSONPath.hash(of: key, below: place)) }
      case .null, .bool, .number, .string: continue
      }
    }
  }

  /// Returns the hash of this value at a place. For arrays and objects, only the kind counts.
  func fieldHash(at place: UInt64) -> UInt64 {
    var hash = KeyHash(seed: place)
    switch self {
    case .null: hash.combine(1)
    case .bool(let value): hash.combine(value ? 2 : 3)
    case .number(let number):
      hash.combine(4)
      hash.combine(UInt64(bitPattern: Int64(number.hashValue)))
    case .string(let text):
      hash.combine(5)
      hash.combine(text)
    case .array: hash.combine(6)
    case .object: hash.combine(7)
    }
    return hash.value
  }
}

extension JSONPath {
  package static let rootHash: UInt64 = 0

  /// Keys and indices have the same kind of hash, because a step can be either.
  static func hash(of step: String, below place: UInt64) -> UInt64 {
    var hash = KeyHash(seed: place)
    hash.combine(step)
    return hash.value
  }

  package var keyHash: UInt64 {
    steps.reduce(Self.rootHash) { place, step in
      switch step {
      case .key(let key): Self.hash(of: key, below: place)
      case .index(let index): Self.hash(of: "\(index)", below: place)
      }
    }
  }
}
