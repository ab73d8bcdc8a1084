import Foundation

/// The kind of a key by which stubs are found: the part of a request that has a value, and whether the request's host
/// is part of the key, too.
struct KeyKind: Equatable {
  /// Of several values that the fewest stubs have, the one of the first part becomes the key.
  enum Part: UInt8 {
    case path, segmentStart, segment, url, queryItem, queryName, header, body, method
    /// That of the stubs that require no value.
    case nothing
  }

  let part: Part
  let hasHost: Bool
  /// The position of a segment, from 1 on, or 0 for another part.
  let position: Int
  /// The number of bytes of the beginning of a segment, or 0 for another part.
  let length: Int
}

/// A part of a header or of a body, which is read only if a stub is known by it.
enum ReadPart: Hashable {
  /// A header field, by its name in lower case.
  case header(String)
  case json(JSONPath)
  case form, graphQL, bytes

  var isHeader: Bool { if case .header = self { true } else { false } }
}

/// A stub's place in the index.
struct IndexPlace {
  let kind: KeyKind
  let key: UInt64
  /// What has to be read of a request to find the place.
  let readPart: ReadPart?

  /// - Parameters:
  ///   - value: A value that requests must have, or `nil` for none.
  ///   - host: The hash of the host that they must have, or `nil` for any.
  init(_ value: RequiredValue?, host: UInt64?) {
    var (position, length) = (0, 0)
    if case .segment(_, at: let place) = value { position = place }
    if case .segmentStart(let text, at: let place) = value { (position, length) = (place, text.utf8.count) }
    kind = KeyKind(part: value?.part ?? .nothing, hasHost: host != nil, position: position, length: length)
    key = KeyHash.key(kind, host ?? 0, value.map { value in KeyHash.of { $0.add(value) } } ?? 0)
    readPart = value?.readPart
  }
}

extension RequiredValue {
  var part: KeyKind.Part {
    switch self {
    case .path: .path
    case .segment: .segment
    case .segmentStart: .segmentStart
    case .url: .url
    case .queryItem: .queryItem
    case .queryName: .queryName
    case .header: .header
    case .json, .formItem, .graphQLOperation, .body: .body
    case .method: .method
    case .host: .nothing
    }
  }

  /// What has to be read of a request to know whether it has the value, or `nil` if its method or its URL tells.
  var readPart: ReadPart? {
    switch self {
    case .header(let name, _): .header(name)
    case .json(_, let path): .json(path)
    case .formItem: .form
    case .graphQLOperation: .graphQL
    case .body: .bytes
    case .method, .host, .url, .path, .segment, .segmentStart, .queryItem, .queryName: nil
    }
  }
}

/// A hash of a value, in the manner of wyhash (public domain).
///
/// Keys that collide share a list of stubs, and every candidate is verified, so a collision costs time and never causes
/// a wrong answer.
struct KeyHash {
  private var value: UInt64 = 0

  @inline(__always)
  static func of(_ add: (inout KeyHash) -> Void) -> UInt64 {
    var hash = KeyHash()
    add(&hash)
    return hash.value
  }

  /// Returns the key of a value.
  ///
  /// - Parameters:
  ///   - host: The hash of the host, if it is part of the key.
  ///   - value: The hash of the value.
  @inline(__always)
  static func key(_ kind: KeyKind, _ host: UInt64, _ value: UInt64) -> UInt64 {
    of {
      $0.fold(UInt64(truncatingIfNeeded: kind.length &<< 32 | kind.position &<< 8) | UInt64(kind.part.rawValue))
      if kind.hasHost { $0.fold(host) }
      $0.fold(value)
    }
  }

  @inline(__always)
  mutating func fold(_ word: UInt64) {
    let product = (value ^ word ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    value = product.high ^ product.low
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position &+ 8 <= bytes.count {
      fold(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position &+= 8
    }
    // The last word overlaps the one before.
    var last = position > 0 ? bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self) : 0
    if position == 0 { for byte in bytes { last = last &<< 8 | UInt64(byte) } }
    fold(last ^ UInt64(truncatingIfNeeded: bytes.count) &<< 56)
  }

  mutating func add(_ text: String) {
    var text = text
    text.withBytes { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds an item. A missing value differs from an empty one.
  mutating func add(_ item: NamedValue) {
    add(item.name)
    if let value = item.value { add(value) }
  }

  mutating func add(_ value: RequiredValue) {
    switch value {
    // The position of a segment is part of the kind.
    case .method(let text), .host(let text), .url(let text), .path(let text), .segment(let text, _),
      .segmentStart(let text, _), .queryName(let text):
      add(text)
    case .queryItem(let item): add(item)
    case .header(let name, let member):
      add(name)
      add(member)
    case .json(let value, let path):
      for step in path.steps {
        switch step {
        case .key(let key): add(key)
        case .index(let index): add("\(index)")
        }
      }
      add(value)
    case .formItem(let item):
      fold(1)
      add(item)
    case .graphQLOperation(let name):
      fold(2)
      add(name)
    case .body(let bytes):
      fold(3)
      bytes.withUnsafeBytes { add($0) }
    }
  }

  /// Adds a JSON value. Of arrays and objects, only the kind counts.
  private mutating func add(_ json: StubJSON) {
    switch json {
    case .null: fold(1)
    case .bool(let value): fold(value ? 2 : 3)
    case .number(let number):
      let value = if case .signed(let value) = number.storage { value } else { Int64(number.hashValue) }
      fold(UInt64(bitPattern: value))
    case .string(let text): add(text)
    case .array: fold(6)
    case .object: fold(7)
    }
  }
}
