/// The parts of a plain head that few conditions need.
extension PlainHead {
  /// The URL's own port, or that of its scheme, as `RequestFacts.port` returns it.
  var port: Int {
    var port = 0
    // Between the host and the path is nothing, or a colon with any number of digits.
    for position in min(host.upperBound + 1, path.lowerBound)..<path.lowerBound {
      let (tens, tooLong) = port.multipliedReportingOverflow(by: 10)
      let (sum, tooLarge) = tens.addingReportingOverflow(Int(byte(position) &- 0x30))
      if tooLong || tooLarge { return scheme.defaultPort }
      port = sum
    }
    return path.lowerBound > host.upperBound + 1 ? port : scheme.defaultPort
  }

  @inline(__always)
  func byte(_ position: Int) -> UInt8 { bytes.load(fromByteOffset: position, as: UInt8.self) }

  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.upperBound &- range.lowerBound)
  }

  /// Returns the position of the first delimiter from `start`, or `limit`, which is at most the end of the URL.
  @inline(__always)
  func end(from start: Int, before limit: Int, at delimiter: UInt8) -> Int {
    var position = start
    while position &+ 8 <= limit {
      if let first = EightBytes(bytes, at: position).equal(to: delimiter).first { return position &+ first }
      position &+= 8
    }
    guard position < limit else { return limit }
    // The last word begins before `position`, because the URL has more than eight bytes before any of its parts.
    let word = EightBytes(bytes, at: limit &- 8).dropFirst(8 &- (limit &- position))
    return word.equal(to: delimiter).first.map { position &+ $0 } ?? limit
  }

  /// Returns whether the query has an item with a property. Empty items, as in "a&&b", are not items.
  @inline(__always)
  func hasQueryItem(where predicate: (Range<Int>) -> Bool) -> Bool {
    var start = query.lowerBound
    while start < query.upperBound {
      let end = end(from: start, before: query.upperBound, at: UInt8(ascii: "&"))
      if end > start, predicate(Range(uncheckedBounds: (start, end))) { return true }
      start = end &+ 1
    }
    return false
  }

  var queryItemCount: Int {
    var count = 0
    _ = hasQueryItem { _ in
      count += 1
      return false
    }
    return count
  }
}

// The parts of the keys of tuples.
extension PlainHead {
  /// Calls `body` with the hash of each query item, or of its name.
  @inline(__always)
  func forEachQueryItem(namesOnly: Bool, _ body: (UInt64) -> Void) {
    _ = hasQueryItem { item in
      let equals = end(from: item.lowerBound, before: item.upperBound, at: UInt8(ascii: "="))
      let name = Range(uncheckedBounds: (item.lowerBound, equals))
      if namesOnly {
        body(KeyHash.of(part(name)))
      } else {
        var hash = KeyHash(seed: equals == item.upperBound ? 1 : 2)
        hash.combine(part(name))
        if equals < item.upperBound { hash.combine(part(Range(uncheckedBounds: (equals &+ 1, item.upperBound)))) }
        body(hash.value)
      }
      return false
    }
  }

  /// The number of segments in the path. The empty text before its first slash counts as one.
  var segmentCount: Int {
    var count = 1
    var slash = path.lowerBound
    while slash < path.upperBound {
      count &+= 1
      slash = end(from: slash &+ 1, before: path.upperBound, at: UInt8(ascii: "/"))
    }
    return count
  }

  /// Returns the hash of the path's segments that are literal in the shape, for paths that fit it.
  @inline(__always)
  func hash(ofShape shape: PathShape) -> UInt64 {
    var hash = KeyHash(seed: UInt64(shape.segmentCount))
    var literals = shape.literals
    var start = path.lowerBound
    while literals != 0 {
      let end = end(from: start, before: path.upperBound, at: UInt8(ascii: "/"))
      if literals & 1 != 0 { hash.combine(KeyHash.of(part(Range(uncheckedBounds: (start, end))))) }
      literals &>>= 1
      start = end &+ 1
    }
    return hash.value
  }
}

extension PlainScheme {
  fileprivate var defaultPort: Int { self == .http ? 80 : 443 }
}
