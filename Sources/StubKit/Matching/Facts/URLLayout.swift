/// The positions of a URL's parts in its UTF-8, by the generic syntax of RFC 3986, appendix B.
///
/// `nil` stands for a missing part, which differs from an empty one.
struct URLLayout: Sendable {
  private(set) var scheme: Range<Int>?
  /// The part before the `@` of an authority.
  private(set) var userInfo: Range<Int>?
  private(set) var host: Range<Int>?
  private(set) var port: Range<Int>?
  private(set) var path = 0..<0
  private(set) var query: Range<Int>?

  /// A Boolean value that indicates whether the bytes of the host are the host: in lower case, not an IP literal, and
  /// not encoded.
  private(set) var hostIsPlain = true
  /// A Boolean value that indicates whether the bytes of the path are the path: in ASCII, and not encoded.
  private(set) var pathIsPlain = true
  /// A Boolean value that indicates whether Foundation has to parse parts of the authority.
  private(set) var authorityIsPlain = true

  init(_ utf8: UnsafeBufferPointer<UInt8>) {
    var position = 0
    let end = utf8.count
    if let colon = Self.endOfScheme(utf8) {
      scheme = 0..<colon
      position = colon + 1
    }
    if position + 1 < end, utf8[position] == UInt8(ascii: "/"), utf8[position + 1] == UInt8(ascii: "/") {
      position = parseAuthority(utf8, from: position + 2)
    }
    let pathStart = position
    while position < end {
      let byte = utf8[position]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      if byte == UInt8(ascii: "%") || byte >= 0x80 { pathIsPlain = false }
      position += 1
    }
    path = pathStart..<position
    guard position < end, utf8[position] == UInt8(ascii: "?") else { return }
    let queryStart = position + 1
    while position < end, utf8[position] != UInt8(ascii: "#") { position += 1 }
    query = queryStart..<position
  }

  /// Returns `nil` if a character that can't be in a scheme (RFC 3986, section 3.1) precedes the first colon.
  private static func endOfScheme(_ utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    for (position, byte) in utf8.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): return position
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        continue
      default: return nil
      }
    }
    return nil
  }

  /// Returns the position of the path.
  private mutating func parseAuthority(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var hostStart = start
    var colon: Int?
    var position = start
    scan: while position < utf8.count {
      switch utf8[position] {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
      case UInt8(ascii: "@"):
        userInfo = start..<position
        hostStart = position + 1
        colon = nil
        hostIsPlain = true
      case UInt8(ascii: ":"): if colon == nil { colon = position }
      case UInt8(ascii: "["), UInt8(ascii: "%"), 0x80...: authorityIsPlain = false
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hostIsPlain = false
      default: break
      }
      position += 1
    }
    host = hostStart..<(colon ?? position)
    if let colon { port = colon + 1..<position }
    return position
  }
}
