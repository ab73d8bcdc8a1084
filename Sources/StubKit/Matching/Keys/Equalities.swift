import Foundation
import StubKitFormats

extension RequestMatcher {
  /// Returns the condition as alternatives, each a list of equalities that must hold for it, or `nil` if some
  /// alternative has none, so that every request must be checked. A condition that nothing meets has no alternatives.
  ///
  /// The verification of the candidate covers what is not an equality, and more alternatives than `limit`.
  func indexAlternatives(limit: Int = 8) -> [[Equality]]? {
    let alternatives = node.alternatives(limit: limit)
    return alternatives.contains(where: \.isEmpty) ? nil : alternatives
  }
}

extension RequestMatcher.Node {
  /// Returns necessary conditions in disjunctive form. An empty list of equalities stands for "anything".
  fileprivate func alternatives(limit: Int) -> [[Equality]] {
    switch self {
    case .criterion(let criterion):
      var equalities: [Equality] = []
      criterion.forEachEquality { equalities.append($0) }
      return [equalities]
    case .closure, .not: return [[]]
    case .either(let children, _):
      let alternatives = children.flatMap { $0.alternatives(limit: limit) }
      return alternatives.count > limit ? [[]] : alternatives
    case .all(let children, _):
      var common: [Equality] = []
      var alternatives: [[Equality]] = [[]]
      for child in children {
        if case .criterion(let criterion) = child {
          criterion.forEachEquality { common.append($0) }
          continue
        }
        let more = child.alternatives(limit: limit)
        guard alternatives.count * more.count <= limit else { continue }
        alternatives = alternatives.flatMap { left in more.map { left + $0 } }
      }
      return common.isEmpty ? alternatives : alternatives.map { common + $0 }
    }
  }
}

extension Equality {
  /// Returns `nil` for an affix without ASCII at its outer end, which is not an equality of bytes.
  ///
  /// Only the ASCII part counts, because a character beyond ASCII has different bytes in different canonical forms.
  /// The last ASCII character of a prefix can be the base of such a character.
  static func affix(_ dimension: Dimension, _ text: String) -> Equality? {
    let all = Array(text.canonical.utf8)
    let isPrefix = dimension == .pathPrefix
    let bytes: ArraySlice<UInt8>
    if isPrefix {
      let end = all.firstIndex { $0 >= 0x80 }
      bytes = all[..<(end.map { max(0, $0 - 1) } ?? all.endIndex)].prefix(Affixes.longest)
    } else {
      bytes = all[(all.lastIndex { $0 >= 0x80 }.map { $0 + 1 } ?? 0)...].suffix(Affixes.longest)
    }
    guard let edge = isPrefix ? bytes.last : bytes.first else { return nil }
    let place = Equality.Place.affix(length: bytes.count, edge: edge)
    return Equality(dimension: dimension, hash: bytes.withUnsafeBufferPointer { KeyHash.of($0) }, place: place)
  }
}

extension Data {
  var keyHash: UInt64 {
    withUnsafeBytes { bytes in bytes.withMemoryRebound(to: UInt8.self) { KeyHash.of($0) } }
  }
}
