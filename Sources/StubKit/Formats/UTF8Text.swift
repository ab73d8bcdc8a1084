import Foundation

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

  var isASCII: Bool { utf8.withContiguousStorageIfAvailable(\.isASCII) ?? utf8.allSatisfy { $0 < 0x80 } }
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
