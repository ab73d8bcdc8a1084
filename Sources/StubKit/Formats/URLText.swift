/// Text as URLs and forms write it: with percent escapes, and with dot segments in a path.
extension String {
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
}

extension Substring {
  var isDotSegment: Bool { self == "." || self == ".." }

  /// The text decoded like that of a form (WHATWG URL, section 5.1): a `+` is a space, a `%` that escapes nothing
  /// stays, and what is not UTF-8 becomes U+FFFD.
  var formDecoded: String {
    guard utf8.contains(where: { $0 == .percent || $0 == UInt8(ascii: "+") }) else { return String(self) }
    return String(utf8: utf8.percentDecoded(ofForm: true) ?? [])
  }
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
