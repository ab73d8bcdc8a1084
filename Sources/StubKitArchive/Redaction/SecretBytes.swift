import Foundation
import StubKit

extension ByteSet {
  // At most one closure a declaration: Swift 6.3 gives two of them the body of the first.
  static let escapes = ByteSet("%\\&"), inText = ByteSet("\\&"), inURL = ByteSet("%")
  static let inForm = ByteSet("%+"), none = ByteSet(""), space = ByteSet("", \.isWhiteSpace)
  static let code = ByteSet(" -", \.isDigit)
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

extension String {
  /// Returns the digits of Base64 that encode nothing but the text, wherever it begins in a longer one and in both
  /// alphabets, and those of a placeholder in its place.
  func base64Forms(with placeholder: String) -> [(form: String, placeholder: String)] {
    (0..<3).flatMap { offset in
      // The first byte shares its first digit with the byte before it.
      let filled = (offset > 0 ? "." : "") + placeholder + String(repeating: ".", count: utf8.count)
      let forms = [self, filled].map { text in
        let bytes = Data(count: offset) + text.utf8.prefix(utf8.count)
        let digits = bytes.base64EncodedString().prefix(bytes.count * 4 / 3)
        return String(digits.dropFirst(offset > 0 ? offset + 1 : 0))
      }
      let others = forms.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
      return [(forms[0], forms[1]), (others[0], others[1])]
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
