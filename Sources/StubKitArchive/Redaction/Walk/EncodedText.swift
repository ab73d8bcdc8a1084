import Foundation
import StubKit

/// A text that is encoded as a whole in Base64 or hexadecimal digits, and knows how, so that an edited one is encoded
/// as it was.
struct EncodedText {
  private enum Form {
    case base64(isForURLs: Bool, isPadded: Bool)
    /// The digits, what is before each pair of them, and what is between two.
    case hexadecimal(isUppercase: Bool, prefix: [UInt8], separator: [UInt8])
  }

  /// What it encodes.
  let bytes: [UInt8]
  private let form: Form
  /// Whether that is text, and not the bytes of something else, in which no names are.
  let isText: Bool

  /// The least number of digits. What is shorter encodes no name with a value.
  static let leastDigits = 16
  /// The least number of digits that encode something else than text. Identifiers are shorter.
  private static let leastBinaryDigits = 48

  /// - Returns: `nil` if the text is no such one.
  init?(_ text: Bytes) {
    guard text.count >= Self.leastDigits else { return nil }
    if let hexadecimal = EncodedText(hexadecimal: text) {
      self = hexadecimal
    } else if let base64 = EncodedText(base64: text) {
      self = base64
    } else {
      return nil
    }
  }

  /// A part of a JSON Web Token: an object of JSON of any length, in Base64 for URLs.
  init?(json text: Substring) {
    guard let data = Data(base64OfAnyKind: String(text)), data.first == UInt8(ascii: "{"),
      data.last == UInt8(ascii: "}")
    else { return nil }
    (bytes, form, isText) = ([UInt8](data), .base64(isForURLs: true, isPadded: false), true)
  }

  private init?(hexadecimal text: Bytes) {
    let pairs = text.pairs(from: 0)
    guard pairs.count > 1 ? pairs.end == text.count : text.firstIndex(notIn: .hexadecimal) == text.count,
      pairs.count > 1 || text.count % 2 == 0
    else { return nil }
    let (prefix, width) = pairs.count > 1 ? (pairs.prefix, pairs.width) : (0, 2)
    var (bytes, position, isUppercase) = ([UInt8](), prefix, false)
    bytes.reserveCapacity(text.count / width)
    while position < text.count {
      guard let high = text[position].hexadecimalDigit, let low = text[position + 1].hexadecimalDigit else {
        return nil
      }
      bytes.append(UInt8(high << 4 | low))
      isUppercase = isUppercase || text[position].isUppercase || text[position + 1].isUppercase
      position += width
      if bytes.count == 8, bytes.contains(where: { ByteSet.binary[$0] || $0 >= 0x80 }) { return nil }
    }
    guard bytes.isText else { return nil }
    (self.bytes, isText) = (bytes, true)
    form = .hexadecimal(
      isUppercase: isUppercase, prefix: Array(text[0..<prefix]), separator: Array(text[prefix + 2..<width]))
  }

  private init?(base64 text: Bytes) {
    let first = text.firstIndex(notIn: .base64)
    guard first >= text.count - 2, text.firstIndex(notIn: .equals, from: first) == text.count else { return nil }
    guard text.canEncodeText || text.count >= Self.leastBinaryDigits && text.has("H4sI", at: 0) else { return nil }
    guard let data = Data(base64OfAnyKind: String(utf8: text)) else { return nil }
    let bytes = [UInt8](data)
    isText = bytes.isText
    guard isText && bytes.count >= 6 || text.count >= Self.leastBinaryDigits else { return nil }
    let isForURLs = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let digits = text.count { $0.isBase64 }
    let isPadded = digits % 4 == 0 ? !isForURLs : text.contains(UInt8(ascii: "="))
    self.bytes = bytes
    form = .base64(isForURLs: isForURLs, isPadded: isPadded)
  }

  /// Returns other bytes in the same form.
  func encoded(_ data: Data) -> [UInt8] {
    switch form {
    case .hexadecimal(let isUppercase, let prefix, let separator):
      let pairs = data.map { byte in
        prefix + ((byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUppercase)).utf8
      }
      return Array(pairs.joined(separator: separator))
    case .base64(let isForURLs, let isPadded):
      var digits = [UInt8](data.base64EncodedString().utf8)
      if !isPadded { while digits.last == UInt8(ascii: "=") { digits.removeLast() } }
      guard isForURLs else { return digits }
      return digits.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      }
    }
  }
}

extension Bytes {
  /// Looks for pairs of hexadecimal digits from an index on, such as `7B 22`, `7b:22` or `0x7b, 0x22`.
  ///
  /// - Returns: How many there are, where they end, the length of what is before each, and from one to the next.
  func pairs(from start: Int) -> (count: Int, end: Int, prefix: Int, width: Int) {
    let prefix = has("0x", at: start) ? 2 : 0
    let first = start + prefix
    guard has(.hexadecimal, at: first), has(.hexadecimal, at: first + 1) else { return (0, start, prefix, 2) }
    var second = first + 2
    while second < first + 4, has(.betweenPairs, at: second) { second += 1 }
    let width = second - start
    guard width > prefix + 2 else { return (1, first + 2, prefix, 2) }
    var (count, next) = (1, start + width)
    let (head, separator) = (part(start..<first), part(first + 2..<second))
    while next + prefix + 2 <= self.count, part(next - separator.count..<next).elementsEqual(separator),
      part(next..<next + prefix).elementsEqual(head), has(.hexadecimal, at: next + prefix),
      has(.hexadecimal, at: next + prefix + 1), !has(.hexadecimal, at: next + prefix + 2)
    {
      (count, next) = (count + 1, next + width)
    }
    return (count, next - width + prefix + 2, prefix, width)
  }

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
