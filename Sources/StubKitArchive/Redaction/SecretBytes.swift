import Foundation
import StubKit

extension ByteSet {
  static let escapes = ByteSet("%\\&")
  static let inURL = ByteSet("%")
  static let inForm = ByteSet("%+")
  static let none = ByteSet("")
  static let space = ByteSet("", \.isWhiteSpace)
  static let code = ByteSet(" -", \.isDigit)
  static let semicolon = ByteSet(";")
  static let slash = ByteSet("/")
  static let vowel = ByteSet("aeiouy") { $0 >= 0x80 }
  static let colon = ByteSet(":")
  static let ampersand = ByteSet("&")
  static let queries = ByteSet("?#")
  static let digit = ByteSet("", \.isDigit)
  static let alphabetic = ByteSet("", \.isLetter)
  static let alphanumeric = ByteSet("", \.isAlphanumeric)
  static let betweenPairs = ByteSet(":-, ")
  static let hexadecimal = ByteSet("") { $0.hexadecimalDigit != nil }
  static let lowercaseHexadecimal = ByteSet("abcdef", \.isDigit)
  static let capital = ByteSet("") { $0.isUppercase || $0.isDigit }
  static let upper = ByteSet("-_") { $0.isUppercase || $0.isDigit }
  static let word = ByteSet("-_", \.isAlphanumeric)
  static let dotted = ByteSet("-_.=", \.isAlphanumeric)
  static let token = ByteSet(".=", \.isBase64)
  static let date = ByteSet("TtZz:.+- ", \.isDigit)

  // What redaction looks for in bodies.
  static let markup = ByteSet("<>=")
  static let tagMarks = ByteSet("<>")
  static let quotes = ByteSet("\"'`")
  static let inQuotation = ByteSet("\"'`\\\n\r")
  static let inPath = ByteSet("=/:")
  static let separators = ByteSet(";,")
  static let assigning = ByteSet("=:")
  static let opening = ByteSet("{[")
  static let inNumber = ByteSet("+-.", \.isAlphanumeric)
  static let startOfMember = ByteSet("{[\"]}")
  static let textMarks = ByteSet("=:<>")
  static let blank = ByteSet(" \t")
  static let aroundWord = ByteSet("\"'`,.;()[]<>")
  static let partMarks = ByteSet(":|,!")
  static let closing = ByteSet(".,;:)]}>")
  static let inWord = ByteSet("") { $0.isAlphanumeric || $0 >= 0x80 }
  static let random = ByteSet("+/=_.~%*-", \.isAlphanumeric)
  static let notSpace = ByteSet("") { !$0.isWhiteSpace }
  static let uuid = ByteSet("-") { $0.hexadecimalDigit != nil }
  static let newline = ByteSet("\n\r")
  static let notStatementEnd = ByteSet("") { $0 != 0x0A && $0 != 0x0D && $0 != 0x7B && $0 != 0x7D && $0 != 0x3B }
  static let prose = ByteSet(" .,!") { $0.isLetter || $0 >= 0x80 }
  static let uppercase = ByteSet("", \.isUppercase)
  static let binary = ByteSet("") { $0 < 9 || 14...26 ~= $0 }
  static let name = ByteSet("_-.~", \.isAlphanumeric)
  static let lowercase = ByteSet("", \.isLowercase)
  static let valueEnd = ByteSet("\"'`&<;,") { $0 <= 0x20 }
  static let strongSigns = ByteSet("!@#$%^&*?")
  static let signsWithin = ByteSet("!#$^*")
  static let urlEnd = ByteSet("\"'<>\\`),;") { $0 <= 0x20 }
  static let path = ByteSet("-_.~/:@%+$,;=*!'", \.isAlphanumeric)
  static let notInURL = ByteSet("\"<>\\`(){}") { $0 <= 0x20 }
}

// What the reader of structure looks for.
extension ByteSet {
  static let backslash = ByteSet("\\")
  static let escapedByte = ByteSet("xu0")
  static let entity = ByteSet("&")
  static let rawMarkup = ByteSet("\"<")
  static let equals = ByteSet("=")
  static let greater = ByteSet(">")
  static let serialized = ByteSet("aO")
  static let betweenNames = ByteSet("[]:./")
  static let comparable = ByteSet("") { !$0.isUppercase && $0 != 0x2D && $0 != 0x5F && $0 != 0x20 }
  static let fullStop = ByteSet(".")
  static let signs = ByteSet("\u{1B}") { $0 == 0xC2 || $0 == 0xE2 || $0 == 0xEF }
  static let inColor = ByteSet(";:?", \.isDigit)
  static let emphasis = ByteSet("*_")
  static let spaceOnly = ByteSet(" ")
  static let slashes = ByteSet("\\/")
  static let inEntity = ByteSet("#", \.isAlphanumeric)
  static let structure = ByteSet("{[<=:&\"")
  static let inStructureWord = ByteSet("") { ByteKind.of[$0] == .word }
  static let afterColon = ByteSet("=")
  static let afterEquals = ByteSet("=>")
  static let emoticon = ByteSet("()[")
  static let endsUser = ByteSet("urU")
  static let inName = ByteSet("_-.~@$") { $0.isAlphanumeric || $0 >= 0x80 }
  static let lineMark = ByteSet(" \t-+:*><\"'`{$@")
  static let brackets = ByteSet("{[(")
  static let inType = ByteSet(" :|&?.,_[]<>", \.isAlphanumeric)
  static let lineEnd = ByteSet(" \t;,")
  static let bareEnd = ByteSet(",;{}[]()\n\r\"<")
  static let afterValue = ByteSet(",;}])>+.:=")
  static let subscriptEnd = ByteSet("[](){}\n\r,;")
  static let transcript = ByteSet("<>")
  static let edge = ByteSet("+-|")
  static let rule = ByteSet("|-=:+ ")
  static let startOfTag = ByteSet("/!?_") { $0.isLetter || $0 >= 0x80 }
  static let afterLess = ByteSet("/!?")
  static let inTagName = ByteSet("-_.:") { $0.isAlphanumeric || $0 >= 0x80 }
  static let inFieldName = ByteSet("-_.~%+[]*$", \.isAlphanumeric)
  static let plain = ByteSet("-_+/=~!@#$%^*:", \.isAlphanumeric)
  static let notASCII = ByteSet("") { $0 >= 0x80 }
  // What Base64 begins with that encodes a character of ASCII.
  static let startOfText = ByteSet("/_ACDIJKLMNOPQRSTUVWXYZabcdefwxyz0123456789")
}

extension Bytes {
  /// Returns the range of the next word. A capital letter begins one within `camelCase` and `URLRequest`.
  func word(from position: Int) -> Range<Int>? {
    let start = firstIndex(in: .inWord, from: position)
    guard start < count else { return nil }
    var end = start + 1
    while has(.inWord, at: end) {
      if ByteSet.uppercase[self[end]], !ByteSet.uppercase[self[end - 1]] || has(.lowercase, at: end + 1) { break }
      end += 1
    }
    return start..<end
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
