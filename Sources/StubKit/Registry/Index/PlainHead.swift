/// The head of a request whose URL can be compared as it stands: an absolute one in ASCII, its scheme and host in lower
/// case, nothing percent-encoded in its path, no user and no IP literal. Most requests of most tests are such.
///
/// It lends the bytes of the URL, and lives only as long as they are lent.
struct PlainHead {
  let bytes: UnsafeBufferPointer<UInt8>
  let scheme: Range<Int>
  let host: Range<Int>
  /// Without trailing slashes; never empty.
  let path: Range<Int>
  let query: Range<Int>?

  /// Nil for a URL that has to be decoded to be compared.
  @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let count = bytes.count
    var position = 0
    while position < count, Self.isLowerCase(bytes[position]) { position &+= 1 }
    guard position > 0, position &+ 3 < count, bytes[position] == UInt8(ascii: ":"),
      bytes[position &+ 1] == UInt8(ascii: "/"), bytes[position &+ 2] == UInt8(ascii: "/")
    else { return nil }
    scheme = 0..<position
    position &+= 3

    let hostStart = position
    while position < count, Self.isHostByte(bytes[position]) {
      // As in "xn--": a host in punycode is compared in Unicode too.
      if bytes[position] == UInt8(ascii: "-"), bytes[position &- 1] == UInt8(ascii: "-") { return nil }
      position &+= 1
    }
    host = hostStart..<position
    if position < count, bytes[position] == UInt8(ascii: ":") {
      position &+= 1
      while position < count, bytes[position] &- 0x30 < 10 { position &+= 1 }
    }
    // Anything else in an authority (a user, an IP literal, a capital) is not plain; nor is a path that is just the root.
    guard !host.isEmpty, position < count, bytes[position] == UInt8(ascii: "/") else { return nil }

    let pathStart = position
    while position < count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      if byte == UInt8(ascii: "%") || byte >= 0x80 { return nil }
      position &+= 1
    }
    var pathEnd = position
    while pathEnd > pathStart, bytes[pathEnd &- 1] == UInt8(ascii: "/") { pathEnd &-= 1 }
    guard pathEnd > pathStart else { return nil }
    path = pathStart..<pathEnd

    guard position < count, bytes[position] == UInt8(ascii: "?") else {
      query = nil
      self.bytes = bytes
      return
    }
    let queryStart = position &+ 1
    while position < count, bytes[position] != UInt8(ascii: "#") {
      if bytes[position] == UInt8(ascii: "%") || bytes[position] >= 0x80 { return nil }
      position &+= 1
    }
    query = queryStart..<position
    self.bytes = bytes
  }

  @inline(__always)
  private static func isLowerCase(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

  @inline(__always)
  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  @inline(__always)
  func hash(_ range: Range<Int>) -> UInt64 { KeyHash.of(UnsafeBufferPointer(rebasing: bytes[range])) }
}

extension PlainHead {
  /// Calls `body` with the hash of each query item, or of its name.
  @inline(__always)
  func forEachQueryItem(namesOnly: Bool, _ body: (UInt64) -> Void) {
    guard let query else { return }
    var start = query.lowerBound
    while start < query.upperBound {
      var end = start
      var equals: Int?
      while end < query.upperBound, bytes[end] != UInt8(ascii: "&") {
        if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
        end &+= 1
      }
      // Empty items, as in "a&&b", are no items.
      if end > start {
        let name = start..<(equals ?? end)
        if namesOnly {
          body(hash(name))
        } else {
          var item = KeyHash(seed: equals == nil ? 1 : 2)
          item.combine(UnsafeBufferPointer(rebasing: bytes[name]))
          if let equals { item.combine(UnsafeBufferPointer(rebasing: bytes[equals &+ 1..<end])) }
          body(item.value)
        }
      }
      start = end &+ 1
    }
  }

  /// The hash of the path's segments that the shape calls literal; nil when the path has another number of them.
  @inline(__always)
  func hash(ofShape shape: PathShape) -> UInt64? {
    // The text before the first slash is a segment too, an empty one.
    var hash = KeyHash(seed: UInt64(shape.segmentCount))
    var number = 0
    var start = path.lowerBound
    while true {
      var end = start
      while end < path.upperBound, bytes[end] != UInt8(ascii: "/") { end &+= 1 }
      guard number < shape.segmentCount else { return nil }
      if number < 64, shape.literals & 1 << UInt64(number) != 0 { hash.combine(self.hash(start..<end)) }
      number &+= 1
      if end == path.upperBound { break }
      start = end &+ 1
    }
    return number == shape.segmentCount ? hash.value : nil
  }
}
