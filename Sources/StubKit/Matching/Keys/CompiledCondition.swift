import Foundation

/// A condition on the method and the URL of a request as a list of byte comparisons, in one piece of memory.
///
/// Most conditions have one, because walking through the condition itself counts references, which takes longer than
/// all comparisons. It decides about URLs whose parts are exact.
package struct CompiledCondition: ~Copyable, @unchecked Sendable {
  /// The number of checks, the checks, and their texts, or `nil` for a condition that bytes can't decide.
  // Safe because `init` writes the memory, and nothing refers to it any more when `deinit` frees it.
  private let memory: UnsafeMutableRawPointer?
  /// A Boolean value that indicates whether the method matters. Asking a request for it takes a sixth of a match.
  let looksAtMethod: Bool

  init(_ condition: RequestMatcher) {
    let nodes: [RequestMatcher.Node] =
      if case .all(let children, _) = condition.node { children } else { [condition.node] }
    var builder = Builder()
    for node in nodes {
      guard case .criterion(let criterion) = node, criterion.compile(into: &builder) else {
        (memory, looksAtMethod) = (nil, false)
        return
      }
    }
    (memory, looksAtMethod) = (builder.memory(), builder.looksAtMethod)
  }

  deinit { memory?.deallocate() }

  /// A Boolean value that indicates whether bytes can decide the condition, at least for plain URLs.
  var decides: Bool { memory != nil }

  /// A text, by its place among the texts of a condition.
  struct Text {
    fileprivate let offset: UInt32
    fileprivate let count: UInt32
  }

  enum Check {
    case method(UInt64)
    case scheme(Text)
    case host(Text)
    case hostSuffix(Text)
    case port(Int)
    case path(Text)
    case pathPrefix(Text)
    /// A prefix of whole segments.
    case pathUnder(Text)
    case pathSuffix(Text)
    /// An item with its name, its `=` and its value.
    case queryItem(Text)
    case queryName(Text)
    /// A path of literal segments and of placeholders, each of which is a NUL.
    case segments(Text)
  }
}

extension CompiledCondition {
  /// Returns whether a request meets the condition, or `nil` if bytes can't decide that.
  @inline(__always)
  func isMet(by url: RequestURL, method: UInt64) -> Bool? {
    guard let memory, url.parts.isExact else { return nil }
    return url.withBytes { Self.passes(memory, $0, url.parts, method) }
  }

  // This gets the parts without the URL, because they have nothing to retain.
  @inline(never)
  private static func passes(
    _ memory: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts, _ method: UInt64
  ) -> Bool {
    // Safe because `Builder.memory()` has put the checks and the texts there, and they have nothing to release.
    let count = memory.load(as: Int.self)
    let checks = UnsafeRawPointer(memory + MemoryLayout<Int>.size).assumingMemoryBound(to: Check.self)
    let texts = UnsafeRawPointer(checks + count)
    for number in 0..<count where !passes(checks + number, texts, bytes, parts, method) { return false }
    return true
  }

  @inline(__always)
  private static func passes(
    _ check: UnsafePointer<Check>, _ texts: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts,
    _ method: UInt64
  ) -> Bool {
    // The ranges are parts of the URL, and the texts are those of the condition.
    @inline(__always)
    func begins(_ part: Range<Int>, _ text: Text) -> Bool {
      part.count >= Int(text.count)
        && EightBytes.areEqual(texts + Int(text.offset), bytes + part.lowerBound, Int(text.count))
    }
    @inline(__always)
    func equals(_ part: Range<Int>, _ text: Text) -> Bool { part.count == Int(text.count) && begins(part, text) }
    @inline(__always)
    func ends(_ part: Range<Int>, _ text: Text) -> Bool {
      part.count >= Int(text.count) && equals(part.upperBound - Int(text.count)..<part.upperBound, text)
    }
    @inline(__always)
    func isAtEnd(_ position: Int, of part: Range<Int>, or delimiter: UInt8) -> Bool {
      position == part.upperBound || bytes.load(fromByteOffset: position, as: UInt8.self) == delimiter
    }

    @inline(__always)
    func fits(_ path: Range<Int>, _ text: Text) -> Bool {
      var position = path.lowerBound
      for number in 0..<Int(text.count) {
        let (start, byte) = (position, texts.load(fromByteOffset: Int(text.offset) &+ number, as: UInt8.self))
        guard start < path.upperBound else { return false }
        position = byte == 0 ? parts.endOfSegment(bytes, from: start) : start &+ 1
        if position == start || byte != 0 && bytes.load(fromByteOffset: start, as: UInt8.self) != byte { return false }
      }
      return position == path.upperBound
    }

    switch check.pointee {
    case .method(let code): return code == method
    case .scheme(let text): return equals(parts.scheme, text)
    case .host(let text): return equals(parts.host, text)
    case .hostSuffix(let text): return ends(parts.host, text)
    case .port(let port): return parts.port == port
    case .path(let text): return equals(parts.path, text)
    case .pathPrefix(let text): return begins(parts.path, text)
    case .pathUnder(let text):
      let path = parts.path
      return begins(path, text) && isAtEnd(path.lowerBound + Int(text.count), of: path, or: UInt8(ascii: "/"))
    case .pathSuffix(let text): return ends(parts.path, text)
    case .queryItem(let text): return parts.hasItem(bytes) { equals($0, text) }
    case .queryName(let name):
      return parts.hasItem(bytes) {
        begins($0, name) && isAtEnd($0.lowerBound + Int(name.count), of: $0, or: UInt8(ascii: "="))
      }
    case .segments(let text): return fits(parts.segments, text)
    }
  }
}

extension CompiledCondition {
  /// Collects the checks of criteria. Its methods return `false` for what bytes can't decide: a text beyond ASCII also
  /// equals bytes that differ from its own, and CR LF is one character, which no prefix divides.
  package struct Builder {
    private var checks: [Check] = []
    private var texts: [UInt8] = []
    fileprivate private(set) var looksAtMethod = false

    /// More items than this are compared in the general way, which has a table for them.
    private static let mostItems = 8

    mutating func add(_ check: Check) -> Bool {
      checks.append(check)
      return true
    }

    mutating func add(_ check: (Text) -> Check, _ text: String) -> Bool {
      let text = text.canonical
      guard text.isASCII, !text.has("\r"), !text.has("\n"), let count = UInt32(exactly: text.utf8.count),
        let offset = UInt32(exactly: texts.count)
      else { return false }
      texts += text.utf8
      return add(check(Text(offset: offset, count: count)))
    }

    mutating func add(method: String) -> Bool {
      let code = HTTPMethod.code(of: method)
      looksAtMethod = true
      return code != 0 && add(.method(code))
    }

    /// Adds a check for each of a few items, which are different ones. Only an escaped name has a `=`.
    mutating func add(_ items: NamedItems) -> Bool {
      items.count <= Self.mostItems && Set(items).count == items.count
        && items.allSatisfy { item in
          !item.name.has("=") && add(Check.queryItem, item.value.map { item.name + "=" + $0 } ?? item.name)
        }
    }

    fileprivate func memory() -> UnsafeMutableRawPointer {
      let start = MemoryLayout<Int>.size + checks.count * MemoryLayout<Check>.stride
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: start + texts.count, alignment: MemoryLayout<Int>.alignment)
      memory.initializeMemory(as: Int.self, to: checks.count)
      (memory + MemoryLayout<Int>.size).initializeMemory(as: Check.self, from: checks, count: checks.count)
      (memory + start).initializeMemory(as: UInt8.self, from: texts, count: texts.count)
      return memory
    }
  }
}

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

  /// A Boolean value that indicates whether a request has at most one value here, known from its head.
  var isSingle: Bool { rawValue <= Dimension.path.rawValue }

  var isOfBody: Bool { rawValue >= Dimension.jsonField.rawValue }
}

/// A set of dimensions: a tuple in the sense of tuple space search.
struct DimensionSet: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ dimension: Dimension) { rawValue = 1 << UInt32(dimension.rawValue) }

  func contains(_ dimension: Dimension) -> Bool { contains(DimensionSet(dimension)) }
}

/// A value that a request must have in one dimension for a condition to match.
package struct RequiredValue: Sendable {
  let dimension: Dimension
  let hash: UInt64
  /// The part of the request that has the value, for dimensions in which it depends on the stub.
  var anchor = Anchor.wholeValue

  package enum Anchor: Sendable {
    case wholeValue
    /// A number of bytes at its beginning, and the last one of them.
    case prefix(length: Int, edge: UInt8)
    /// A path with a number of segments, some of which are literal.
    case shape(PathShape)
  }
}

/// Values in the single dimensions, at most one in each.
struct SingleHashes {
  private(set) var dimensions: DimensionSet = []
  // There are four of them: `Dimension` says which come first.
  private var hashes = SIMD4<UInt64>()

  subscript(dimension: Dimension) -> UInt64 { hashes[Int(dimension.rawValue)] }

  /// If two values for one dimension contradict each other, the first one counts. The verification detects the
  /// contradiction.
  mutating func add(_ value: RequiredValue) {
    guard !dimensions.contains(value.dimension) else { return }
    dimensions.formUnion(DimensionSet(value.dimension))
    hashes[Int(value.dimension.rawValue)] = value.hash
  }
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
    edges[length - 1] |= Self.bit(edge)
  }

  /// Calls `body` with the hash of each part of the text that can be a prefix.
  @inline(__always)
  func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void) {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return }
    var common = (hash: KeyHash(seed: 0), position: 0)
    for position in 0..<min(text.count, edges.count) where edges[position] & Self.bit(text[position]) != 0 {
      common.hash.combineWords(of: start, from: &common.position, before: position + 1)
      var hash = common.hash
      hash.finish(start, count: position + 1)
      body(hash.value)
    }
  }

  private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte) }
}

extension RequestMatcher {
  /// Returns the condition as alternatives, each a list of the values that it requires, or `nil` if some
  /// alternative has none, so that every request must be checked. A condition that nothing meets has no alternatives.
  ///
  /// The verification of the candidate covers everything else, and more alternatives than `limit`.
  func indexAlternatives(limit: Int = 8) -> [[RequiredValue]]? {
    let alternatives = node.alternatives(limit: limit)
    return alternatives.contains(where: \.isEmpty) ? nil : alternatives
  }
}

extension RequestMatcher.Node {
  /// Returns necessary conditions in disjunctive form. An empty list stands for "anything".
  fileprivate func alternatives(limit: Int) -> [[RequiredValue]] {
    switch self {
    case .criterion(let criterion):
      var values: [RequiredValue] = []
      criterion.forEachRequiredValue { values.append($0) }
      return [values]
    case .closure, .not: return [[]]
    case .either(let children, _):
      let alternatives = children.flatMap { $0.alternatives(limit: limit) }
      return alternatives.count > limit ? [[]] : alternatives
    case .all(let children, _):
      var common: [RequiredValue] = []
      common.reserveCapacity(children.count)
      var alternatives: [[RequiredValue]]?
      for child in children {
        if case .criterion(let criterion) = child {
          criterion.forEachRequiredValue { common.append($0) }
          continue
        }
        let more = child.alternatives(limit: limit)
        guard (alternatives?.count ?? 1) * more.count <= limit else { continue }
        alternatives = alternatives.map { $0.flatMap { left in more.map { left + $0 } } } ?? more
      }
      return alternatives.map { $0.map { common + $0 } } ?? [common]
    }
  }
}

extension RequiredValue {
  /// Returns `nil` for a prefix without ASCII at its beginning, which can't be compared by bytes.
  ///
  /// Only the ASCII part counts, because a character beyond ASCII has different bytes in different canonical forms. The
  /// last ASCII character can be the base of such a character.
  static func pathPrefix(_ text: String) -> RequiredValue? {
    let all = Array(text.canonical.utf8)
    let end: Int = all.firstIndex { $0 >= 0x80 }.map { max(0, $0 - 1) } ?? all.endIndex
    let bytes = all[..<end].prefix(Prefixes.longest)
    guard let edge = bytes.last else { return nil }
    return RequiredValue(
      dimension: .pathPrefix, hash: bytes.withUnsafeBytes { KeyHash.of($0) },
      anchor: .prefix(length: bytes.count, edge: edge))
  }
}

extension Data {
  var keyHash: UInt64 { withUnsafeBytes { KeyHash.of($0) } }
}

extension JSONValue {
  /// Returns a required value for each leaf of this one, up to a few. A body that equals or contains this value has
  /// each of them.
  ///
  /// - Parameters:
  ///   - place: The place of the value in the body. Defaults to the whole body.
  ///   - counts: A closure that returns whether a leaf is included. By default, each leaf is.
  package func requiredLeaves(
    at place: UInt64 = JSONPath.rootHash, where counts: (JSONValue) -> Bool = { _ in true }
  ) -> [RequiredValue] {
    var hashes: [UInt64] = []
    forEachField(at: place) { value, hash, isLeaf in
      if isLeaf && hashes.count < 8 && counts(value) { hashes.append(hash) }
    }
    return hashes.map { RequiredValue(dimension: .jsonField, hash: $0) }
  }

  /// Calls `body` with every value in this one, the hash of it and of its place, and whether it is empty. For arrays
  /// and objects, only the kind counts in the hash.
  func forEachField(
    at place: UInt64 = JSONPath.rootHash, _ body: (_ value: JSONValue, _ hash: UInt64, _ isLeaf: Bool) -> Void
  ) {
    func found(_ hash: UInt64, isLeaf: Bool = true) { body(self, KeyHash.ofItem(place, hash), isLeaf) }
    switch self {
    case .null: found(1)
    case .bool(let value): found(value ? 2 : 3)
    case .number(let number): found(KeyHash.ofItem(4, UInt64(bitPattern: Int64(number.hashValue))))
    case .string(let text): found(KeyHash.ofItem(5, KeyHash.of(text)))
    case .array(let elements):
      found(6, isLeaf: elements.isEmpty)
      for (index, element) in elements.enumerated() {
        element.forEachField(at: JSONPath.hash(of: "\(index)", below: place), body)
      }
    case .object(let members):
      found(7, isLeaf: members.isEmpty)
      for (key, member) in members { member.forEachField(at: JSONPath.hash(of: key, below: place), body) }
    }
  }
}

extension JSONPath {
  package static let rootHash: UInt64 = 0

  /// Keys and indices have the same kind of hash, because a step can be either.
  static func hash(of step: String, below place: UInt64) -> UInt64 { KeyHash.ofItem(place, KeyHash.of(step)) }

  package var keyHash: UInt64 {
    steps.reduce(Self.rootHash) { place, step in
      switch step {
      case .key(let key): Self.hash(of: key, below: place)
      case .index(let index): Self.hash(of: "\(index)", below: place)
      }
    }
  }
}
