import Foundation
import StubKitFormats

/// The text that replaces a secret in a recording, its placeholder.
///
/// The first secret becomes `REDACTED`, the second `REDACTED-2`, and so on. A value that a program decodes gets a
/// placeholder of the same shape: digits, a UUID, a date, Base64, or a JSON Web Token (RFC 7519).
package enum Redacted {
  package static let mark = "REDACTED"
  /// What every Base64 text begins with that begins with the mark.
  private static let base64Mark = "UkVEQUNURUQ"
  private static let uuidMark = "0edac7ed-0000-4000-8000-"
  private static let firstNumber = 1_999_900_000
  /// The placeholder of a number, whichever it is.
  package static let anyNumber = firstNumber

  /// The placeholder without a shape.
  package static func name(_ number: Int) -> String { number == 1 ? mark : "\(mark)-\(number)" }

  /// Returns the placeholder of a number in the shape of a value.
  package static func text(_ number: Int, like value: String) -> String {
    if value.isDecimal { return String(firstNumber + number % 100_000) }
    if value.isUUID {
      let digits = String(number, radix: 16)
      let uuid = uuidMark + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
      return value == value.uppercased() ? uuid.uppercased() : uuid
    }
    if let rest = value.afterDay {
      let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      var (month, day) = (0, (number - 1) % 365)
      while day >= days[month] { (month, day) = (month + 1, day - days[month]) }
      let place = [month + 1, day + 1].map { $0 < 10 ? "-0\($0)" : "-\($0)" }.joined()
      return "1808" + place + String(rest.map { $0.isNumber ? "0" : $0 })
    }
    if value.isBase64OfText {
      let encoded = Data(name(number).utf8).base64EncodedString()
      return value.hasSuffix("=") || value.utf8.count % 4 == 0 ? encoded : encoded.withoutPadding
    }
    return name(number)
  }

  /// Returns a JSON Web Token with the parts of another one before its signature.
  package static func token(_ number: Int, _ head: some StringProtocol) -> String {
    "\(head).\(Data(name(number).utf8).base64EncodedString().withoutPadding)"
  }

  /// The highest number of a placeholder in a text, or 0.
  package static func highestNumber(in text: UnsafeBufferPointer<UInt8>) -> Int {
    ranges(in: text).map { range -> Int in
      var text = String(decoding: text[range], as: UTF8.self)
      if let token = text.pieces(at: ".").last, token.starts(withBytesOf: base64Mark) {
        text = Data(base64OfAnyKind: String(token)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      if text.starts(withBytesOf: mark) {
        return Int(text.dropFirst(mark.count + 1).prefix { $0.isASCII && $0.isNumber }) ?? 1
      }
      if let number = Int(text) { return max(0, number - firstNumber) }
      if text.lowercased().starts(withBytesOf: uuidMark) { return Int(text.suffix(12), radix: 16) ?? 0 }
      return 0
    }.max() ?? 0
  }

  /// Returns the places of the placeholders in a text.
  package static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = 0
    while position < text.count {
      guard let end = end(of: text, position) else {
        position += 1
        continue
      }
      var start = position
      if text[position] == UInt8(ascii: "U"), start > 0, text[start - 1] == UInt8(ascii: ".") {
        // The signature of a token, whose other parts precede it.
        let least = ranges.last?.upperBound ?? 0
        while start > least, text[start - 1].isInToken || text[start - 1] == UInt8(ascii: ".") { start -= 1 }
      }
      ranges.append(start..<end)
      position = end
    }
    return ranges
  }

  /// Returns the end of the placeholder that begins at a position.
  private static func end(of text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
    let rest = text[position...]
    switch text[position] {
    case UInt8(ascii: "R"):
      guard rest.starts(with: mark.utf8) else { return nil }
      let end = position + mark.utf8.count
      guard end + 1 < text.count, text[end] == UInt8(ascii: "-"), text[end + 1].isDigit else { return end }
      return text[(end + 1)...].firstIndex { !$0.isDigit } ?? text.count
    case UInt8(ascii: "U"):
      guard rest.starts(with: base64Mark.utf8) else { return nil }
      return rest.firstIndex { !$0.isInToken && $0 != UInt8(ascii: "=") } ?? text.count
    case UInt8(ascii: "0"):
      let end = position + 36
      guard end <= text.count, rest.lazy.map({ $0 | 0x20 }).starts(with: uuidMark.utf8.map { $0 | 0x20 }) else {
        return nil
      }
      return end
    case UInt8(ascii: "1"):
      guard position == 0 || !text[position - 1].isDigit else { return nil }
      if rest.starts(with: "1808-".utf8) {
        return rest.dropFirst(5).firstIndex { !($0.isDigit || "-T:.+Z ".utf8.contains($0)) } ?? text.count
      }
      guard rest.starts(with: "19999".utf8) else { return nil }
      let end = rest.firstIndex { !$0.isDigit } ?? text.count
      return end == position + 10 ? end : nil
    default: return nil
    }
  }

  /// Whether the whole text is a placeholder.
  package static func isWhole(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard let first = utf8.first, "RU01eE".utf8.contains(first) else { return false }
      return ranges(in: utf8).first == utf8.startIndex..<utf8.endIndex
    }
  }
}

extension String {
  /// Whether some or all of the text was redacted.
  package var isRedacted: Bool {
    var text = self
    return text.withUTF8 { !Redacted.ranges(in: $0).isEmpty }
  }

  /// The text between its placeholders. There is at least one piece.
  package var betweenPlaceholders: [String] {
    var text = self
    return text.withUTF8 { utf8 in
      var (pieces, position) = ([String](), 0)
      for range in Redacted.ranges(in: utf8) {
        pieces.append(String(decoding: utf8[position..<range.lowerBound], as: UTF8.self))
        position = range.upperBound
      }
      return pieces + [String(decoding: utf8[position...], as: UTF8.self)]
    }
  }

  /// A Boolean value that indicates whether the text is a number in decimal digits, perhaps with a fraction.
  package var isDecimal: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    return digits.first?.isDigit == true && digits.count { $0 == UInt8(ascii: ".") } <= 1
      && digits.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
  }

  fileprivate var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }

  /// What follows the day of a date in ISO 8601, or `nil` if the text isn't one.
  fileprivate var afterDay: Substring? {
    let pattern = "dddd-dd-dd".utf8
    guard utf8.count >= pattern.count, utf8.count <= 40,
      zip(utf8, pattern).allSatisfy({ $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 })
    else { return nil }
    let rest = self[utf8.index(startIndex, offsetBy: pattern.count)...]
    guard let first = rest.utf8.first else { return rest }
    let isTime = first == UInt8(ascii: "T") || first == 0x20
    return isTime && rest.utf8.dropFirst().allSatisfy { $0.isDigit || ":.+-Z".utf8.contains($0) } ? rest : nil
  }

  /// A Boolean value that indicates whether a program decodes the text from Base64: it has padding, or what it encodes
  /// is text.
  fileprivate var isBase64OfText: Bool {
    guard utf8.count >= 8, utf8.allSatisfy({ $0.isBase64 || $0 == UInt8(ascii: "=") }) else { return false }
    if utf8.count % 4 == 0, hasSuffix("=") { return Data(base64Encoded: self) != nil }
    return decodedFromBase64 != nil
  }

  /// The text that this text encodes in Base64, or `nil` if it encodes none of at least six printable characters.
  package var decodedFromBase64: String? {
    guard utf8.count >= 8, let data = Data(base64OfAnyKind: self), data.count >= 6,
      data.allSatisfy({ 0x20...0x7E ~= $0 })
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  package var withoutPadding: String { String(prefix { $0 != "=" }) }
}

extension Data {
  /// Decodes Base64, or Base64 for URLs (RFC 4648), with or without padding.
  package init?(base64OfAnyKind text: String) {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
      case UInt8(ascii: "="), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0x20, 0x09: continue
      case let byte where byte.isBase64: bytes.append(byte)
      default: return nil
      }
    }
    guard bytes.count % 4 != 1 else { return nil }
    while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
    self.init(base64Encoded: Data(bytes))
  }
}

extension UInt8 {
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// A Boolean value that indicates whether the byte is a letter or a digit in ASCII.
  package var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// A Boolean value that indicates whether the byte can be in a part of a JSON Web Token, which a slash can't.
  fileprivate var isInToken: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }

  /// A Boolean value that indicates whether the byte encodes six bits in Base64, or in Base64 for URLs.
  package var isBase64: Bool { isAlphanumeric || "+/-_".utf8.contains(self) }
}
