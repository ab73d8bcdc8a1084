/// The head of a request that can be compared as it is: a usual method, and an absolute HTTP URL in ASCII with a
/// lower-case scheme and host, no percent-encoding in its path, no user and no IP literal. Most requests of most
/// tests have such a head.
///
/// It borrows the bytes of the URL, and lives only as long as they are lent. It is too large to be copied needlessly.
struct PlainHead: ~Copyable {
  /// The bytes of the URL, which are more than eight.
  let bytes: UnsafeRawPointer
  let method: PlainMethod
  let scheme: PlainScheme
  let host: Range<Int>
  /// The path without trailing slashes, which is never empty.
  let path: Range<Int>
  /// The query, which is empty if there is none.
  let query: Range<Int>

  // The contributions to the keys of tuples.
  let hostTerm: UInt64
  let pathTerm: UInt64
  var methodTerm: UInt64 { KeyHash.term(method.hash, of: .method) }
  var schemeTerm: UInt64 { KeyHash.term(scheme.hash, of: .scheme) }
  var portTerm: UInt64 { KeyHash.term(UInt64(port), of: .port) }

  /// Returns `nil` for an unusual method, and for a URL that must be decoded before it is compared.
  ///
  /// - Parameter method: The method. It is read last, because reading the URL's bytes meanwhile costs nothing.
  @inline(__always)
  init?(url: UnsafeBufferPointer<UInt8>, method: () -> PlainMethod?) {
    guard url.count > 8, let bytes = UnsafeRawPointer(url.baseAddress) else { return nil }
    let count = url.count
    // Every position below is compared with the count before a byte is read there.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 { bytes.load(fromByteOffset: position, as: UInt8.self) }

    guard let scheme = EightBytes(bytes, at: 0).scheme else { return nil }
    var position = scheme.length &+ 3

    let hostStart = position
    guard let hostEnd = Self.endOfHost(bytes, count: count, from: position) else { return nil }
    position = hostEnd
    let host = Range(uncheckedBounds: (hostStart, position))
    if position < count, byte(position) == UInt8(ascii: ":") {
      position &+= 1
      while position < count, byte(position) &- 0x30 < 10 { position &+= 1 }
    }
    // Anything else in an authority (a user, an IP literal, a capital letter) is not plain, and neither is a path
    // that is just the root.
    guard host.lowerBound < host.upperBound, position < count, byte(position) == UInt8(ascii: "/") else { return nil }

    let pathStart = position
    position = Self.end(bytes, count: count, from: position) {
      $0.equal(to: UInt8(ascii: "?")) | $0.equal(to: UInt8(ascii: "#")) | $0.equal(to: UInt8(ascii: "%")) | $0.nonASCII
    }
    var pathEnd = position
    while pathEnd > pathStart, byte(pathEnd &- 1) == UInt8(ascii: "/") { pathEnd &-= 1 }
    guard pathEnd > pathStart else { return nil }

    var query = Range(uncheckedBounds: (position, position))
    if position < count, byte(position) == UInt8(ascii: "?") {
      let queryStart = position &+ 1
      position = Self.end(bytes, count: count, from: queryStart) {
        $0.equal(to: UInt8(ascii: "#")) | $0.equal(to: UInt8(ascii: "%")) | $0.nonASCII
      }
      query = Range(uncheckedBounds: (queryStart, position))
    }
    guard position == count || byte(position) == UInt8(ascii: "#") else { return nil }

    let path = Range(uncheckedBounds: (pathStart, pathEnd))
    let terms = (KeyHash.term(Self.hash(bytes, host), of: .host), KeyHash.term(Self.hash(bytes, path), of: .path))
    guard let method = method() else { return nil }
    self.bytes = bytes
    self.method = method
    self.scheme = scheme
    self.host = host
    self.path = path
    self.query = query
    (hostTerm, pathTerm) = terms
  }

  /// Returns `nil` for a host in Punycode, which must also be compared in Unicode.
  @inline(__always)
  private static func endOfHost(_ bytes: UnsafeRawPointer, count: Int, from start: Int) -> Int? {
    var position = start
    while position &+ 8 <= count {
      if let first = EightBytes(bytes, at: position).unusualInHost.first {
        position &+= first
        let isDash = bytes.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "-")
        return isDash ? endOfUnusualHost(bytes, count: count, from: position) : position
      }
      position &+= 8
    }
    return endOfUnusualHost(bytes, count: count, from: position)
  }

  /// A host with a hyphen, or one that ends near the end of the URL, is rare enough to walk byte by byte.
  @inline(never)
  private static func endOfUnusualHost(_ bytes: UnsafeRawPointer, count: Int, from start: Int) -> Int? {
    var position = start
    var previous: UInt8 = 0
    while position < count {
      let byte = bytes.load(fromByteOffset: position, as: UInt8.self)
      let isOfHost = byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      guard isOfHost else { break }
      // As in "xn--".
      if byte == UInt8(ascii: "-"), previous == byte { return nil }
      previous = byte
      position &+= 1
    }
    return position
  }

  /// Returns the position of the first marked byte from `start`, or the end.
  ///
  /// - Parameter marks: A closure that marks none of the bytes before `start`.
  @inline(__always)
  private static func end(
    _ bytes: UnsafeRawPointer, count: Int, from start: Int, _ marks: (EightBytes) -> EightBytes.Marks
  ) -> Int {
    var position = start
    while position &+ 8 <= count {
      if let first = marks(EightBytes(bytes, at: position)).first { return position &+ first }
      position &+= 8
    }
    // The last word can begin before `start`, because the URL has at least eight bytes.
    return marks(EightBytes(bytes, at: count &- 8)).first.map { count &- 8 &+ $0 } ?? count
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawPointer, _ range: Range<Int>) -> UInt64 {
    var hash = KeyHash(seed: 0)
    hash.combine(bytes + range.lowerBound, count: range.upperBound &- range.lowerBound)
    return hash.value
  }

  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: (bytes + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.upperBound &- range.lowerBound
    )
  }
}
