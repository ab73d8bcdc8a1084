import Foundation

extension RequestMatcher {
  /// The condition as alternatives, each a list of equalities that must hold for it; nil where some alternative has none,
  /// so that every request has to be looked at. A condition that nothing meets has no alternatives.
  ///
  /// What is no equality, and more alternatives than `limit`, is left to the verification of the candidate.
  func indexAlternatives(limit: Int = 8) -> [[Equality]]? {
    let alternatives = node.alternatives(limit: limit)
    return alternatives.contains(where: \.isEmpty) ? nil : alternatives
  }
}

extension RequestMatcher.Node {
  /// Necessary conditions in disjunctive form. An empty list of equalities stands for "anything".
  fileprivate func alternatives(limit: Int) -> [[Equality]] {
    switch self {
    case .criterion(let criterion): return [criterion.equalities]
    case .closure, .not: return [[]]
    case .either(let children):
      let alternatives = children.flatMap { $0.alternatives(limit: limit) }
      return alternatives.count > limit ? [[]] : alternatives
    case .all(let children):
      return children.reduce([[]]) { sofar, child in
        let more = child.alternatives(limit: limit)
        guard sofar.count * more.count <= limit else { return sofar }
        return sofar.flatMap { left in more.map { left + $0 } }
      }
    }
  }
}

extension Criterion {
  /// What a request must have for the criterion to pass. Of several, each alone is necessary.
  var equalities: [Equality] {
    switch self {
    case .method(let method): [Equality(dimension: .method, hash: KeyHash.of(method.value))]
    case .scheme(let scheme): [Equality(dimension: .scheme, hash: KeyHash.of(scheme.value))]
    case .host(let host): [Equality(dimension: .host, hash: KeyHash.of(host.value))]
    case .port(let port): [Equality(dimension: .port, hash: UInt64(port))]
    case .absoluteURL(let url): [Equality(dimension: .absoluteURL, hash: KeyHash.of(url.value))]
    case .path(let path): [Equality(dimension: .path, hash: KeyHash.of(path.value))]
    case .pathExtension(let text): [Equality(dimension: .pathExtension, hash: KeyHash.of(text.value))]

    case .hostSuffix(let suffix): Self.affix(.hostSuffix, suffix.value)
    case .pathPrefix(let prefix): Self.affix(.pathPrefix, prefix.value)
    case .pathSuffix(let suffix): Self.affix(.pathSuffix, suffix.value)
    case .pathTemplate(let template): template.equality.map { [$0] } ?? []

    case .queryName(let name): [Equality(dimension: .queryName, hash: KeyHash.of(name))]
    case .queryValue(let name, let value):
      [Equality(dimension: .queryItem, hash: KeyHash.of(NamedValue(name: name, value: value)))]
    case .query(let items), .exactQuery(let items):
      items.map { Equality(dimension: .queryItem, hash: KeyHash.of($0)) }
    case .header(let name): [Equality(dimension: .headerName, hash: KeyHash.of(name.lowercased()))]
    case .headerValue(let name, let value):
      [Equality(dimension: .headerItem, hash: KeyHash.of(NamedValue(name: name.lowercased(), value: value)))]
    case .headerPattern(let name, _): [Equality(dimension: .headerName, hash: KeyHash.of(name.lowercased()))]
    case .cookie(let name): [Equality(dimension: .cookieName, hash: KeyHash.of(name))]
    case .cookieValue(let name, let value):
      [Equality(dimension: .cookieItem, hash: KeyHash.of(NamedValue(name: name, value: value)))]

    case .json(let value), .jsonContaining(let value): value.leafEqualities()
    case .jsonAt(let path, let value): [Equality(dimension: .jsonField, hash: value.fieldHash(at: path.keyHash))]
    case .form(let items), .formItems(let items):
      items.map { Equality(dimension: .formItem, hash: KeyHash.of($0)) }
    case .graphQL(let operation): [Equality(dimension: .graphQLOperation, hash: KeyHash.of(operation))]
    case .body(let data): [Equality(dimension: .bodyBytes, hash: data.keyHash)]

    case .pathPattern, .lacksQuery, .lacksHeader, .basicAuth, .bodyText, .multipart: []
    }
  }

  private static func affix(_ dimension: Dimension, _ text: String) -> [Equality] {
    let bytes = Array(text.composed.utf8)
    // The empty affix is no equality: everything has it.
    guard let edge = dimension == .pathPrefix ? bytes.last : bytes.first else { return [] }
    let place = Equality.Place.affix(length: bytes.count, edge: edge)
    return [Equality(dimension: dimension, hash: KeyHash.of(text), place: place)]
  }
}

extension Data {
  var keyHash: UInt64 {
    withUnsafeBytes { bytes in bytes.withMemoryRebound(to: UInt8.self) { KeyHash.of($0) } }
  }
}

extension PathTemplate {
  /// By the number of segments and the literal ones among them; nil for a template of places only that has no shape to
  /// tell.
  var equality: Equality? {
    var literals: UInt64 = 0
    var hash = KeyHash(seed: UInt64(segments.count))
    for (position, segment) in segments.prefix(64).enumerated() {
      guard case .literal(let text) = segment else { continue }
      literals |= 1 << UInt64(position)
      hash.combine(KeyHash.of(text))
    }
    let shape = PathShape(segmentCount: segments.count, literals: literals)
    return Equality(dimension: .template, hash: hash.value, place: .shape(shape))
  }
}
