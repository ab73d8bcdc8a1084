extension String {
  /// The text with its percent escapes decoded (RFC 3986, section 2.1). It stays as it is if a `%` escapes nothing,
  /// or if the bytes are not UTF-8.
  package var percentDecoded: String {
    guard has("%") else { return self }
    guard let bytes = utf8.percentDecoded(strictly: true) else { return self }
    return String(validUTF8: bytes) ?? self
  }
}

extension Substring {
  /// The text decoded like that of a form (WHATWG URL, section 5.1): a `+` is a space, a `%` that escapes nothing
  /// stays, and what is not UTF-8 becomes U+FFFD.
  package var formDecoded: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(self) }
    let spaced = utf8.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: spaced.percentDecoded(strictly: false) ?? [], as: UTF8.self)
  }
}

extension Sequence<UInt8> {
  /// Returns the bytes with every escape decoded.
  ///
  /// - Parameter strictly: Whether a `%` without two hexadecimal digits makes the result `nil`. Otherwise it stays.
  fileprivate func percentDecoded(strictly: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(underestimatedCount)
    // The number of the last bytes that belong to an incomplete escape.
    var open = 0
    for byte in self {
      bytes.append(byte)
      if open > 0, byte.hexadecimalDigit == nil {
        if strictly { return nil }
        open = 0
      }
      if byte == UInt8(ascii: "%") {
        open = 1
      } else if open > 0 {
        open += 1
      }
      guard open == 3, let low = bytes.popLast()?.hexadecimalDigit, let high = bytes.popLast()?.hexadecimalDigit else {
        continue
      }
      bytes[bytes.count - 1] = high << 4 | low
      open = 0
    }
    return strictly && open > 0 ? nil : bytes
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit, or `nil` for any other byte.
  @inlinable
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
