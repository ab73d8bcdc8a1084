/// Bytes as ASCII.
extension UInt8 {
  static var slash: UInt8 { 0x2F }
  static var backslash: UInt8 { 0x5C }
  static var quote: UInt8 { 0x22 }
  static var question: UInt8 { 0x3F }
  static var zeroDigit: UInt8 { 0x30 }
  static var pound: UInt8 { 0x23 }
  static var closingBracket: UInt8 { 0x5D }
  static var minus: UInt8 { 0x2D }
  static var closingBrace: UInt8 { 0x7D }
  package static var newline: UInt8 { 0x0A }
  static var colon: UInt8 { 0x3A }
  static var dot: UInt8 { 0x2E }
  static var percent: UInt8 { 0x25 }

  @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }
  @inlinable package var isUppercase: Bool { 0x41...0x5A ~= self }
  @inlinable package var isLowercase: Bool { 0x61...0x7A ~= self }
  @inlinable package var isLetter: Bool { (self | 0x20).isLowercase }
  @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }

  /// A Boolean value that indicates whether the byte is a space, a tab or a line break.
  package var isWhiteSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

  /// A Boolean value that indicates whether the byte is a carriage return or a line feed.
  var isLineBreak: Bool { self == 0x0A || self == 0x0D }

  /// A Boolean value that indicates whether a reason phrase can contain the byte (RFC 9112, section 4).
  var isReasonByte: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

  /// A Boolean value that indicates whether a token can contain the byte (RFC 9110, section 5.6.2).
  package var isTokenByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

  /// The lowercase letter for an uppercase one, and otherwise the same byte.
  @inlinable package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }

  /// The value of a hexadecimal digit, or `nil` for any other byte.
  @inlinable
  package var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x61...0x66: self - 0x61 + 10
    case 0x41...0x46: self - 0x41 + 10
    default: nil
    }
  }
}
