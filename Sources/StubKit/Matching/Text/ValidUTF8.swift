extension String {
  /// The text in UTF-8, scalar by scalar; nil if the bytes are not UTF-8.
  ///
  /// Foundation's initializers drop a byte order mark.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding puts U+FFFD for what is not UTF-8, so nothing else comes out as it went in.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
