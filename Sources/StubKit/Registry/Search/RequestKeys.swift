import Foundation

/// The values by which stubs can be known, as one request has them.
///
/// Those of the method and of the URL are looked up where they are. A header or a body is read once, and only if a stub
/// is known by a part of it. That doesn't happen under a lock: the session is asked for its headers, and a body can be
/// long.
struct RequestKeys {
  /// The hashes of the values in the header, or `nil` if they have not been read.
  private var header: [UInt64]?
  /// The hashes of the values in the body, or `nil` if they have not been read.
  private var body: [UInt64]?

  var isHeaderRead: Bool { header != nil }

  /// The keys of a request whose body nobody can read.
  var withoutBody: RequestKeys {
    var keys = self
    keys.body = []
    return keys
  }

  /// Returns whether the part of the request that has the keys of a kind has been read.
  func areRead(of kind: KeyKind) -> Bool {
    switch kind.part {
    case .header: header != nil
    case .body: body != nil
    default: true
    }
  }

  mutating func readHeader(_ parts: [ReadPart], _ facts: inout RequestFacts) {
    var hashes: [UInt64] = []
    for case .header(let name) in parts {
      facts.header(name)?.forEachHeaderMember(of: name) { member in
        hashes.append(
          KeyHash.of {
            $0.add(name)
            $0.add(UnsafeRawBufferPointer(member))
          })
      }
    }
    header = hashes
  }

  mutating func readBody(_ parts: [ReadPart], _ facts: inout RequestFacts) {
    guard !facts.bodyIsUnread else { return body = [] }
    let values = parts.flatMap { part -> [RequiredValue] in
      switch part {
      case .header: []
      case .json(let path): facts.scalar(at: path).map { [.json($0, at: path)] } ?? []
      case .form: facts.formFields.map { .formItem($0) }
      case .graphQL: facts.graphQLOperations.map { .graphQLOperation($0) }
      case .bytes: [.body(facts.bodyData ?? Data())]
      }
    }
    body = values.map { value in KeyHash.of { $0.add(value) } }
  }

  /// Calls `use` with each key of a kind.
  @inline(__always)
  func forEach(_ kind: KeyKind, _ facts: inout RequestFacts, _ use: (UInt64) -> Void) {
    var host: UInt64 = 0
    if kind.hasHost {
      if facts.requestURL.parts.host.isEmpty { return }
      host = facts.requestURL.hash(of: facts.requestURL.parts.host)
    }
    @inline(__always)
    func add(_ value: UInt64) { use(KeyHash.key(kind, host, value)) }
    switch kind.part {
    case .nothing: add(0)
    case .path: if facts.hasURL { add(facts.requestURL.hash(of: facts.requestURL.parts.path)) }
    case .url: if facts.hasURL { add(KeyHash.of { $0.add(facts.absoluteString) }) }
    case .method: add(KeyHash.of { $0.add(facts.method) })
    case .segment, .segmentStart: facts.requestURL.forEachSegmentHash(of: kind, add)
    case .queryItem, .queryName: facts.requestURL.forEachItemHash(of: kind, add)
    case .header: header?.forEach(add)
    case .body: body?.forEach(add)
    }
  }
}

extension RequestURL {
  @inline(__always)
  private static func hash(_ bytes: UnsafeRawPointer, _ part: Range<Int>, _ hash: inout KeyHash) {
    hash.add(UnsafeRawBufferPointer(start: bytes + part.lowerBound, count: part.count))
  }

  @inline(__always)
  fileprivate func hash(of part: Range<Int>) -> UInt64 {
    withBytes { bytes in KeyHash.of { Self.hash(bytes, part, &$0) } }
  }

  fileprivate func forEachItemHash(of kind: KeyKind, _ use: (UInt64) -> Void) {
    forEachItem { bytes, name, value in
      use(
        KeyHash.of {
          Self.hash(bytes, name, &$0)
          if kind.part == .queryItem, let value { Self.hash(bytes, value, &$0) }
        })
    }
  }

  fileprivate func forEachSegmentHash(of kind: KeyKind, _ use: (UInt64) -> Void) {
    withBytes { bytes in
      func visit(_ path: Range<Int>, _ slash: UInt8) {
        func end(from start: Int) -> Int { parts.end(bytes, from: start, before: path.upperBound, at: slash) }
        var start = path.lowerBound
        for _ in 0..<kind.position {
          start = end(from: start) &+ 1
          if start > path.upperBound { return }
        }
        // The beginning of a segment has no slash, so that nothing of the next one is taken for it.
        let end = kind.part == .segment ? end(from: start) : start &+ kind.length
        if end <= path.upperBound { use(KeyHash.of { Self.hash(bytes, start..<end, &$0) }) }
      }
      visit(parts.path, .slash)
      // A template decodes each segment by itself.
      if canHaveSlashInSegment { visit(parts.segments, parts.slash) }
    }
  }
}
