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
}
