import Foundation
import StubKit

/// A set of bytes as a table. A closure for each byte would be slow in a debug build.
struct ByteSet: Hashable, @unchecked Sendable {
  // Holds: nothing writes to the table after the initialiser, and nothing frees it.
  private let members: UnsafePointer<Bool>

  init(_ text: String, _ others: (UInt8) -> Bool = { _ in false }) {
    let members = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max { members[Int(byte)] = text.utf8.contains(byte) || others(byte) }
    self.members = UnsafePointer(members)
  }

  subscript(byte: UInt8) -> Bool { members[Int(byte)] }

  static let base64 = ByteSet("+/-_", \.isAlphanumeric)
  /// What says nothing in Base64.
  static let inBase64 = ByteSet("= \t\r\n")
}

extension Data {
  /// Decodes Base64, or Base64 for URLs (RFC 4648), with or without padding.
  package init?(base64OfAnyKind text: String) {
    var bytes: [UInt8] = []
    for byte in text.utf8 where !ByteSet.inBase64[byte] {
      guard byte.isBase64 else { return nil }
      bytes.append(byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte)
    }
    guard bytes.count % 4 != 1 else { return nil }
    bytes += Array(repeating: UInt8(ascii: "="), count: -bytes.count & 3)
    self.init(base64Encoded: Data(bytes))
  }
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

extension UInt8 {
  /// A Boolean value that indicates whether the byte encodes six bits in Base64, or in Base64 for URLs.
  package var isBase64: Bool { ByteSet.base64[self] }
}
