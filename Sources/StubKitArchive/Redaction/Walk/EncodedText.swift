import Foundation
import StubKit

/// A text that is encoded as a whole in Base64, and knows how, so that an edited one is encoded as it was.
struct EncodedText {
  /// What it encodes.
  let bytes: [UInt8]
  private let isForURLs: Bool, isPadded: Bool
  /// Whether that is text, and not the bytes of something else, in which no names are.
  let isText: Bool

  /// The least number of digits. What is shorter encodes no name with a value.
  static let leastDigits = 16
  /// The least number of digits that encode something else than text. Identifiers are shorter.
  private static let leastBinaryDigits = 48

  /// A part of a JSON Web Token: an object of JSON of any length, in Base64 for URLs.
  init?(json text: Substring) {
    guard let data = Data(base64OfAnyKind: String(text)), data.first == UInt8(ascii: "{"),
      data.last == UInt8(ascii: "}")
    else { return nil }
    (bytes, isForURLs, isPadded, isText) = ([UInt8](data), true, false, true)
  }

  /// - Returns: `nil` if the text is no such one.
  init?(_ text: Bytes) {
    guard text.count >= Self.leastDigits else { return nil }
    let first = text.firstIndex(notIn: .base64)
    guard first >= text.count - 2, text.firstIndex(notIn: .equals, from: first) == text.count else { return nil }
    guard text.canEncodeText || text.count >= Self.leastBinaryDigits && text.has("H4sI", at: 0) else { return nil }
    guard let data = Data(base64OfAnyKind: String(utf8: text)) else { return nil }
    let bytes = [UInt8](data)
    isText = bytes.isText
    guard isText && bytes.count >= 6 || text.count >= Self.leastBinaryDigits else { return nil }
    isForURLs = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let digits = text.count { $0.isBase64 }
    isPadded = digits % 4 == 0 ? !isForURLs : text.contains(UInt8(ascii: "="))
    self.bytes = bytes
  }

  /// Returns other bytes in the same form.
  func encoded(_ data: Data) -> [UInt8] {
    var digits = [UInt8](data.base64EncodedString().utf8)
    if !isPadded { while digits.last == UInt8(ascii: "=") { digits.removeLast() } }
    guard isForURLs else { return digits }
    return digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
  }
}

extension Bytes {
  /// Whether the first digits of Base64 encode UTF-8 without control characters. Most words don't.
  fileprivate var canEncodeText: Bool {
    guard ByteSet.startOfText[self[0]] else { return false }
    var (index, bits, bitCount, following) = (0, 0, 0, 0)
    while index < 32, index < count, let digit = self[index].valueInBase64 {
      index += 1
      (bits, bitCount) = (bits << 6 | digit, bitCount + 6)
      if bitCount < 8 { continue }
      bitCount -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> bitCount)
      if following > 0 {
        guard 0x80..<0xC0 ~= byte else { return false }
        following -= 1
      } else if byte >= 0x80 {
        guard 0xC2..<0xF5 ~= byte else { return false }
        following = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
      } else if ByteSet.binary[byte] {
        return false
      }
    }
    return true
  }
}

extension UInt8 {
  /// The six bits that a digit of Base64 is, or of Base64 for URLs.
  fileprivate var valueInBase64: Int? {
    switch self {
    case 0x41...0x5A: Int(self) - 0x41
    case 0x61...0x7A: Int(self) - 0x61 + 26
    case 0x30...0x39: Int(self) - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

extension [UInt8] {
  /// Whether the bytes are UTF-8 without control characters but white space.
  fileprivate var isText: Bool {
    withUnsafeBufferPointer { bytes in
      guard bytes.firstIndex(in: .binary) == bytes.count else { return false }
      return bytes.firstIndex(in: .notASCII) == bytes.count || String(validUTF8: bytes) != nil
    }
  }
}
