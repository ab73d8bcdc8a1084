/// A string in a JSON text, between its quotation marks. Its escapes are known to be well-formed.
package struct JSONString {
  // Safe because no string leaves the scan of its text.
  package let utf8: UnsafeBufferPointer<UInt8>
  /// The position of its first quotation mark in the text.
  package let start: Int
  package let hasEscapes: Bool

  /// The range of the string in the text, including its quotation marks.
  package var range: Range<Int> { start..<start + utf8.count + 2 }

  /// The string. Half of a surrogate pair, which only an escape can express, becomes U+FFFD.
  package var text: String {
    guard hasEscapes else { return String(decoding: utf8, as: UTF8.self) }
    // No escape is shorter than its character. The capacity isn't 0, because there are escapes.
    return String(unsafeUninitializedCapacity: utf8.count) { decode(into: $0.baseAddress.unsafelyUnwrapped) }
  }

  /// The position in the text of the first escape that is half of a surrogate pair, or `nil` if there is none.
  package var loneSurrogate: Int? {
    guard hasEscapes else { return nil }
    var position = 0
    while true {
      let escape = utf8.endOfPlainJSON(from: position)
      guard escape < utf8.count else { return nil }
      position = escape + 2
      guard utf8[escape + 1] == UInt8(ascii: "u") else { continue }
      if scalar(at: &position) == "\u{FFFD}", unit(at: escape + 2) != 0xFFFD { return start + 1 + escape }
    }
  }

  /// - Returns: The number of bytes written.
  private func decode(into target: UnsafeMutablePointer<UInt8>) -> Int {
    guard let base = utf8.baseAddress else { return 0 }
    var written = 0
    var position = 0
    while position < utf8.count {
      let end = utf8.endOfPlainJSON(from: position)
      (target + written).update(from: base + position, count: end - position)
      written += end - position
      guard end < utf8.count else { break }
      position = end + 2
      switch utf8[end + 1] {
      case UInt8(ascii: "b"): target[written] = 0x08
      case UInt8(ascii: "f"): target[written] = 0x0C
      case UInt8(ascii: "n"): target[written] = 0x0A
      case UInt8(ascii: "r"): target[written] = 0x0D
      case UInt8(ascii: "t"): target[written] = 0x09
      case UInt8(ascii: "u"):
        for byte in UTF8.encode(scalar(at: &position)).unsafelyUnwrapped {
          target[written] = byte
          written += 1
        }
        continue
      case let byte: target[written] = byte
      }
      written += 1
    }
    return written
  }

  /// Returns the scalar of the escape whose digits begin at the position. If it is half of a pair, its other half is
  /// included.
  private func scalar(at position: inout Int) -> Unicode.Scalar {
    let first = unit(at: position)
    position += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), position + 5 < utf8.count, utf8[position] == UInt8(ascii: "\\"),
      utf8[position + 1] == UInt8(ascii: "u"), case let second = unit(at: position + 2),
      UTF16.isTrailSurrogate(second)
    else { return "\u{FFFD}" }
    position += 6
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private func unit(at position: Int) -> UInt16 {
    utf8[position..<position + 4].reduce(0) { $0 << 4 | UInt16($1.hexadecimalDigit ?? 0) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of the first byte that a JSON string must escape: a quotation mark, a backslash or a
  /// control character.
  package func endOfPlainJSON(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(self)
    var position = start
    // Eight bytes at a time. Subtracting borrows the top bit of a byte that is too small. The lowest such byte is a
    // true find, because only bytes above it can have lent to it.
    while position + 8 <= raw.count {
      let bytes = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quotes = bytes ^ (ones &* 0x22)
      let backslashes = bytes ^ (ones &* 0x5C)
      let finds =
        (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((bytes &- (ones &* 0x20)) & ~bytes))
        & tops
      if finds != 0 { return position + finds.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count {
      let byte = self[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      position += 1
    }
    return position
  }
}

extension String {
  /// The text as a JSON string, with its quotation marks.
  package var quotedAsJSON: String {
    var text = self
    return text.withUTF8 { text in
      var quoted = Array("\"".utf8)
      var position = 0
      while position < text.count {
        let end = text.endOfPlainJSON(from: position)
        quoted += text[position..<end]
        position = end + 1
        guard end < text.count else { break }
        switch text[end] {
        case UInt8(ascii: "\""): quoted += #"\""#.utf8
        case UInt8(ascii: "\\"): quoted += #"\\"#.utf8
        case 0x08: quoted += #"\b"#.utf8
        case 0x0C: quoted += #"\f"#.utf8
        case 0x0A: quoted += #"\n"#.utf8
        case 0x0D: quoted += #"\r"#.utf8
        case 0x09: quoted += #"\t"#.utf8
        case let byte: quoted += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8 + Array(String(byte, radix: 16).utf8)
        }
      }
      return String(decoding: quoted + "\"".utf8, as: UTF8.self)
    }
  }
}
