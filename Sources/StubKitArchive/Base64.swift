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
