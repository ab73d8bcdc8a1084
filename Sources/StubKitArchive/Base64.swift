import Foundation
import StubKit

extension Data {
  /// Decodes Base64, or Base64 for URLs (RFC 4648), with or without padding.
  package init?(base64OfAnyKind text: String) {
    var bytes: [UInt8] = []
    for byte in text.utf8 where !ByteSet.inBase64[byte] {
      guard byte.isBase64 else { return nil }
      bytes.append(byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte)
    }
    guard bytes.count % 4 != 1 else { return nil }
    self.init(base64Encoded: Data(bytes) + Data(repeating: UInt8(ascii: "="), count: -bytes.count & 3))
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte encodes six bits in Base64, or in Base64 for URLs.
  package var isBase64: Bool { ByteSet.base64[self] }
}

extension String {
  /// Returns the text with an escape for each byte that isn't of a set of ASCII.
  func percentEncoded(_ plain: CharacterSet = .unreserved) -> String {
    addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}

/// In the order of Base64.
let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

extension CharacterSet {
  /// RFC 3986, section 2.3.
  static let unreserved = CharacterSet(charactersIn: alphanumeric + "-._~")
  /// What a URL contains besides escapes, and the percent sign of these.
  static let inURL = CharacterSet(charactersIn: alphanumeric + "-._~:/?#[]@!$&'()*+,;=%")
  /// What a form contains (WHATWG URL, application/x-www-form-urlencoded), in which a space becomes a plus sign.
  static let inForm = CharacterSet(charactersIn: alphanumeric + "*-._ ")
}
