import Foundation
import StubKitFormats

/// A request's own values in the dimensions of the index, hashed when a tuple needs them.
struct RequestKeys {
  private(set) var facts: RequestFacts

  /// A Boolean value that indicates whether the values of the body's dimensions have been computed. Until then, there
  /// are none.
  private(set) var hasBody = false
  private var bodyValues: [Dimension: [UInt64]] = [:]

  private var singles = SingleValues()
  private var itemValues: [Dimension: [UInt64]] = [:]

  /// The hash of each part of which a request has at most one.
  private struct SingleValues {
    var method = SingleValue.unknown
    var scheme = SingleValue.unknown
    var host = SingleValue.unknown
    var port = SingleValue.unknown
    var absoluteURL = SingleValue.unknown
    var path = SingleValue.unknown
    var pathExtension = SingleValue.unknown
  }

  private enum SingleValue {
    /// Nobody has asked for it yet.
    case unknown
    /// The request has no such part.
    case none
    case hash(UInt64)
  }

  init(_ facts: RequestFacts) { self.facts = facts }

  /// Computes the values of the body. Don't call this under a lock, because a body can be long.
  mutating func readBody() {
    hasBody = true
    if facts.bodyIsUnread { return }
    var fields: [UInt64] = []
    facts.json?.forEachField { _, hash, _ in fields.append(hash) }
    bodyValues[.jsonField] = fields
    bodyValues[.formItem] = facts.formFields.map { KeyHash.of($0) }
    bodyValues[.graphQLOperation] = facts.graphQLOperations.map { KeyHash.of($0) }
    bodyValues[.bodyBytes] = [(facts.bodyData ?? Data()).keyHash]
  }

  var bodyIsUnread: Bool {
    mutating get { facts.bodyIsUnread }
  }

  var bodyIsLong: Bool {
    mutating get { facts.bodyIsLong }
  }

  /// Continues with what is known about the same request after its body was read.
  mutating func proceed(with incoming: IncomingRequest) { facts.proceed(with: incoming) }

  mutating func evaluate(
    _ condition: RequestMatcher, closures: ClosurePolicy, captures: inout Captures
  ) -> Verdict {
    condition.evaluate(&facts, closures: closures, captures: &captures)
  }

  /// Runs one of the user's closures.
  @inline(__always)
  mutating func ask(_ closure: ClosureCriterion) -> Bool { facts.ask(closure) }

  /// Runs the closures of stubs that are nothing but a closure.
  mutating func ask(_ stubs: [Stub?], before end: Int, newerThan ordinal: UInt64) -> (left: Int, matches: Bool) {
    facts.ask(stubs, before: end, newerThan: ordinal)
  }

  mutating func single(_ dimension: Dimension) -> UInt64? {
    switch dimension {
    case .method: known(\.method) { KeyHash.ofMethod($0.method) }
    case .scheme: known(\.scheme) { $0.scheme.map { KeyHash.ofScheme($0) } }
    case .host: known(\.host) { $0.hostHash }
    case .port: known(\.port) { $0.port.map { UInt64($0) } }
    case .absoluteURL: known(\.absoluteURL) { $0.url == nil ? nil : KeyHash.of($0.absoluteString) }
    case .path: known(\.path) { $0.pathHash }
    case .pathExtension: known(\.pathExtension) { $0.url == nil ? nil : KeyHash.of($0.pathExtension) }
    default: nil
    }
  }

  private mutating func known(
    _ part: WritableKeyPath<SingleValues, SingleValue>, _ computeHash: (inout RequestFacts) -> UInt64?
  ) -> UInt64? {
    switch singles[keyPath: part] {
    case .hash(let hash): return hash
    case .none: return nil
    case .unknown:
      let hash = computeHash(&facts)
      singles[keyPath: part] = hash.map { .hash($0) } ?? .none
      return hash
    }
  }

  mutating func forEachValue(of dimension: Dimension, in tuple: StubTuple, _ body: (UInt64) -> Void) {
    switch dimension {
    case .pathPrefix, .pathSuffix:
      if facts.url != nil { Self.forEach(tuple.affixes, of: facts.path, body) }
    case .hostSuffix:
      guard let host = facts.host else { return }
      Self.forEach(tuple.affixes, of: host, body)
      if host.contains("xn--"), let unicode = facts.unicodeHost {
        Self.forEach(tuple.affixes, of: unicode.canonical, body)
      }
    case .template:
      guard facts.url != nil else { return }
      let segments = PathSegments(facts.encodedPath)
      for shape in tuple.shapes {
        if let hash = segments.hash(ofShape: shape) { body(hash) }
      }
    case .jsonField, .formItem, .graphQLOperation, .bodyBytes:
      for hash in bodyValues[dimension] ?? [] { body(hash) }
    default:
      if itemValues[dimension] == nil { itemValues[dimension] = facts.itemHashes(of: dimension) }
      for hash in itemValues[dimension] ?? [] { body(hash) }
    }
  }

  private static func forEach(_ affixes: borrowing Affixes, of text: String, _ body: (UInt64) -> Void) {
    var text = text
    text.withUTF8 { affixes.forEach(in: $0, body) }
  }
}

/// The decoded segments of a path, as templates see them.
private struct PathSegments {
  private let hashes: [UInt64]

  init(_ encodedPath: String) {
    hashes = PathTemplate.split(encodedPath).map { part in
      KeyHash.of(part.segmentDecoded)
    }
  }

  func hash(ofShape shape: PathShape) -> UInt64? {
    guard shape.fits(hashes.count) else { return nil }
    var hash = KeyHash(seed: UInt64(shape.segmentCount))
    for (position, segment) in hashes.prefix(64).enumerated() where shape.literals & 1 << UInt64(position) != 0 {
      hash.combine(segment)
    }
    return hash.value
  }
}

extension RequestFacts {
  /// The hash of the host, or `nil` for a request without one.
  fileprivate var hostHash: UInt64? {
    mutating get { plainHostHash ?? host.map { KeyHash.of($0) } }
  }

  fileprivate var pathHash: UInt64? {
    mutating get { url == nil ? nil : plainPathHash ?? KeyHash.of(path) }
  }

  /// The hash of the URL's own bytes, if they are the host as it is compared.
  private var plainHostHash: UInt64? {
    guard text.layout.authorityIsPlain, text.layout.hostIsPlain, let range = text.layout.host, !range.isEmpty else {
      return nil
    }
    return hash(of: range)
  }

  /// The hash of the URL's own bytes, if they are the path as it is compared.
  private var plainPathHash: UInt64? {
    guard text.layout.pathIsPlain else { return nil }
    let range = text.plainPath
    return range.isEmpty ? nil : hash(of: range)
  }

  private func hash(of range: Range<Int>) -> UInt64 {
    var string = text.string
    return string.withUTF8 { KeyHash.of(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  fileprivate mutating func itemHashes(of dimension: Dimension) -> [UInt64] {
    var hashes: [UInt64] = []
    switch dimension {
    case .queryItem: return queryItems.map { KeyHash.of($0) }
    case .queryName: return queryItems.map { KeyHash.of($0.name) }
    case .cookieItem: return cookies.map { KeyHash.of($0) }
    case .cookieName: return cookies.map { KeyHash.of($0.name) }
    case .headerName: forEachHeader { name, _ in hashes.append(KeyHash.of(name.lowercased())) }
    case .headerItem:
      forEachHeader { name, value in hashes.append(KeyHash.of(NamedValue(name: name.lowercased(), value: value))) }
    default: break
    }
    return hashes
  }
}
