import StubKitFormats

/// A part of a text, perhaps without its escapes, that knows the place of each of its bytes in the whole text.
struct SecretText {
  // Safe because no such text leaves the closure that lends the bytes.
  let bytes: UnsafeBufferPointer<UInt8>
  private let places: UnsafeBufferPointer<Int>?
  private let start: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ places: UnsafeBufferPointer<Int>? = nil, _ start: Int = 0) {
    (self.bytes, self.places, self.start) = (bytes, places, start)
  }

  /// Returns the place of a byte in the whole text.
  private func origin(_ position: Int) -> Int { places?[position] ?? start + position }

  func origins(_ range: Range<Int>) -> Range<Int> { origin(range.lowerBound)..<origin(range.upperBound) }

  subscript(range: Range<Int>) -> SecretText {
    SecretText(
      UnsafeBufferPointer(rebasing: bytes[range]),
      places.map { UnsafeBufferPointer(rebasing: $0[range.lowerBound...range.upperBound]) }, start + range.lowerBound)
  }

  subscript(range: PartialRangeFrom<Int>) -> SecretText { self[range.lowerBound..<bytes.count] }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls a closure with the text without its escapes, which is this text if it has none.
  ///
  /// - Parameter marks: What the escapes begin with: a percent sign, a backslash, an ampersand, or a plus sign for a space.
  func decoded<Result>(_ marks: String, _ body: (SecretText) -> Result) -> Result {
    guard let first = bytes.firstIndex(where: marks.utf8.contains) else { return body(self) }
    var decoded = Array(bytes[..<first])
    var origins = (0..<first).map(origin)
    decoded.reserveCapacity(bytes.count)
    origins.reserveCapacity(bytes.count + 1)
    var position = first
    while position < bytes.count {
      let escape = marks.utf8.contains(bytes[position]) ? bytes.escape(at: position) : nil
      for byte in escape?.bytes ?? [bytes[position]] {
        decoded.append(byte)
        origins.append(origin(position))
      }
      position += escape?.length ?? 1
    }
    origins.append(origin(bytes.count))
    return decoded.withUnsafeBufferPointer { bytes in
      origins.withUnsafeBufferPointer { body(SecretText(bytes, $0)) }
    }
  }

  /// Calls a closure with the text, with what its escapes decode to, and with what that decodes to.
  func forEachLevel(_ depth: Int = 3, _ body: (SecretText) -> Void) {
    body(self)
    guard depth > 0 else { return }
    decoded("%\\&") { if $0.bytes.count < bytes.count { $0.forEachLevel(depth - 1, body) } }
  }

  /// The parts between delimiters.
  func pieces(_ isDelimiter: (UInt8) -> Bool) -> [SecretText] {
    bytes.split(omittingEmptySubsequences: false, whereSeparator: isDelimiter).map { self[$0.startIndex..<$0.endIndex] }
  }

  func pieces(at delimiter: Unicode.Scalar) -> [SecretText] { pieces { $0 == UInt8(ascii: delimiter) } }

  /// The name and the value of `name=value`.
  var pair: (name: SecretText, value: SecretText)? {
    bytes.firstIndex(of: UInt8(ascii: "=")).map { (self[0..<$0], self[($0 + 1)...]) }
  }

  var trimmed: SecretText {
    let start = bytes.firstIndex { !$0.isWhiteSpace } ?? bytes.count
    return self[start..<(bytes.lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? start)]
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes of the escape at a position, and its length.
  fileprivate func escape(at position: Int) -> (bytes: [UInt8], length: Int)? {
    for escape in escapesOfOneByte where self[position...].starts(with: escape.text) {
      return ([escape.byte], escape.text.count)
    }
    let isPercent = self[position] == UInt8(ascii: "%")
    let (start, end) = isPercent ? (position + 1, position + 3) : (position + 2, position + 6)
    guard end <= count, isPercent || self[position + 1] == UInt8(ascii: "u"),
      self[start..<end].allSatisfy({ $0.hexadecimalDigit != nil })
    else { return nil }
    let unit = self[start..<end].reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexadecimalDigit ?? 0) }
    if isPercent { return ([UInt8(unit)], 3) }
    return Unicode.Scalar(unit).map { (Array(String($0).utf8), 6) }
  }
}

private let escapesOfOneByte: [(text: [UInt8], byte: UInt8)] = [
  ("+", " "), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"),
  ("&amp;", "&"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"),
  ("&apos;", "'"), ("&#x2F;", "/"), ("&#x2f;", "/"), ("&#47;", "/"), ("&#x3D;", "="), ("&#61;", "="),
].map { (text: String, scalar: Unicode.Scalar) in (Array(text.utf8), UInt8(ascii: scalar)) }
