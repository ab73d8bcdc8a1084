import Foundation

/// A property of requests in which stubs can differ by a value that they require. The index hashes it.
package enum Dimension: UInt8, CaseIterable, Sendable {
  // Dimensions with one value per request.
  case method, host, absoluteURL, path
  // Dimensions that are looked up at the lengths and shapes that stubs use.
  case pathPrefix, template
  // Dimensions that are looked up from the request's own items.
  case queryItem, queryName, headerItem
  // The values of the request's body.
  case jsonField, formItem, graphQLOperation, bodyBytes

  /// Those in which a request has at most one value, known from its head.
  static let singles: [Dimension] = [.method, .host, .absoluteURL, .path]

  var isSingle: Bool { rawValue <= Dimension.path.rawValue }

  var isOfBody: Bool { rawValue >= Dimension.jsonField.rawValue }
}

/// A set of dimensions: a tuple in the sense of tuple space search.
struct DimensionSet: OptionSet {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ dimension: Dimension) { rawValue = 1 << UInt32(dimension.rawValue) }

  func contains(_ dimension: Dimension) -> Bool { contains(DimensionSet(dimension)) }
}

/// The shape of a path template: the number of its segments, and which of them are literal. Segments beyond the
/// sixty-fourth count as placeholders.
package struct PathShape: Equatable, Sendable {
  let segmentCount: Int
  /// A Boolean value that indicates whether a path can have more segments.
  let isOpen: Bool
  let literals: UInt64

  /// Returns whether a path with a number of segments can have the shape.
  @inline(__always)
  func fits(_ count: Int) -> Bool { count == segmentCount || isOpen && count > segmentCount }
}

/// The prefixes that the stubs of a tuple require, by length. These are the parts of a request's text that must be
/// hashed. The last byte of a prefix, its edge, rules out most lengths without a hash.
struct Prefixes: ~Copyable {
  /// The number of bytes by which longer prefixes are known.
  static let longest = 256

  /// A bit for each edge, modulo 64, by length. As long as the longest prefix.
  private var edges: [UInt64] = []

  mutating func insert(length: Int, edge: UInt8) {
    assert((1...Self.longest).contains(length))
    if edges.count < length { edges += repeatElement(0, count: length - edges.count) }
    edges[length - 1] |= 1 &<< UInt64(edge)
  }

  /// Calls `body` with the hash of each part of the text that can be a prefix.
  @inline(__always)
  func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void) {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return }
    var common = (hash: KeyHash(seed: 0), position: 0)
    edges.withUnsafeBufferPointer { edges in
      let count = min(text.count, edges.count)
      var length = 0
      while length < count {
        let isEdge = edges[length] &>> UInt64(text[length]) & 1 != 0
        length &+= 1
        guard isEdge else { continue }
        common.hash.combineWords(of: start, from: &common.position, before: length)
        var hash = common.hash
        hash.finish(start, count: length)
        body(hash.value)
      }
    }
  }
}

/// A place in JSON, by its hash and by those of the arrays and objects around it.
package struct JSONPlace: Sendable {
  let hash: UInt64
  let containers: HashFilter

  /// The whole body.
  package static let root = JSONPlace(hash: 0, containers: [])

  /// Returns the place of a member or an element. Keys and indices have the same kind of hash, because a step of a path
  /// can be either.
  func appending(_ step: String) -> JSONPlace {
    JSONPlace(hash: KeyHash.ofItem(hash, step.keyHash), containers: containers.union(HashFilter(hash: hash)))
  }
}

extension JSONPath {
  package var place: JSONPlace {
    steps.reduce(.root) { place, step in
      switch step {
      case .key(let key): place.appending(key)
      case .index(let index): place.appending("\(index)")
      }
    }
  }
}

extension StubJSON {
  /// Returns a required value for each leaf of this one, up to a few. A body that equals or contains this value has
  /// each of them.
  ///
  /// - Parameters:
  ///   - place: The place of the value in the body. Defaults to the whole body.
  ///   - counts: A closure that returns whether a leaf is included. By default, each leaf is.
  package func requiredLeaves(
    at place: JSONPlace = .root, where counts: (StubJSON) -> Bool = { _ in true }
  ) -> [RequiredValue] {
    var leaves: [RequiredValue] = []
    forEachField(at: place) { value, place, isLeaf in
      guard isLeaf, leaves.count < 8, counts(value) else { return }
      let parts = IndexedParts(places: HashFilter(hash: place.hash), containers: place.containers)
      let hash = KeyHash.ofItem(place.hash, value.fieldHash)
      leaves.append(RequiredValue(dimension: .jsonField, hash: hash, anchor: .parts(parts)))
    }
    return leaves
  }

  /// Calls `body` with every value in this one, its place, and whether it is empty.
  func forEachField(
    at place: JSONPlace = .root, _ body: (_ value: StubJSON, _ place: JSONPlace, _ isLeaf: Bool) -> Void
  ) {
    switch self {
    case .null, .bool, .number, .string: body(self, place, true)
    case .array(let elements):
      body(self, place, elements.isEmpty)
      for (index, element) in elements.enumerated() { element.forEachField(at: place.appending("\(index)"), body) }
    case .object(let members):
      body(self, place, members.isEmpty)
      for (key, member) in members { member.forEachField(at: place.appending(key), body) }
    }
  }

  /// The hash of the value. For arrays and objects, only the kind counts.
  var fieldHash: UInt64 {
    switch self {
    case .null: 1
    case .bool(let value): value ? 2 : 3
    case .number(let number): KeyHash.ofItem(4, number.fieldHash)
    case .string(let text): KeyHash.ofItem(5, text.keyHash)
    case .array: 6
    case .object: 7
    }
  }
}

extension JSONNumber {
  fileprivate var fieldHash: UInt64 {
    if case .signed(let value) = storage { UInt64(bitPattern: value) } else { UInt64(bitPattern: Int64(hashValue)) }
  }
}

/// The hash of the index. It is fast for the short texts of requests, and the same for bytes and strings.
///
/// It is a multiply-and-fold hash in the manner of wyhash (public domain). Keys that collide share a bucket, and
/// every candidate is verified, so a collision costs time and never causes a wrong answer.
struct KeyHash {
  private(set) var value: UInt64

  init(seed: UInt64) { value = seed &+ 0x9E37_79B9_7F4A_7C15 }

  @inline(__always)
  mutating func combine(_ other: UInt64) { value = Self.fold(value ^ other, Self.secret) }

  /// Combines the hash of a dimension, whatever the order of the dimensions. It counts differently for each dimension,
  /// because values that change places would collide otherwise.
  @inline(__always)
  mutating func add(_ hash: UInt64, of dimension: Dimension) {
    let rotation = UInt64(dimension.rawValue) &* 8
    value &+= hash &* (Self.secret &<< rotation | Self.secret &>> (64 &- rotation) | 1)
  }

  /// Processes the bytes, eight at a time, as long as more follow. All prefixes of a text share this part.
  @inline(__always)
  mutating func combineWords(
    of bytes: UnsafeRawPointer, from position: inout Int, before count: Int, folding bits: UInt64 = 0
  ) {
    while position &+ 8 < count {
      combine(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) | bits)
      position &+= 8
    }
  }

  /// Combines exactly the last bytes of `count`, which can overlap those before. There is one or more.
  @inline(__always)
  mutating func finish(_ bytes: UnsafeRawPointer, count: Int, folding bits: UInt64 = 0) {
    @inline(__always)
    func load<Word: FixedWidthInteger>(_ position: Int, _: Word.Type) -> UInt64 {
      UInt64(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: position, as: Word.self))
    }
    let last =
      switch count {
      case 8...: load(count &- 8, UInt64.self)
      case 4...: load(0, UInt32.self) | load(count &- 4, UInt32.self) &<< 32
      default: load(0, UInt8.self) | load(count &>> 1, UInt8.self) &<< 8 | load(count &- 1, UInt8.self) &<< 16
      }
    value = Self.fold(value ^ (last | bits), Self.otherSecret ^ UInt64(truncatingIfNeeded: count))
  }

  private static var secret: UInt64 { 0xA076_1D64_78BD_642F }
  private static var otherSecret: UInt64 { 0x8EBC_6AF0_9C88_C6E3 }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

extension KeyHash {
  /// - Parameter bits: Bits of each eight bytes that count as set. Defaults to none.
  @inline(__always)
  static func of(_ bytes: UnsafeRawBufferPointer, folding bits: UInt64 = 0) -> UInt64 {
    var hash = KeyHash(seed: 0)
    var position = 0
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return hash.value }
    hash.combineWords(of: start, from: &position, before: bytes.count, folding: bits)
    hash.finish(start, count: bytes.count, folding: bits)
    return hash.value
  }

  /// - Parameter range: A range of bytes that belong to the text at `bytes`.
  @inline(__always)
  static func of(_ bytes: UnsafeRawPointer, _ range: Range<Int>) -> UInt64 {
    of(UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.upperBound &- range.lowerBound))
  }

  @inline(__always)
  static func ofItem(_ name: UInt64, _ value: UInt64?) -> UInt64 {
    var hash = KeyHash(seed: name)
    hash.combine(value ?? 1)
    return hash.value
  }
}

extension StringProtocol {
  /// The hash of the bytes of the text.
  var keyHash: UInt64 {
    var text = String(self)
    return text.withBytes { KeyHash.of(UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// The hash of the name of a header field, which is the same for both cases of a letter: they differ in one bit.
  var headerNameHash: UInt64 {
    var name = self
    return name.withBytes { KeyHash.of(UnsafeRawBufferPointer($0), folding: 0x2020_2020_2020_2020) }
  }
}

extension Data {
  var keyHash: UInt64 { withUnsafeBytes { KeyHash.of($0) } }
}

extension NamedValue {
  /// The hash of the name and the value. A missing value differs from an empty one.
  var keyHash: UInt64 { KeyHash.ofItem(name.keyHash, value?.keyHash) }
}

extension String {
  /// The hash of a method.
  var methodHash: UInt64 {
    let code = methodCode
    return code == 0 ? keyHash : code
  }
}
