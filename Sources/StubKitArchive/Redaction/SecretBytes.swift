import Foundation
import StubKit

extension ByteSet {
  // At most one closure a declaration: Swift 6.3 gives two of them the body of the first.
  static let escapes = ByteSet("%\\&"), inText = ByteSet("\\&"), inURL = ByteSet("%")
  static let inForm = ByteSet("%+"), none = ByteSet(""), space = ByteSet("", \.isWhiteSpace)
  static let code = ByteSet(" -", \.isDigit)
  static let semicolon = ByteSet(";"), slash = ByteSet("/"), colon = ByteSet(":"), ampersand = ByteSet("&")
  static let queries = ByteSet("?#"), digit = ByteSet("", \.isDigit), alphanumeric = ByteSet("", \.isAlphanumeric)
  static let hexadecimal = ByteSet("") { $0.hexadecimalDigit != nil }
  static let capital = ByteSet("") { $0.isUppercase || $0.isDigit }
  static let upper = ByteSet("-_") { $0.isUppercase || $0.isDigit }, word = ByteSet("-_", \.isAlphanumeric)
  static let dotted = ByteSet("-_.=", \.isAlphanumeric), token = ByteSet(".=", \.isBase64)
  static let date = ByteSet("TtZz:.+- ", \.isDigit)

  // What redaction looks for in bodies.
  static let markup = ByteSet("<>="), tagMarks = ByteSet("<>"), quotes = ByteSet("\"'`"), inPath = ByteSet("=/:")
  static let separators = ByteSet(";,"), assigning = ByteSet("=:"), opening = ByteSet("{[")
  static let textMarks = ByteSet("=:<>")
  static let blank = ByteSet(" \t"), beforeMark = ByteSet(" \"'`\\")
  static let aroundWord = ByteSet("\"'`,.;()[]<>")
  static let partMarks = ByteSet(":|,!"), closing = ByteSet(".,;:)]}>")
  static let inWord = ByteSet("") { $0.isAlphanumeric || $0 >= 0x80 }
  static let random = ByteSet("+/=_.~%*-", \.isAlphanumeric)
  static let notSpace = ByteSet("") { !$0.isWhiteSpace }
  static let uuid = ByteSet("-") { $0.hexadecimalDigit != nil }
  static let newline = ByteSet("\n\r"), binary = ByteSet("") { $0 < 9 || 14...26 ~= $0 }
  static let name = ByteSet("_-.~", \.isAlphanumeric), lowercase = ByteSet("", \.isLowercase)
  static let valueEnd = ByteSet("\"'`&<;,") { $0 <= 0x20 }
  static let strongSigns = ByteSet("!@#$%^&*?")
  static let urlEnd = ByteSet("\"'<>\\`),;") { $0 <= 0x20 }
  static let path = ByteSet("-_.~/:@%+$,;=*!'", \.isAlphanumeric)
  static let notInURL = ByteSet("\"<>\\`(){}") { $0 <= 0x20 }
}

extension Bytes {
  /// Returns the range of the next word. A capital letter begins one within `camelCase` and `URLRequest`.
  func word(from position: Int) -> Range<Int>? {
    let start = firstIndex(in: .inWord, from: position)
    guard start < count else { return nil }
    var end = start + 1
    while has(.inWord, at: end) {
      let isFirst = !self[end - 1].isUppercase || has(.lowercase, at: end + 1)
      if self[end].isUppercase, isFirst { break }
      end += 1
    }
    return start..<end
  }
}

/// The digits of Base64, from a bit of a value on, wherever that is encoded.
struct Digits: Sendable {
  /// The first bit that a digit encodes. The bits before it are in a digit with a part of another byte.
  let start: Int
  let alphabet: [UInt8]

  static let all = [0, 4, 2].flatMap { start in
    ["+/", "-_"].map { Digits(start: start, alphabet: Array((alphanumeric + $0).utf8)) }
  }

  /// Returns the digits of a placeholder in the place of a value, which has as many bytes.
  func encoded(_ placeholder: String, inPlaceOf count: Int) -> String {
    let text = (start == 0 ? "" : ".") + placeholder + String(repeating: ".", count: count)
    return String(utf8: encoded(Array(text.utf8.prefix(count))))
  }

  func encoded(_ bytes: [UInt8]) -> [UInt8] {
    (0..<(8 * bytes.count - start) / 6).map { index in
      let (place, shift) = (start + index * 6).quotientAndRemainder(dividingBy: 8)
      let bits = Int(bytes[place]) << 8 | (place + 1 < bytes.count ? Int(bytes[place + 1]) : 0)
      return alphabet[bits >> (10 - shift) & 63]
    }
  }
}

extension Pattern {
  /// Returns the byte ranges of the matches of the pattern in bytes of any kind. Bytes that aren't UTF-8 are read as
  /// ISO 8859-1.
  func ranges(in bytes: Bytes) -> [Range<Int>] {
    let valid = String(validUTF8: bytes)
    let text = valid ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return expression.matches(in: text, range: NSRange(location: 0, length: text.utf16.count)).compactMap { match in
      guard match.range.length > 0, let range = Range(match.range, in: text) else { return nil }
      if valid == nil { return Range(match.range) }
      let start = text[..<range.lowerBound].utf8.count
      return start..<start + text[range].utf8.count
    }
  }
}
