import Foundation

/// A URL in the form in which it is compared, with the positions of its parts.
///
/// Most URLs of most tests are in that form already: an HTTP URL in ASCII with a lower-case scheme and host, no
/// percent-encoding and no user. Their parts are read from their own bytes. Any other URL is brought into the form
/// once, in a buffer of its own: decoded, with the host in lower case and in Punycode, and with delimiters that no text
/// contains. From there on, both are the same.
struct RequestURL {
  /// The URL as Foundation prints it, or empty if there is none.
  let text: String
  /// The parts in the form in which they are compared, or `nil` if that is the text itself.
  private let buffer: [UInt8]?
  let parts: Parts

  /// The positions of the parts. A missing part is empty.
  struct Parts {
    @Packed var scheme = 0..<0
    /// In lower case, with international names in Punycode, and IPv6 addresses without brackets.
    @Packed var host = 0..<0
    /// The URL's own port, or that of its scheme, or −1.
    var port = -1
    /// The path without trailing slashes. The root is a slash. Empty if there is no URL.
    @Packed var path = 0..<0
    /// The path for templates: each segment is decoded by itself. The part before the first slash is one.
    @Packed var segments = 0..<0
    @Packed var query = 0..<0

    /// The ends of segments, of items, and of their names.
    var slash = UInt8.slash
    var ampersand = UInt8(ascii: "&")
    var equals = UInt8(ascii: "=")
    /// A Boolean value that indicates whether comparing bytes decides all conditions on the URL. Otherwise, a part is
    /// missing, or a decoded text contains a delimiter.
    var isExact = true
  }
}

/// A range of a URL in eight bytes, because the parts of a URL are copied.
@propertyWrapper
struct Packed {
  private var bounds: (UInt32, UInt32)

  @inline(__always)
  init(wrappedValue range: Range<Int>) {
    bounds = (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound))
  }

  var wrappedValue: Range<Int> {
    @inline(__always) get { Range(uncheckedBounds: (Int(bounds.0), Int(bounds.1))) }
    @inline(__always) set { self = Packed(wrappedValue: newValue) }
  }
}

extension RequestURL {
  @inline(__always)
  init(of request: URLRequest) {
    var text = request.url?.absoluteString ?? ""
    var parts = Parts()
    if text.withUTF8({ parts.read(plain: $0) }) {  // Not `withBytes`, with which a match takes 1.3 % more.
      self.init(text: text, buffer: nil, parts: parts)
    } else {
      self.init(text, decoding: request.url)
    }
  }

  /// Brings a URL into the form in which it is compared, from the parts that Foundation finds.
  ///
  /// A path that is not UTF-8 after decoding is empty for `URL`. Here, only its segments that aren't stay encoded.
  @inline(never)
  private init(_ text: String, decoding url: URL?) {
    var bytes: [UInt8] = []
    func append(_ text: some StringProtocol) -> Range<Int> {
      let start = bytes.count
      bytes += text.utf8
      return start..<bytes.count
    }
    var parts = Parts()
    let url = url?.absoluteURL
    let scheme = url?.scheme?.lowercased() ?? ""
    parts.scheme = append(scheme)
    parts.host = append((url?.host ?? "").canonicalHost)
    parts.port = url?.port ?? ["https": 443, "http": 80][scheme] ?? -1

    let path = url?.sentPath ?? ""
    let decoded = append(path.decodedPath.canonicalPath)
    if url != nil { parts.path = decoded }
    let segments = path.segmentsOfPath
    let items = NamedValue.query(url?.query(percentEncoded: true) ?? "")
    // Otherwise, delimiters are bytes that are not in UTF-8.
    let isPlain =
      !segments.contains { $0.has("/") }
      && !items.contains { $0.name.has("=") || $0.name.has("&") || $0.value?.has("&") == true }
    if !isPlain { (parts.slash, parts.ampersand, parts.equals) = (0xFF, 0xFF, 0xFE) }
    let start = bytes.count
    bytes += segments.lazy.map(\.utf8).joined(separator: CollectionOfOne(parts.slash))
    parts.segments = start..<bytes.count
    for item in items {
      bytes += item.name.utf8
      if let value = item.value { bytes += CollectionOfOne(parts.equals) + Array(value.utf8) }
      bytes.append(parts.ampersand)
    }
    parts.query = parts.segments.upperBound..<bytes.count
    parts.isExact = isPlain && !parts.scheme.isEmpty && !parts.host.isEmpty
    self.init(text: text, buffer: bytes, parts: parts)
  }

  /// Lends the bytes that the positions are relative to.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    // Safe because neither is empty, and the text was made contiguous by `withUTF8`.
    if let buffer { return buffer.withUnsafeBytes { body($0.baseAddress.unsafelyUnwrapped) } }
    return text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawPointer($0.baseAddress.unsafelyUnwrapped)) }
      .unsafelyUnwrapped
  }
}

extension RequestURL.Parts {
  /// Returns `false` for a URL that must be decoded before it is compared.
  @inline(__always)
  fileprivate mutating func read(plain url: UnsafeBufferPointer<UInt8>) -> Bool {
    guard url.count > 8, let bytes = UnsafeRawPointer(url.baseAddress) else { return false }
    let count = url.count
    // Every position below is compared with the count before a byte is read there.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 { bytes.load(fromByteOffset: position, as: UInt8.self) }

    let start = EightBytes(bytes, at: 0)
    guard start.isHTTP || start.isHTTPS else { return false }
    scheme = Range(uncheckedBounds: (0, start.isHTTPS ? 5 : 4))
    port = start.isHTTPS ? 443 : 80

    let hostStart = scheme.upperBound &+ 3
    var position = Self.end(bytes, count: count, from: hostStart) { $0.unusualInHost }
    guard position > hostStart else { return false }
    host = Range(uncheckedBounds: (hostStart, position))
    if position < count, byte(position) != .slash {
      if byte(position) == .colon {
        guard let (end, number) = Self.port(bytes, count: count, from: position &+ 1) else { return false }
        position = end
        if let number { port = number }
      }
      // Anything else in an authority (a user, an IP literal, a capital letter) is not plain.
      if position < count, case let end = byte(position), end != .slash, end != .question,
        end != .pound
      {
        return false
      }
    }

    let pathStart = position
    while true {
      position = Self.end(bytes, count: count, from: position) {
        $0.equal(to: .question) | $0.equal(to: .pound) | $0.equal(to: .percent)
          | $0.equal(to: .dot) | $0.nonASCII
      }
      guard position < count, byte(position) == .dot else { break }
      // A segment that begins with a dot can be one that isn't sent.
      if byte(position &- 1) == .slash { return false }
      position &+= 1
    }
    var pathEnd = position
    while pathEnd > pathStart, byte(pathEnd &- 1) == .slash { pathEnd &-= 1 }
    path = Range(uncheckedBounds: (pathStart, pathEnd))
    segments = path
    // The root is a slash, and there are two before the host.
    if path.isEmpty { path = Range(uncheckedBounds: (hostStart &- 1, hostStart)) }

    if position < count, byte(position) == .question {
      let queryStart = position &+ 1
      position = Self.end(bytes, count: count, from: queryStart) {
        $0.equal(to: .pound) | $0.equal(to: .percent) | $0.nonASCII
      }
      query = Range(uncheckedBounds: (queryStart, position))
    }
    guard position == count || byte(position) == .pound else { return false }
    return true
  }

  /// Returns the end of the port and its number, or `nil` for one that is too large. An empty one has no number.
  @inline(never)
  private static func port(_ bytes: UnsafeRawPointer, count: Int, from start: Int) -> (end: Int, number: Int?)? {
    var position = start
    var number = 0
    while position < count, case let digit = bytes.load(fromByteOffset: position, as: UInt8.self) &- 0x30, digit < 10 {
      number = number &* 10 &+ Int(digit)
      position &+= 1
      if position > start &+ 9 { return nil }
    }
    return (position, position > start ? number : nil)
  }

  /// Returns the position of the first marked byte from `start`, or the end.
  ///
  /// - Parameters:
  ///   - count: The number of bytes, which are at least eight.
  ///   - marks: A closure that marks bytes.
  @inline(__always)
  private static func end(
    _ bytes: UnsafeRawPointer, count: Int, from start: Int, _ marks: (EightBytes) -> EightBytes.Marks
  ) -> Int {
    var position = start
    while position &+ 8 <= count {
      if let first = marks(EightBytes(bytes, at: position)).first { return position &+ first }
      position &+= 8
    }
    // The last word begins before `position`, so its first bytes are shifted out.
    let seen = position &- (count &- 8)
    guard seen < 8 else { return count }
    return marks(EightBytes(bytes, at: count &- 8).dropFirst(seen)).first.map { Swift.min(count, position &+ $0) }
      ?? count
  }
}

extension RequestURL {
  /// Returns a part as text.
  func text(_ part: Range<Int>) -> String { withBytes { Self.text($0, part) } }

  static func text(_ bytes: UnsafeRawPointer, _ part: Range<Int>) -> String {
    String(utf8: UnsafeRawBufferPointer(start: bytes + part.lowerBound, count: part.count))
  }

  /// Calls `body` with the name of each item of the query, and with its value if it has one.
  @inline(__always)
  func forEachItem(_ body: (_ bytes: UnsafeRawPointer, _ name: Range<Int>, _ value: Range<Int>?) -> Void) {
    withBytes { bytes in
      _ = parts.hasItem(bytes) { item in
        let equals = parts.end(bytes, from: item.lowerBound, before: item.upperBound, at: parts.equals)
        let name = Range(uncheckedBounds: (item.lowerBound, equals))
        body(bytes, name, equals < item.upperBound ? Range(uncheckedBounds: (equals &+ 1, item.upperBound)) : nil)
        return false
      }
    }
  }

  /// A Boolean value that indicates whether a segment of the path can contain a slash.
  var canHaveSlashInSegment: Bool { parts.slash != .slash }

  var items: NamedItems {
    var items: NamedItems = []
    forEachItem { bytes, name, value in
      items.append(NamedValue(name: Self.text(bytes, name), value: value.map { Self.text(bytes, $0) }))
    }
    return items
  }
}

extension RequestURL.Parts {
  /// Returns whether the query has an item with a property. Empty items, as in "a&&b", are not items.
  @inline(__always)
  func hasItem(_ bytes: UnsafeRawPointer, where predicate: (Range<Int>) -> Bool) -> Bool {
    var start = query.lowerBound
    while start < query.upperBound {
      let end = end(bytes, from: start, before: query.upperBound, at: ampersand)
      if end > start, predicate(Range(uncheckedBounds: (start, end))) { return true }
      start = end &+ 1
    }
    return false
  }

  /// Returns whether a part equals a text.
  @inline(__always)
  func equals(_ bytes: UnsafeRawPointer, _ part: Range<Int>, _ text: String) -> Bool {
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      guard text.count == part.count, let start = text.baseAddress else { return text.count == part.count }
      return memcmp(start, bytes + part.lowerBound, part.count) == 0
    }
    return isSame ?? RequestURL.text(bytes, part).isSame(as: text)
  }

  /// Returns the end of the segment that begins at a position.
  @inline(__always)
  func endOfSegment(_ bytes: UnsafeRawPointer, from start: Int) -> Int {
    end(bytes, from: start, before: segments.upperBound, at: slash)
  }

  /// Returns the segments from the one that begins at a position, with slashes between them.
  func segments(_ bytes: UnsafeRawPointer, from start: Int) -> String {
    let rest = UnsafeRawBufferPointer(start: bytes + start, count: segments.upperBound - start)
    return String(utf8: rest.lazy.map { $0 == slash ? UInt8.slash : $0 })
  }

  /// Returns the position of the first delimiter from `start`, or `limit`.
  @inline(__always)
  func end(_ bytes: UnsafeRawPointer, from start: Int, before limit: Int, at delimiter: UInt8) -> Int {
    var position = start
    while position &+ 8 <= limit {
      if let first = EightBytes(bytes, at: position).equal(to: delimiter).first { return position &+ first }
      position &+= 8
    }
    while position < limit, bytes.load(fromByteOffset: position, as: UInt8.self) != delimiter { position &+= 1 }
    return position
  }
}
