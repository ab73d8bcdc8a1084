extension JSONValue {
  /// One equality for each leaf of the value, up to a few: a body that equals or contains the value has each of them.
  func leafEqualities(limit: Int = 8) -> [Equality] {
    var hashes: [UInt64] = []
    forEachField { hash, isLeaf in
      if isLeaf && hashes.count < limit { hashes.append(hash) }
    }
    return hashes.map { Equality(dimension: .jsonField, hash: $0) }
  }

  /// Calls `body` with the hash of every value in this one and of its place, and whether nothing is in it.
  ///
  /// It keeps a stack of its own: recursion would need more of a thread's stack than some threads have.
  func forEachField(_ body: (_ hash: UInt64, _ isLeaf: Bool) -> Void) {
    var pending: [(value: JSONValue, place: UInt64)] = []
    func visit(_ value: JSONValue, at place: UInt64) {
      if value.isContainer { pending.append((value, place)) } else { body(value.fieldHash(at: place), true) }
    }
    visit(self, at: JSONPath.rootHash)
    while let (value, place) = pending.popLast() {
      switch value {
      case .array(let elements):
        body(value.fieldHash(at: place), elements.isEmpty)
        for (index, element) in elements.enumerated() {
          visit(element, at: JSONPath.hash(of: "\(index)", below: place))
        }
      case .object(let members):
        body(value.fieldHash(at: place), members.isEmpty)
        for (key, member) in members { visit(member, at: JSONPath.hash(of: key, below: place)) }
      case .null, .bool, .number, .string: continue
      }
    }
  }

  /// The hash of this value at a place. Arrays and objects are told apart by their kind only.
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
  static let rootHash: UInt64 = 0

  /// Keys and indices hash alike, since a JSON Pointer's token may be either.
  static func hash(of step: String, below place: UInt64) -> UInt64 {
    var hash = KeyHash(seed: place)
    hash.combine(step)
    return hash.value
  }

  var keyHash: UInt64 {
    steps.reduce(Self.rootHash) { place, step in
      switch step {
      case .key(let key): Self.hash(of: key, below: place)
      case .index(let index): Self.hash(of: "\(index)", below: place)
      case .token(let token): Self.hash(of: token, below: place)
      }
    }
  }
}
