extension UnsafeBufferPointer<UInt8> {
  /// The position of the first byte that is not part of valid UTF-8 (RFC 3629), or `nil` if all bytes are.
  package var firstInvalidUTF8: Int? {
    let raw = UnsafeRawBufferPointer(self)
    var position = 0
    while position < count {
      if position + 8 <= count,
        raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        position += 8
        continue
      }
      guard let length = lengthOfScalar(at: position) else { return position }
      position += length
    }
    return nil
  }

  /// Returns the number of bytes in the scalar that begins at a position, or `nil` if none does.
  private func lengthOfScalar(at position: Int) -> Int? {
    let first = self[position]
    switch first {
    case 0..<0x80: return 1
    case 0xC2..<0xE0: return continues(position + 1) ? 2 : nil
    case 0xE0..<0xF0:
      guard continues(position + 1), continues(position + 2) else { return nil }
      let second = self[position + 1]
      // Overlong forms and surrogates.
      if first == 0xE0 && second < 0xA0 || first == 0xED && second >= 0xA0 { return nil }
      return 3
    case 0xF0..<0xF5:
      guard continues(position + 1), continues(position + 2), continues(position + 3) else { return nil }
      let second = self[position + 1]
      if first == 0xF0 && second < 0x90 || first == 0xF4 && second >= 0x90 { return nil }
      return 4
    default: return nil
    }
  }

  private func continues(_ position: Int) -> Bool { position < count && self[position] & 0xC0 == 0x80 }
}
