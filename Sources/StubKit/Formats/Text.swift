import Foundation

/// Text that is split at ASCII delimiters, byte by byte.
///
/// A `Character` includes the combining marks that follow it, so `"/\u{301}".contains("/")` is false. No byte of a
/// longer scalar is ASCII, so the byte of a delimiter is always the delimiter.
extension StringProtocol {
  /// Returns whether the text contains the delimiter.
  @inlinable
  package func has(_ delimiter: Unicode.Scalar) -> Bool {
    // The pointer stays in the closure. Byte by byte, this took half of a stub's registration in a debug build.
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, Int32(delimiter.value), bytes.count) != nil } ?? false
    } ?? utf8.contains(UInt8(ascii: delimiter))
  }

  /// Returns whether the text contains one of the delimiters.
  func hasAny(of delimiters: String) -> Bool {
    withCString { text in delimiters.withCString { strpbrk(text, $0) != nil } }
  }

  /// Returns whether the text begins with these bytes.
  @inlinable
  package func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the text ends with these bytes.
  @inlinable
  package func ends(withBytesOf suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

  /// Returns whether both texts have the same Unicode scalars, as a server compares them. To Swift, an `é` also equals
  /// an `e` with an accent after it.
  @inlinable
  package func isSame(as other: some StringProtocol) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let left = bytes.baseAddress, let right = others.baseAddress else { return bytes.count == others.count }
        return bytes.count == others.count && memcmp(left, right, bytes.count) == 0
      }
    }
    return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
}

extension Sequence<String> {
  /// The texts with commas between them.
  package var listed: String { joined(separator: ", ") }

  /// The texts as lines.
  package var lines: String { joined(separator: "\n") }

  /// Returns whether one of the texts has the same Unicode scalars.
  func has(_ text: String) -> Bool { contains { $0.isSame(as: text) } }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, each once.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the pieces between the delimiters, including empty ones.
  @inlinable
  package func pieces(at delimiter: Unicode.Scalar) -> [Substring] {
    self[...].utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the text before and after the first delimiter, or `nil` if there is none.
  @inlinable
  package func cut(at delimiter: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    guard let place = place(of: delimiter) else { return nil }
    return (self[..<place], self[utf8.index(after: place)...])
  }

  /// Returns the position of the first delimiter, or `nil` if there is none.
  @inlinable
  package func place(of delimiter: Unicode.Scalar) -> Index? {
    let offset = utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard let start = UnsafeRawPointer(bytes.baseAddress) else { return nil }
      return memchr(start, Int32(delimiter.value), bytes.count).map { UnsafeRawPointer($0) - start }
    }
    guard let offset else { return utf8.firstIndex(of: UInt8(ascii: delimiter)) }
    return offset.map { utf8.index(startIndex, offsetBy: $0) }
  }

  /// The scheme of a URL, and what follows its `://`, or `nil` for a text that begins with none.
  package var scheme: (name: Substring, rest: Substring)? {
    guard let (name, rest) = cut(at: ":"), rest.starts(withBytesOf: "//"), !name.has("/") else { return nil }
    return (name, Substring(rest.utf8.dropFirst(2)))
  }
}

extension Substring {
  /// Removes and returns the text up to the first of the delimiters, or all of it.
  @inlinable
  package mutating func take(upTo delimiters: Unicode.Scalar...) -> Substring {
    let end = utf8.firstIndex { byte in delimiters.contains { UInt8(ascii: $0) == byte } } ?? endIndex
    defer { self = self[end...] }
    return self[..<end]
  }

  /// Removes the delimiter if the text begins with it.
  @inlinable
  package mutating func take(_ delimiter: Unicode.Scalar) -> Bool {
    guard utf8.first == UInt8(ascii: delimiter) else { return false }
    self = self[utf8.index(after: startIndex)...]
    return true
  }

  /// The text without the spaces and tabs around it, which are the optional white space of RFC 9110, section 5.6.3.
  @inlinable
  package var withoutOuterSpace: Substring {
    var rest = utf8[...]
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
    while let byte = rest.last, byte == 0x20 || byte == 0x09 { rest.removeLast() }
    return Substring(rest)
  }

  var isDotSegment: Bool { self == "." || self == ".." }

  /// The text decoded like that of a form (WHATWG URL, section 5.1): a `+` is a space, a `%` that escapes nothing
  /// stays, and what is not UTF-8 becomes U+FFFD.
  var formDecoded: String {
    guard utf8.contains(where: { $0 == .percent || $0 == UInt8(ascii: "+") }) else { return String(self) }
    return String(utf8: utf8.percentDecoded(ofForm: true) ?? [])
  }
}

extension String {
  /// Creates a text from UTF-8, scalar by scalar. Returns `nil` if the bytes are not UTF-8.
  ///
  /// Foundation's initializers drop a byte order mark.
  @inlinable
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding replaces what is not UTF-8 by U+FFFD, so nothing else comes out as it went in.
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// Creates a text from UTF-8. What isn't UTF-8 becomes U+FFFD.
  package init(utf8 bytes: some Collection<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }

  /// Lends the text in UTF-8, as `withUTF8` does, which would be compiled again in each file that calls it.
  @inline(__always)
  mutating func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try withUTF8(body)
  }

  /// The text with its percent escapes decoded (RFC 3986, section 2.1). It stays as it is if a `%` escapes nothing,
  /// or if the bytes are not UTF-8.
  package var percentDecoded: String {
    guard has("%"), let bytes = utf8.percentDecoded() else { return self }
    return String(validUTF8: bytes) ?? self
  }

  /// The path without its segments `.` and `..` (RFC 3986, section 5.2.4). Percent-encoded ones stay.
  var withoutDotSegments: String {
    let pieces = has(".") ? pieces(at: "/") : []
    guard pieces.contains(where: \.isDotSegment) else { return self }
    var segments: [Substring] = []
    for piece in pieces {
      // Nothing is above the root.
      if piece == "..", segments != [""] { segments = segments.dropLast() }
      if !piece.isDotSegment { segments.append(piece) }
    }
    return (segments + (pieces.last?.isDotSegment == true ? [""] : [])).joined(separator: "/")
  }

  var isASCII: Bool { utf8.withContiguousStorageIfAvailable(\.isASCII) ?? utf8.allSatisfy { $0 < 0x80 } }
}

extension Collection<UInt8> {
  /// Returns the bytes with every escape decoded.
  ///
  /// - Parameter isOfForm: Whether a `+` becomes a space, and a `%` without two hexadecimal digits stays. Otherwise
  ///   such a `%` makes the result `nil`. Defaults to `false`.
  func percentDecoded(ofForm isOfForm: Bool = false) -> [UInt8]? {
    // Positions in an array cost a debug build much less than slices.
    let escaped = Array(self)
    var bytes = [UInt8]()
    var position = 0
    bytes.reserveCapacity(escaped.count)
    while position < escaped.count {
      let byte = escaped[position]
      position += 1
      if byte == .percent {
        if position + 1 < escaped.count, let high = escaped[position].hexadecimalDigit,
          let low = escaped[position + 1].hexadecimalDigit
        {
          bytes.append(high << 4 | low)
          position += 2
          continue
        }
        if !isOfForm { return nil }
      }
      bytes.append(isOfForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return bytes
  }
}

/// Bytes as ASCII.
extension UInt8 {
  static var slash: UInt8 { 0x2F }
  static var backslash: UInt8 { 0x5C }
  static var quote: UInt8 { 0x22 }
  static var question: UInt8 { 0x3F }
  static var zeroDigit: UInt8 { 0x30 }
  static var pound: UInt8 { 0x23 }
  static var closingBracket: UInt8 { 0x5D }
  static var minus: UInt8 { 0x2D }
  static var closingBrace: UInt8 { 0x7D }
  package static var newline: UInt8 { 0x0A }
  static var colon: UInt8 { 0x3A }
  static var dot: UInt8 { 0x2E }
  static var percent: UInt8 { 0x25 }

  @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }
  @inlinable package var isUppercase: Bool { 0x41...0x5A ~= self }
  @inlinable package var isLowercase: Bool { 0x61...0x7A ~= self }
  @inlinable package var isLetter: Bool { (self | 0x20).isLowercase }
  @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }

  /// A Boolean value that indicates whether the byte is a space, a tab or a line break.
  package var isWhiteSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

  /// A Boolean value that indicates whether the byte is a carriage return or a line feed.
  var isLineBreak: Bool { self == 0x0A || self == 0x0D }

  /// A Boolean value that indicates whether a reason phrase can contain the byte (RFC 9112, section 4).
  var isReasonByte: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

  /// A Boolean value that indicates whether a token can contain the byte (RFC 9110, section 5.6.2).
  package var isTokenByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

  /// The lowercase letter for an uppercase one, and otherwise the same byte.
  @inlinable package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }

  /// The value of a hexadecimal digit, or `nil` for any other byte.
  @inlinable
  package var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x61...0x66: self - 0x61 + 10
    case 0x41...0x46: self - 0x41 + 10
    default: nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  // The compiler makes a loop without an early exit take many bytes at once.
  var isASCII: Bool { reduce(0, |) < 0x80 }

  /// The bytes without the spaces and tabs around them.
  var withoutOuterSpace: Self {
    var range = indices
    while let byte = range.first.map({ self[$0] }), byte == 0x20 || byte == 0x09 { range.removeFirst() }
    while let byte = range.last.map({ self[$0] }), byte == 0x20 || byte == 0x09 { range.removeLast() }
    return Self(rebasing: self[range])
  }

  /// The position of the first byte that is not part of valid UTF-8 (RFC 3629), or `nil` if all bytes are.
  package var firstInvalidUTF8: Int? {
    guard let baseAddress else { return nil }
    var position = 0
    while position < count {
      if position + 8 <= count, EightBytes(baseAddress, at: position).nonASCII.first == nil {
        position += 8
        continue
      }
      var rest = self[position...].makeIterator()
      var parser = Unicode.UTF8.ForwardParser()
      guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return position }
      position += scalar.count
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// The number of the scalar, such as U+00E9.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension [UInt8] {
  /// The number of bytes to insert, delete or replace to turn one text into the other (Levenshtein, 1966).
  func editDistance(to other: [UInt8]) -> Int {
    var row = [Int](0...other.count)
    var i = 0
    while i < count {
      var diagonal = row[0]
      var j = 0
      row[0] = i + 1
      while j < other.count {
        let replaced = self[i] == other[j] ? diagonal : diagonal + 1
        diagonal = row[j + 1]
        let added = 1 + (row[j] < diagonal ? row[j] : diagonal)
        row[j + 1] = replaced < added ? replaced : added
        j += 1
      }
      i += 1
    }
    return row[other.count]
  }
}

extension Data {
  /// The same bytes with indices that begin at zero, on which those who receive a body rely.
  var fromZero: Data { piece(0..<count) }

  /// Returns the bytes at these positions. A slice is copied, because its indices would not begin at zero, on which a
  /// delegate may rely.
  func piece(_ range: Range<Int>) -> Data {
    if range.count == count, startIndex == 0 { return self }
    return subdata(in: startIndex + range.lowerBound..<startIndex + range.upperBound)
  }
}
