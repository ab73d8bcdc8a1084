import Foundation
import StubKit

/// The text that replaces a secret in a recording, its placeholder.
///
/// The first secret becomes `REDACTED`, the second `REDACTED-2`, and so on. A value that a program decodes gets a
/// placeholder of the same shape: digits, a UUID, a date, Base64, or a JSON Web Token (RFC 7519).
package enum PlaceholderText {
  package static let mark = "REDACTED"
  /// What every Base64 text begins with that begins with the mark.
  private static let base64Mark = "UkVEQUNURUQ"
  private static let uuidMark = "0edac7ed-0000-4000-8000-"
  /// What every hexadecimal placeholder begins with.
  private static let hexMark = "0edac7ed"
  /// The keys of a telephone for the mark. A number becomes these digits, as many as it has, and from the ninth on its
  /// own.
  private static let digits = "73322833"

  /// The placeholder without a shape.
  package static func name(_ number: Int) -> String { number == 1 ? mark : "\(mark)-\(number)" }

  /// Returns the placeholder of a number in the shape of a value.
  ///
  /// - Parameters:
  ///   - isAddress: Whether a URL keeps its host. What a name or a scheme makes a secret does not.
  ///   - isNumber: Whether it has to be a number of JSON.
  static func text(_ number: Int, like value: String, isAddress: Bool, isNumber: Bool) -> String {
    let (count, hex) = (value.utf8.count, String(number, radix: 16))
    func inCase(_ text: String) -> String { value == value.uppercased() ? text.uppercased() : text }
    if isNumber || count > 2 && value.consists(of: .digit) { return digits(number, count) }
    if value.isUUID { return inCase(padded(uuidMark, hex, 36)) }
    if value.isDate {
      let day = value.prefix(10)
      guard count > 18 else { return day.prefix(8) + "0\(1 + number % 9)" }
      return day + "T07:33:2\(number % 10)" + String(value.dropFirst(19).map { $0.isNumber ? "0" : $0 })
    }
    if isAddress, value.isAddress, let host = value.firstRange(of: "://")?.upperBound {
      let authority = value[host...].prefix { !"/?#".contains($0) }
      return value[..<host] + (authority.split(separator: "@").last ?? "") + "/" + name(number)
    }
    if let token = value.tokenParts {
      // The signature stays as long as it is.
      let signature = base64(number, String(repeating: "a", count: max(11, token.signature.utf8.count)))
      return "\(token.head).\(signature)"
    }
    if count >= 16, count % 2 == 0, value.consists(of: .hexadecimal) { return inCase(padded(hexMark, hex, count)) }
    return value.isBase64OfText ? base64(number, value) : name(number)
  }

  /// Returns digits, as many as a number has, and at least three. Those of a short number begin with the same digit.
  private static func digits(_ number: Int, _ count: Int) -> String {
    let count = max(3, count)
    guard count <= 18 else { return padded(digits, String(number), count) }
    let first = (digits + "0000000000").prefix(count)
    let (start, least) = (Int(first) ?? 0, Int("7" + String(repeating: "0", count: count - 1)) ?? 0)
    return String(count > 8 ? start + number : least + (start - least + number - 1) % (least / 7))
  }

  /// Returns a mark and a number with zeros between them.
  private static func padded(_ mark: String, _ number: String, _ count: Int) -> String {
    mark + String(repeating: "0", count: max(0, count - mark.utf8.count - number.utf8.count)) + number
  }

  /// Returns Base64 of the same length, with padding if the value has some.
  private static func base64(_ number: Int, _ value: String) -> String {
    let length = value.prefix { $0 != "=" }.utf8.count * 6 / 8
    guard length >= mark.utf8.count else { return name(number) }
    let text = name(number).prefix(length)
    let encoded = Data((text + String(repeating: ".", count: length - text.utf8.count)).utf8).base64EncodedString()
    return value.hasSuffix("=") ? encoded : encoded.withoutPadding
  }

  // MARK: By their look

  /// Returns the place of the placeholder that begins at a position, in a text of which nobody has written down what
  /// was replaced: the mark, its Base64, or a UUID of it.
  ///
  /// - Parameter least: The end of the placeholder before it.
  fileprivate static func range(in text: UnsafeBufferPointer<UInt8>, at position: Int, after least: Int) -> Range<Int>?
  {
    switch text[position] {
    case UInt8(ascii: "R") where text.has(mark, at: position):
      let end = position + mark.utf8.count
      let last = text.firstIndex(notIn: .digit, from: min(end + 1, text.count))
      let isNumbered = end < text.count && text[end] == UInt8(ascii: "-") && 2...10 ~= last - end
      return position..<(isNumbered ? last : end)
    case UInt8(ascii: "U") where text.has(base64Mark, at: position):
      // The signature of a token, whose other parts precede it.
      let isSignature = position > least && text[position - 1] == UInt8(ascii: ".")
      let start = isSignature ? text.startIndex(of: .dotted, before: position, notBefore: least) : position
      return start..<text.firstIndex(notIn: .dotted, from: position)
    case UInt8(ascii: "0") where text.has(uuidMark, at: position, inAnyCase: true):
      let end = position + uuidMark.utf8.count + 12
      let isWhole = end <= text.count && text[(end - 12)..<end].allSatisfy { $0.hexadecimalDigit != nil }
      return isWhole ? position..<end : nil
    default: return nil
    }
  }
}

/// The placeholders of an entry: those that its `_redacted` lists. In an entry without that member, such as one that
/// was written by hand, they are recognised by their look.
package struct Placeholders: Sendable {
  /// The texts, or `nil` if they aren't known.
  private let known: Set<String>?
  /// Their lengths, from the longest on, and whether one begins with a byte.
  private let lengths: [Int]
  private let starts: [Bool]

  package static let none = Placeholders([])
  package static let byLook = Placeholders(nil)

  package init(_ known: Set<String>?) {
    self.known = known
    lengths = Set(known?.map(\.utf8.count) ?? []).sorted(by: >)
    var starts = [Bool](repeating: false, count: 256)
    for text in known ?? ["R", "U", "0"] { if let first = text.utf8.first { starts[Int(first)] = true } }
    self.starts = starts
  }

  package init(of entry: HTTPArchive.Entry) { self.init(entry.redacted) }

  package var isEmpty: Bool { known?.isEmpty ?? false }
  var isByLook: Bool { known == nil }

  /// Returns the places of the placeholders in a text.
  package func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var (ranges, position) = ([Range<Int>](), 0)
    guard !isEmpty else { return [] }
    starts.withUnsafeBufferPointer { starts in
      while position < text.count {
        if starts[Int(text[position])], let range = range(in: text, at: position, after: ranges.last?.upperBound ?? 0) {
          ranges.append(range)
          position = range.upperBound
        } else {
          position += 1
        }
      }
    }
    return ranges
  }

  /// Returns the place of the longest one that begins at a position. Within a number, digits are none, and the number
  /// of a placeholder is a part of it.
  private func range(in text: UnsafeBufferPointer<UInt8>, at start: Int, after least: Int) -> Range<Int>? {
    guard let known else { return PlaceholderText.range(in: text, at: start, after: least) }
    for length in lengths where start + length <= text.count {
      let end = start + length
      func isDigit(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isDigit }
      let isInNumber = isDigit(start) && isDigit(start - 1)
      let isBeforeDigit = isDigit(end - 1) && isDigit(end)
      let isBeforeNumber = text[start] == UInt8(ascii: "R") && text.has("-", at: end) && isDigit(end + 1)
      guard !isInNumber, !isBeforeDigit, !isBeforeNumber else { continue }
      if known.contains(String(decoding: text[start..<end], as: UTF8.self)) { return start..<end }
    }
    return nil
  }

  func texts(in text: UnsafeBufferPointer<UInt8>) -> [String] {
    ranges(in: text).map { String(decoding: text[$0], as: UTF8.self) }
  }

  /// Whether some or all of a text was redacted.
  package func occur(in text: String) -> Bool { text.withUTF8Bytes { !ranges(in: $0).isEmpty } }

  /// Whether the whole text is a placeholder.
  package func isWhole(_ text: String) -> Bool {
    if let known { return known.contains(text) }
    return text.withUTF8Bytes { ranges(in: $0).first == 0..<$0.count }
  }

  /// The pieces of a text between its placeholders. There is at least one.
  package func pieces(of text: UnsafeBufferPointer<UInt8>) -> [Data] {
    let ranges = ranges(in: text)
    return zip([0] + ranges.map(\.upperBound), ranges.map(\.lowerBound) + [text.count]).map { Data(text[$0..<$1]) }
  }

  package func pieces(of text: String) -> [String] {
    text.withUTF8Bytes { pieces(of: $0).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The pieces of a host, which is in lower case, as placeholders aren't.
  package func pieces(ofHost host: String) -> [String] {
    guard !isEmpty else { return [host] }
    let upper = Placeholders(known.map { Set($0.map { $0.uppercased() }) })
    return upper.pieces(of: host.uppercased()).map { $0.lowercased() }
  }
}

extension String {
  /// A Boolean value that indicates whether a program decodes the text from Base64: it has padding, or what it encodes
  /// is text.
  fileprivate var isBase64OfText: Bool {
    guard utf8.count >= 8, consists(of: .token), !has(".") else { return false }
    if utf8.count % 4 == 0 {
      let isOfStandard = (has("+") || has("/")) && looksRandom()
      if isOfStandard || hasSuffix("=") { return Data(base64Encoded: self) != nil }
    }
    return decodedFromBase64 != nil
  }

  /// The text that this text encodes in Base64, or `nil` if it encodes none of at least six characters.
  package var decodedFromBase64: String? {
    guard let first = utf8.first, "IJKLMNOPQRSTUVWXYZabcdef= \t\r\n".utf8.contains(first),
      let data = Data(base64OfAnyKind: self)
    else {
      return nil
    }
    return data.count < 6 || data.contains { ByteSet.control[$0] } ? nil : String(validUTF8: data)
  }

  package var withoutPadding: String { String(prefix { $0 != "=" }) }

  /// The header and the claims of a JSON Web Token, and its signature, which can be empty.
  ///
  /// A token without a signature gets a claim, because it is the token that is secret.
  var tokenParts: (head: String, signature: Substring)? {
    let parts = pieces(at: ".")
    guard 2...3 ~= parts.count, parts[0].starts(withBytesOf: "eyJ"), parts[1].starts(withBytesOf: "ey") else {
      return nil
    }
    guard parts.allSatisfy({ String($0).consists(of: .base64) }) else { return nil }
    if parts.count == 3, !parts[2].isEmpty { return ("\(parts[0]).\(parts[1])", parts[2]) }
    guard let claims = Data(base64OfAnyKind: String(parts[1])), claims.last == UInt8(ascii: "}") else { return nil }
    let marked = claims.dropLast() + Data(#","redacted":true}"#.utf8)
    return ("\(parts[0]).\(marked.base64EncodedString().withoutPadding)", "")
  }
}
