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
    /// A header field, or a place in JSON.
    case parts(IndexedParts)
  }
}

/// The values that a request must have for a condition, or for one alternative of it, to match.
struct RequiredValues {
  /// Those in the dimensions in which a request has one.
  private(set) var singles = SingleHashes()
  /// Those in dimensions in which it can have many.
  private(set) var multiples: [RequiredValue] = []

  /// A Boolean value that indicates whether every request has them.
  var isEmpty: Bool { singles.dimensions.isEmpty && multiples.isEmpty }

  mutating func add(_ value: RequiredValue) {
    if value.dimension.isSingle { singles.add(value.hash, in: value.dimension) } else { multiples.append(value) }
  }

  func union(_ others: RequiredValues) -> RequiredValues {
    var union = self
    for dimension in Dimension.singles where others.singles.dimensions.contains(dimension) {
      union.singles.add(others.singles[dimension], in: dimension)
    }
    union.multiples += others.multiples
    return union
  }
}

/// Values in the single dimensions, at most one in each.
struct SingleHashes {
  private(set) var dimensions: DimensionSet = []
  // There are four of them: `Dimension` says which come first.
  private var hashes = SIMD4<UInt64>()

  subscript(dimension: Dimension) -> UInt64 { hashes[Int(dimension.rawValue)] }

  /// Of two values for one dimension, the first one counts. The verification detects the contradiction.
  mutating func add(_ hash: UInt64, in dimension: Dimension) {
    guard !dimensions.contains(dimension) else { return }
    dimensions.formUnion(DimensionSet(dimension))
    hashes[Int(dimension.rawValue)] = hash
  }
}

extension RequestMatcher {
  /// Returns the values that each alternative of the condition requires, or `nil` if some alternative requires none, so
  /// that every request must be checked. A condition that nothing meets has no alternatives.
  ///
  /// The verification of the candidate covers everything else, and more alternatives than `limit`.
  func indexAlternatives(limit: Int = 8) -> [RequiredValues]? {
    let alternatives = node.alternatives(limit: limit)
    // A key path would take as long as all else here.
    return alternatives.contains { $0.isEmpty } ? nil : alternatives
  }
}

extension RequestMatcher.Node {
  /// Returns necessary conditions in disjunctive form. No values stand for "anything".
  fileprivate func alternatives(limit: Int) -> [RequiredValues] {
    switch self {
    case .criterion(let criterion):
      var values = RequiredValues()
      criterion.forEachRequiredValue { values.add($0) }
      return [values]
    case .closure, .not: return [RequiredValues()]
    case .group(isEither: true, let children, _):
      let alternatives = children.flatMap { $0.alternatives(limit: limit) }
      return alternatives.count > limit ? [RequiredValues()] : alternatives
    case .group(_, let children, _):
      var common = RequiredValues()
      var alternatives: [RequiredValues]?
      for child in children {
        if case .criterion(let criterion) = child {
          criterion.forEachRequiredValue { common.add($0) }
          continue
        }
        let more = child.alternatives(limit: limit)
        guard let known = alternatives else {
          alternatives = more
          continue
        }
        guard known.count * more.count <= limit else { continue }
        alternatives = known.flatMap { left in more.map { left.union($0) } }
      }
      return alternatives.map { $0.map { common.union($0) } } ?? [common]
    }
  }
}

extension RequiredValue {
  /// Returns `nil` for an empty prefix.
  static func pathPrefix(_ text: String) -> RequiredValue? {
    let bytes = Array(text.utf8.prefix(Prefixes.longest))
    guard let edge = bytes.last else { return nil }
    return RequiredValue(
      dimension: .pathPrefix, hash: bytes.withUnsafeBytes { KeyHash.of($0) },
      anchor: .prefix(length: bytes.count, edge: edge))
  }
}
