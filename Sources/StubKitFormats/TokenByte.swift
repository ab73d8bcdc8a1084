extension UInt8 {
  /// A Boolean value that indicates whether a token can contain the byte (RFC 9110, section 5.6.2).
  package var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
