import Foundation
import StubKit

extension ByteSet {
  // At most one closure a declaration: Swift 6.3 gives two of them the body of the first.
  static let escapes = ByteSet("%\\&"), inText = ByteSet("\\&"), inJSON = ByteSet("\\"), inURL = ByteSet("%")
  static let inForm = ByteSet("%+"), none = ByteSet(""), space = ByteSet("", \.isWhiteSpace), equals = ByteSet("=")
  static let code = ByteSet(" -", \.isDigit)
  static let semicolon = ByteSet(";"), slash = ByteSet("/"), items = ByteSet("&;")
  static let queries = ByteSet("?#"), digit = ByteSet("", \.isDigit), alphanumeric = ByteSet("", \.isAlphanumeric)
  static let hexadecimal = ByteSet("") { $0.hexadecimalDigit != nil }
  static let capital = ByteSet("") { $0.isUppercase || $0.isDigit }
  static let upper = ByteSet("-_") { $0.isUppercase || $0.isDigit }, word = ByteSet("-_", \.isAlphanumeric)
  static let dotted = ByteSet("-_.=", \.isAlphanumeric), token = ByteSet(".=", \.isBase64)
  static let address = ByteSet("@.=", \.isBase64)

  /// What Base64 of printable characters begins with, perhaps after space.
  static let textInBase64 = ByteSet("IJKLMNOPQRSTUVWXYZabcdef= \t\r\n")

  // What redaction looks for in bodies.
  static let marks = ByteSet("=:>"), textMarks = ByteSet("=:<>"), open = ByteSet("{[")
  static let blank = ByteSet(" \t"), quotes = ByteSet("\"'`"), beforeMark = ByteSet(" \"'`\\")
  static let aroundWord = ByteSet("\"'`,.;()[]<>"), partsOfCookie = ByteSet(".:|")
  static let inPassword = ByteSet("!@#$%^&*+=", \.isDigit), signs = ByteSet("!@#$%^&*?<>(){}[]|~;")
  static let inWord = ByteSet("") { $0.isAlphanumeric || $0 >= 0x80 }
  static let notInCredential = ByteSet("<>{}()[]\"`\\") { $0 <= 0x20 }, random = ByteSet("+/=_.~%*-", \.isAlphanumeric)
  static let nonASCII = ByteSet("") { $0 >= 0x80 }
  static let notSpace = ByteSet("") { !$0.isWhiteSpace }
  static let uuid = ByteSet("-") { $0.hexadecimalDigit != nil }, escaped = ByteSet("%", \.isAlphanumeric)
  static let tilde = ByteSet("-_.~", \.isAlphanumeric), credentials = ByteSet("ebB")
  static let newline = ByteSet("\n\r"), tag = ByteSet("<"), binary = ByteSet("") { $0 < 9 || 14...26 ~= $0 }
  static let name = ByteSet("_-.", \.isAlphanumeric), scheme = ByteSet("+-.", \.isAlphanumeric)
  static let valueEnd = ByteSet("\"'<>&;,`\\(){}:=") { $0 <= 0x20 }
  static let urlEnd = ByteSet("\"'<>\\`),;:") { $0 <= 0x20 }
  /// What servers put before JSON so that no script can load it, or for the number of a packet (Engine.IO).
  static let jsonGuard = ByteSet(")]}',;for(while0123456789)") { $0 <= 0x20 || $0 > 0x7E }
  static let formName = ByteSet("-_.[]%+~*", \.isAlphanumeric)
  static let notInForm = ByteSet("\"<>{}()\\;,!") { $0 < 0x21 || $0 > 0x7E }
  static let path = ByteSet("-_.~/:@%+$,;=*!'", \.isAlphanumeric)
  static let notInURL = ByteSet("\"<>\\`(){}") { $0 <= 0x20 }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first byte of a set, or the end.
  func firstIndex(in set: ByteSet, from start: Int = 0) -> Int {
    var index = start
    while index < count, !set[self[index]] { index += 1 }
    return index
  }

  /// Returns the index of the first byte that isn't of a set, or the end.
  func firstIndex(notIn set: ByteSet, from start: Int = 0) -> Int {
    var index = start
    while index < count, set[self[index]] { index += 1 }
    return index
  }

  /// Returns where the bytes of a set begin that end before an index.
  func startIndex(of set: ByteSet, before end: Int, notBefore least: Int = 0) -> Int {
    var index = end
    while index > least, set[self[index - 1]] { index -= 1 }
    return index
  }

  /// Returns the range of the next word. A capital letter begins one within `camelCase` and `URLRequest`.
  func word(from position: Int) -> Range<Int>? {
    let start = firstIndex(in: .inWord, from: position)
    guard start < count else { return nil }
    var end = start + 1
    while end < count, ByteSet.inWord[self[end]] {
      if self[end].isUppercase, !self[end - 1].isUppercase || end + 1 < count && self[end + 1].isLowercase { break }
      end += 1
    }
    return start..<end
  }

  /// Returns the index of the first byte with a value, or `nil`.
  func firstIndex(of byte: UInt8, from start: Int, to end: Int = .max) -> Int? {
    guard let base = baseAddress, start < Swift.min(end, count) else { return nil }
    let found = memchr(base + start, Int32(byte), Swift.min(end, count) - start)
    return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
  }

  /// Returns where a text begins, or `nil`.
  func firstIndex(of text: String, from start: Int = 0, to end: Int = .max) -> Int? {
    var start = start
    while let index = firstIndex(of: text.utf8[text.startIndex], from: start, to: end) {
      if has(text, at: index) { return index }
      start = index + 1
    }
    return nil
  }

  /// Whether a text in ASCII stands at an index.
  func has(_ text: String, at index: Int, inAnyCase: Bool = false) -> Bool {
    guard let baseAddress, index + text.utf8.count <= count else { return false }
    let start = baseAddress + index
    return text.withCString {
      inAnyCase ? strncasecmp($0, start, text.utf8.count) == 0 : memcmp($0, start, text.utf8.count) == 0
    }
  }
}

/// Digits that encode some bits each, from a bit on: hexadecimal ones, and those of Base64 wherever it encodes a value.
struct Digits: Sendable {
  let width: Int
  /// The first bit that a digit encodes. The bits before it are in a digit with a part of another byte.
  let start: Int
  let alphabets: [[UInt8]]

  static let all =
    [Digits(width: 4, start: 0, alphabets: ["0123456789abcdef", "0123456789ABCDEF"].map { Array($0.utf8) })]
    + [0, 4, 2].map { start in
      Digits(width: 6, start: start, alphabets: ["+/", "-_"].map { Array((alphanumeric + $0).utf8) })
    }

  func count(_ byteCount: Int) -> Int { (8 * byteCount - start) / width }

  func digit(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: [UInt8]) -> UInt8 {
    let (place, shift) = (start + index * width).quotientAndRemainder(dividingBy: 8)
    let bits = Int(bytes[place]) << 8 | (place + 1 < bytes.count ? Int(bytes[place + 1]) : 0)
    return alphabet[bits >> (16 - width - shift) & (1 << width - 1)]
  }

  /// Returns what is encoded in the place of a value. In Base64, that has as many bytes.
  func bytes(of placeholder: String, inPlaceOf count: Int) -> [UInt8] {
    guard width == 6 else { return Array(placeholder.utf8) }
    let text = (start == 0 ? "" : ".") + placeholder + String(repeating: ".", count: count)
    return Array(text.utf8.prefix(count))
  }

  func encoded(_ bytes: [UInt8], _ alphabet: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      String(decoding: (0..<count(bytes.count)).map { digit($0, bytes, alphabet) }, as: UTF8.self)
    }
  }
}

extension String {
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8(body)
  }

  func consists(of set: ByteSet) -> Bool { withUTF8Bytes { $0.firstIndex(notIn: set) == $0.count } }

  func contains(anyOf set: ByteSet) -> Bool { withUTF8Bytes { $0.firstIndex(in: set) < $0.count } }
}

extension Pattern {
  /// Returns the matches of the pattern in bytes of any kind, with their byte ranges. Bytes that aren't UTF-8 are read
  /// as ISO 8859-1.
  func matches(in bytes: Data) -> [(text: String, range: Range<Int>)] {
    let valid = String(validUTF8: bytes)
    let text = valid ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return expression.matches(in: text, range: NSRange(location: 0, length: text.utf16.count)).compactMap { match in
      guard match.range.length > 0, let range = Range(match.range, in: text) else { return nil }
      guard valid != nil else { return (String(text[range]), match.range.lowerBound..<match.range.upperBound) }
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      return (String(text[range]), start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound))
    }
  }
}

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
