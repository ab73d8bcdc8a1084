import Foundation
import StubKit

/// The text that replaces a secret in a recording, its placeholder.
///
/// The first secret becomes `REDACTED`, the second `REDACTED-2`, and so on. A value that a program decodes gets a
/// placeholder of the same shape: digits, a UUID, a date, Base64, or a JSON Web Token (RFC 7519).
package enum Redacted {
  package static let mark = "REDACTED"
  /// What every Base64 text begins with that begins with the mark.
  private static let base64Mark = "UkVEQUNURUQ"
  private static let uuidMark = "0edac7ed-0000-4000-8000-"
  /// What every hexadecimal placeholder begins with.
  private static let hexMark = "0edac7ed"
  /// The keys of a telephone for the mark. A number becomes these digits, as many as it has, and from the ninth on its own.
  private static let digits = "73322833"
  /// The time of day in every placeholder of a date: the first of these digits.
  private static let timeMark = "T07:33:22"
  /// The placeholder of a number, whichever it is.
  package static let anyNumber = 7_332_283_300

  /// The placeholder without a shape.
  package static func name(_ number: Int) -> String { number == 1 ? mark : "\(mark)-\(number)" }

  /// Returns the placeholder of a number in the shape of a value.
  ///
  /// - Parameter isBinary: Whether clients decode the value from Base64 even if nothing in it shows that it is.
  package static func text(_ number: Int, like value: String, isBinary: Bool = false) -> String {
    let count = value.utf8.count
    if value.utf8.allSatisfy(\.isDigit), count > 2 { return digits(number, count) }
    if value.isUUID {
      let rest = String(number, radix: 16)
      let uuid = uuidMark + String(repeating: "0", count: max(0, 12 - rest.utf8.count)) + rest
      return value == value.uppercased() ? uuid.uppercased() : uuid
    }
    if value.isDate, !value.hasSuffix("GMT") {
      let day = value.prefix(10)
      return count > 18
        ? day + timeMark + String(value.dropFirst(19).map { $0.isNumber ? "0" : $0 }) : day.prefix(8) + "01"
    }
    if let host = value.firstRange(of: "://")?.upperBound, !value.has(" ") {
      let authority = value[host...].prefix { !"/?#".contains($0) }
      return value[..<host] + (authority.split(separator: "@").last ?? "") + "/" + name(number)
    }
    if count >= 16, count % 2 == 0, value.utf8.allSatisfy({ $0.hexadecimalDigit != nil }) {
      let rest = String(number, radix: 16)
      let hex = hexMark + String(repeating: "0", count: max(0, count - 8 - rest.utf8.count)) + rest
      return value.contains(where: \.isUppercase) ? hex.uppercased() : hex
    }
    if value.isBase64OfText || isBinary && count >= 16 && Data(base64OfAnyKind: value) != nil {
      return base64(number, count, value)
    }
    return name(number)
  }

  /// Returns digits, as many as a number has.
  private static func digits(_ number: Int, _ count: Int) -> String {
    guard count > digits.utf8.count else { return String(digits.prefix(max(3, count))) }
    let rest = String(String(number).suffix(count - digits.utf8.count))
    return digits + String(repeating: "0", count: count - digits.utf8.count - rest.utf8.count) + rest
  }

  /// Returns a placeholder that is a number, even for a value whose other placeholder isn't.
  static func number(like placeholder: String, _ value: String) -> String {
    placeholder.utf8.allSatisfy(\.isDigit) ? placeholder : digits(1, value.utf8.count)
  }

  /// Returns Base64 of the same length, with padding if the value has some.
  private static func base64(_ number: Int, _ count: Int, _ value: String) -> String {
    let length = value.prefix { $0 != "=" }.utf8.count * 6 / 8
    guard length >= mark.utf8.count else { return name(number) }
    let text = name(number).prefix(length)
    let encoded = Data((text + String(repeating: ".", count: length - text.utf8.count)).utf8).base64EncodedString()
    return value.hasSuffix("=") ? encoded : encoded.withoutPadding
  }

  /// Returns a JSON Web Token with the parts of another one before its signature, which stays as long as it is.
  package static func token(_ number: Int, _ head: String, _ signature: Substring) -> String {
    "\(head).\(base64(number, max(11, signature.utf8.count), String(repeating: "a", count: max(11, signature.utf8.count))))"
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
      if text.hasPrefix(digits) { return Int(text.dropFirst(digits.count).prefix(9)) ?? 0 }
      return text.lowercased().starts(withBytesOf: hexMark) ? Int(text.suffix(8), radix: 16) ?? 0 : 0
    }.max() ?? 0
  }

  /// Returns the pieces of a text between its placeholders.
  package static func pieces(of text: UnsafeBufferPointer<UInt8>) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    let ranges = ranges(in: text)
    let starts = [0] + ranges.map(\.upperBound)
    return zip(starts, ranges.map(\.lowerBound) + [text.count]).map { text[$0..<$1] }
  }

  /// Returns the places of the placeholders in a text.
  package static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = 0
    while position < text.count {
      guard first[text[position]], let end = end(of: text, position) else {
        position += 1
        continue
      }
      var start = position
      if text[position] == UInt8(ascii: "U"), start > 0, text[start - 1] == UInt8(ascii: ".") {
        // The signature of a token, whose other parts precede it.
        let least = ranges.last?.upperBound ?? 0
        start = text.startIndex(of: .dotted, before: start, notBefore: least)
      }
      ranges.append(start..<end)
      position = end
    }
    return ranges
  }

  /// Returns the end of the placeholder that begins at a position.
  private static func end(of text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
    let next = position + 1 < text.count ? text[position + 1] : 0
    switch text[position] {
    case UInt8(ascii: "R"):
      guard text.has(mark, at: position) else { return nil }
      let end = position + mark.utf8.count
      guard end + 1 < text.count, text[end] == UInt8(ascii: "-"), text[end + 1].isDigit else { return end }
      return text.firstIndex(notIn: .digit, from: end + 1)
    case UInt8(ascii: "U"):
      guard text.has(base64Mark, at: position) else { return nil }
      return text.firstIndex(notIn: .dotted, from: position)
    case UInt8(ascii: "0") where next | 0x20 == UInt8(ascii: "e"):
      guard text.has(hexMark, at: position, inAnyCase: true) else { return nil }
      if text.has(uuidMark, at: position, inAnyCase: true) { return min(position + 36, text.count) }
      let end = text.firstIndex(notIn: .hexadecimal, from: position)
      return end - position >= 16 ? end : nil
    default:
      guard position == 0 || !text[position - 1].isDigit else { return nil }
      let end = text.firstIndex(notIn: .digit, from: position)
      let count = end - position
      if count == 4, text.has(timeMark, at: position + 10) { return text.firstIndex(notIn: .date, from: position + 5) }
      guard count > 3 || count == 3 && text.count == 3 else { return nil }
      // Up to version 1.0, a number began with 19999.
      let isOlder = count == 10 && text.has("19999", at: position)
      return isOlder || text.has(String(digits.prefix(count)), at: position) ? end : nil
    }
  }

  /// What placeholders begin with.
  private static let first = ByteSet("RU", \.isDigit)

  /// Whether the whole text is a placeholder.
  package static func isWhole(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard let first = utf8.first, "RUe".utf8.contains(first) || first.isDigit else { return false }
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
    return text.withUTF8 { Redacted.pieces(of: $0).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// A Boolean value that indicates whether a program decodes the text from Base64: it has padding, or what it encodes
  /// is text.
  fileprivate var isBase64OfText: Bool {
    guard utf8.count >= 8, utf8.allSatisfy({ $0.isBase64 || $0 == UInt8(ascii: "=") }) else { return false }
    if utf8.count % 4 == 0, hasSuffix("=") || looksRandom() && (has("+") || has("/")) {
      return Data(base64Encoded: self) != nil
    }
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
