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

extension Criterion {
  /// Calls `body` with what a request must have for the criterion to pass. Each of several equalities is necessary by
  /// itself.
  func forEachEquality(_ body: (Equality) -> Void) {
    func equal(_ dimension: Dimension, _ hash: UInt64) { body(Equality(dimension: dimension, hash: hash)) }
    switch self {
    case .method(let method): equal(.method, KeyHash.ofMethod(method.value))
    case .scheme(let scheme): equal(.scheme, KeyHash.ofScheme(scheme.value))
    case .host(let host): equal(.host, KeyHash.of(host.value))
    case .port(let port): equal(.port, UInt64(port))
    case .absoluteURL(let url): equal(.absoluteURL, KeyHash.of(url.value))
    case .url(let url), .under(let url): for criterion in url.indexed { criterion.forEachEquality(body) }
    case .path(let path): equal(.path, KeyHash.of(path.value))
    case .pathExtension(let text): equal(.pathExtension, KeyHash.of(text.value))

    case .hostSuffix(let suffix): Self.affix(.hostSuffix, suffix.value).map(body)
    case .pathPrefix(let prefix): Self.affix(.pathPrefix, prefix.value).map(body)
    case .pathUnder(let path): Self.affix(.pathPrefix, path.value).map(body)
    case .pathSuffix(let suffix): Self.affix(.pathSuffix, suffix.value).map(body)
    case .pathTemplate(let template): body(template.equality)

    case .queryName(let name), .queryPattern(let name, _): equal(.queryName, KeyHash.of(name))
    case .queryValue(let name, let value): equal(.queryItem, KeyHash.of(NamedValue(name: name, value: value)))
    case .query(let items), .exactQuery(let items), .queryItems(let items):
      for item in items { equal(.queryItem, KeyHash.of(item)) }
    case .header(let name), .headerPattern(let name, _): equal(.headerName, KeyHash.of(name.lowercased()))
    case .headerValue(let name, let value):
      equal(.headerItem, KeyHash.of(NamedValue(name: name.lowercased(), value: value)))
    case .cookie(let name): equal(.cookieName, KeyHash.of(name))
    case .cookieValue(let name, let value): equal(.cookieItem, KeyHash.of(NamedValue(name: name, value: value)))

    case .json(let value), .jsonContaining(let value): for equality in value.leafEqualities() { body(equality) }
    case .jsonAt(let path, let value): equal(.jsonField, value.fieldHash(at: path.keyHash))
    case .form(let items), .formItems(let items): for item in items { equal(.formItem, KeyHash.of(item)) }
    case .graphQL(let operation): equal(.graphQLOperation, KeyHash.of(operation))
    case .body(let data): equal(.bodyBytes, data.keyHash)

    case .recordedQuery(let recorded):
      for item in recorded.items {
        if item.isRedacted { equal(.queryName, KeyHash.of(item.name)) } else { equal(.queryItem, KeyHash.of(item)) }
      }
    case .recordedForm(let recorded):
      for item in recorded.items where !item.isRedacted { equal(.formItem, KeyHash.of(item)) }
    case .recordedJSON(let path, let value):
      for equality in value.leafEqualities(at: path.keyHash, where: { !$0.isRedacted }) { body(equality) }

    case .urlPattern, .pathPattern, .lacksQuery, .lacksHeader, .basicAuth, .bodyText, .multipart, .recordedText,
      .scenario:
      break
    }
  }

  /// Returns `nil` for an affix without ASCII at its outer end, which is not an equality of bytes.
  ///
  /// Only the ASCII part counts, because a character beyond ASCII has different bytes in different canonical forms.
  /// The last ASCII character of a prefix can be the base of such a character.
  private static func affix(_ dimension: Dimension, _ text: String) -> Equality? {
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

extension PathTemplate {
  /// The equality of the number of segments and of the literal ones. The verification checks the placeholders.
  var equality: Equality {
    var literals: UInt64 = 0
    var hash = KeyHash(seed: UInt64(segments.count))
    for (position, segment) in segments.prefix(64).enumerated() {
      guard case .literal(let text) = segment else { continue }
      literals |= 1 << UInt64(position)
      hash.combine(KeyHash.of(text))
    }
    let shape = PathShape(segmentCount: segments.count, isOpen: isOpen, literals: literals)
    return Equality(dimension: .template, hash: hash.value, place: .shape(shape))
  }
}
