extension JSONParser {
  /// Parses a string in quotation marks, the first of which is at the position.
  mutating func string() throws(JSONSyntaxError) -> String {
    let start = position
    position += 1
    var isASCII = true
    while position < utf8.count {
      let byte = utf8[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return try text(UnsafeBufferPointer(rebasing: utf8[start + 1..<position - 1]), isASCII, at: start)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw controlCharacter }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    throw unclosed(start)
  }

  /// Parses a string with a backslash at the position.
  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var bytes = Array(utf8[start + 1..<position])
    while position < utf8.count {
      let byte = utf8[position]
      if byte < 0x20 { throw controlCharacter }
      if byte == UInt8(ascii: "\\") {
        try bytes.append(contentsOf: escape())
        continue
      }
      position += 1
      if byte == UInt8(ascii: "\"") { return try text(bytes, false, at: start) }
      bytes.append(byte)
    }
    throw unclosed(start)
  }

  private func text(
    _ bytes: some Collection<UInt8>, _ isASCII: Bool, at start: Int
  ) throws(JSONSyntaxError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces what is not UTF-8 by U+FFFD, so nothing else comes out as it went in.
    guard isASCII || text.utf8.elementsEqual(bytes) else { throw error("this string is not UTF-8", at: start) }
    return text
  }

  private mutating func escape() throws(JSONSyntaxError) -> String.UTF8View {
    let start = position
    position += 1
    let escaped = current
    position += 1
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(Unicode.Scalar(escaped)).utf8
    case UInt8(ascii: "b"): return "\u{8}".utf8
    case UInt8(ascii: "f"): return "\u{C}".utf8
    case UInt8(ascii: "n"): return "\n".utf8
    case UInt8(ascii: "r"): return "\r".utf8
    case UInt8(ascii: "t"): return "\t".utf8
    case UInt8(ascii: "u"): return String(try escapedScalar(at: start)).utf8
    default: throw error("this escape is not valid", at: start)
    }
  }

  /// Parses what follows `\u`: four hexadecimal digits, or a pair of such escapes above U+FFFF.
  private mutating func escapedScalar(at start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexadecimal(at: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), position + 1 < utf8.count, utf8[position] == UInt8(ascii: "\\"),
      utf8[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let second = try hexadecimal(at: start)
      if UTF16.isTrailSurrogate(second) {
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
      }
    }
    throw error("this escape is half of a surrogate pair", at: start)
  }

  private mutating func hexadecimal(at start: Int) throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(current)).hexDigitValue else {
        throw error("this escape doesn't have four hexadecimal digits", at: start)
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  private var controlCharacter: JSONSyntaxError { error("\(found) has to be escaped in a string") }

  private func unclosed(_ start: Int) -> JSONSyntaxError { error("this string is not closed", at: start) }
}
