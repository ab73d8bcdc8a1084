import Foundation
import StubKit

/// The text that replaces a secret in a recording, its placeholder.
///
/// The first secret becomes `REDACTED`, the second `REDACTED-2`, and so on. A value that a program decodes gets a
/// placeholder of the same shape: digits, a UUID, a date, a URL, hexadecimal or Base64 text, or a JSON Web Token
/// (RFC 7519).
package enum PlaceholderText {
  package static let mark = "REDACTED"
  private static let hexMark = "0edac7ed"
  /// What placeholders contain, but for numbers and dates: the mark, its Base64, and what looks like it in hexadecimal
  /// digits.
  static let marks = [mark, "UkVEQUNURUQ", hexMark, hexMark.uppercased()]

  /// Whether StubKit can have written a text as a placeholder: it contains a mark, also in the claims of a token, or it
  /// is a number or a date as placeholders are.
  static func isOne(_ text: String) -> Bool {
    if marks.contains(where: text.contains) || text.isDate { return true }
    if text.hasPrefix("7"), text.consists(of: .digit) { return text.utf8.count < 20 }
    guard text.hasPrefix("eyJ"), let claims = text.pieces(at: ".").dropFirst().first else { return false }
    return Data(base64OfAnyKind: String(claims)).map { String(utf8: $0).contains(mark) } ?? false
  }

  /// The placeholder without a shape.
  static func name(_ number: Int) -> String { number == 1 ? mark : "\(mark)-\(number)" }

  /// Returns the placeholder of a number in the shape of a value.
  ///
  /// - Parameter isNumber: Whether it has to be a number of JSON.
  static func text(_ number: Int, like value: String, isNumber: Bool) -> String {
    let count = value.utf8.count
    if isNumber || count > 2 && value.consists(of: .digit) { return digits(number, count) }
    if value.isUUID || count >= 16 && value.consists(of: .hexadecimal) {
      let start = hexMark + (value.isUUID ? "-0000-4000-8000-" : "")
      let end = String(number, radix: 16)
      let text = start.padding(toLength: count - end.utf8.count, withPad: "0", startingAt: 0) + end
      return value == value.uppercased() ? text.uppercased() : text
    }
    if value.isAddress { return "http://\(name(number))/" }
    guard value.consists(of: .token) else { return name(number) }
    let isRandom = value.contains(where: "+/".contains) && value.looksRandom()
    let isPadded = count % 4 == 0 && (isRandom || value.hasSuffix("="))
    return isPadded || value.decodedFromBase64 != nil ? base64(number, value[...]) : name(number)
  }

  /// Returns one of many dates: the first 28 are the days of the month of a value. The next ones are later on these
  /// days, if the value has a time, or in the same month of the next centuries, in which dates of others seldom are.
  ///
  /// - Returns: `nil` if there are no more of them.
  static func date(_ number: Int, like value: String) -> String? {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let (round, day) = number.quotientAndRemainder(dividingBy: 28)
    let rest = value.dropFirst(10)
    let hasTime = rest.utf8.count > 8 && rest.dropFirst(3).first == ":" && rest.dropFirst(6).first == ":"
    // Seconds of a day, or centuries.
    guard round < (hasTime ? 86_400 : 100) else { return nil }
    var month = (Int(value.prefix(4)) ?? 0) * 12 + (Int(value.dropFirst(5).prefix(2)) ?? 1) - 1
    if !hasTime { month = (month + 1_200 * round) % 120_000 }
    let date = "\(digits(month / 12, 4))-\(digits(month % 12 + 1, 2))-\(digits(day + 1, 2))"
    guard hasTime else { return date + rest.map { $0.isNumber ? "0" : String($0) }.joined() }
    let second = round % 86_400
    let time = "\(digits(second / 3_600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
    let fraction = rest.dropFirst(9).map { $0.isNumber ? "0" : String($0) }.joined()
    return "\(date)\(rest.prefix(1))\(time)\(fraction)"
  }

  /// Returns digits, as many as a number has, and at least three. They begin with the keys of a telephone for the mark,
  /// and all of the same length begin with the same digit.
  private static func digits(_ number: Int, _ count: Int) -> String {
    let length = min(max(3, count), 18)
    let unit = Int(pow(10, Double(length - 1)))
    let first = 733_228_330_000_000_000 / (100_000_000_000_000_000 / unit)
    let text = String(7 * unit + (first + number - 1) % unit)
    return text + String(repeating: "0", count: max(0, count - length))
  }

  /// Returns Base64 of the same length, with padding if the value has some.
  static func base64(_ number: Int, _ value: Substring) -> String {
    let (name, length) = (name(number), value.prefix { $0 != "=" }.utf8.count * 6 / 8)
    guard length >= name.utf8.count else { return name }
    let text = Data(name.padding(toLength: length, withPad: ".", startingAt: 0).utf8).base64EncodedString()
    return value.hasSuffix("=") ? text : String(text.prefix { $0 != "=" })
  }
}

/// The placeholders of an entry: those that its `_redacted` lists. In an entry without that member, such as one that
/// was written by hand, these are the mark, and the mark with a number.
package struct Placeholders: Sendable {
  /// The texts, or `nil` if they aren't known.
  private let known: Set<String>?
  /// Their lengths, from the longest on, and whether one begins with a byte.
  private let lengths: [Int]
  private let starts: [Bool]

  package static let none = Placeholders([])
  package static let byLook = Placeholders(nil)

  package init(_ known: Set<String>?) {
    // What reads words leaves out the full stop after a token without a signature, as after a sentence.
    let unsigned = (known ?? []).filter { $0.hasPrefix("eyJ") && $0.hasSuffix(".") }
    let known = known?.union(unsigned.map { String($0.dropLast()) })
    (self.known, isEmpty) = (known, known?.isEmpty == true)
    lengths = Set(known?.map(\.utf8.count) ?? []).sorted(by: >)
    let firstBytes = Set((known ?? [PlaceholderText.mark]).compactMap(\.utf8.first))
    starts = (UInt8.min...UInt8.max).map { firstBytes.contains($0) }
  }

  package let isEmpty: Bool

  /// Returns the places of the placeholders in a text.
  private func ranges(in text: Bytes) -> [Range<Int>] {
    guard !isEmpty, let bytes = text.baseAddress else { return [] }
    var (ranges, position) = ([Range<Int>](), 0)
    let count = text.count
    // Holds: the table has a value for each byte, and the indices are those of the text.
    starts.withUnsafeBufferPointer { starts in
      guard let starts = starts.baseAddress else { return }
      while position < count {
        guard starts[Int(bytes[position])], let range = range(in: text, at: position) else {
          position += 1
          continue
        }
        ranges.append(range)
        position = range.upperBound
      }
    }
    return ranges
  }

  /// Returns the place of the longest one that begins at a position.
  private func range(in text: Bytes, at start: Int) -> Range<Int>? {
    guard let known else {
      guard text.has(string: PlaceholderText.mark, at: start) else { return nil }
      let end = start + PlaceholderText.mark.utf8.count
      let last = text.firstIndex(notIn: .digit, from: end + 1)
      return start..<(text.has("-", at: end) && 2...10 ~= last - end ? last : end)
    }
    for length in lengths where start + length <= text.count {
      let range = start..<start + length
      guard known.contains(String(utf8: text[range])) else { continue }
      // A part of a number is none.
      let isInNumber = [start, range.upperBound].contains { edge in
        text[max(0, edge - 1)..<min(edge + 1, text.count)].count(where: \.isDigit) == 2
      }
      if !isInNumber { return range }
    }
    return nil
  }

  func texts(in text: Bytes) -> [String] { ranges(in: text).map { String(utf8: text[$0]) } }

  /// Whether some or all of a text was redacted.
  package func occur(in text: String) -> Bool { !isEmpty && text.withUTF8Bytes { !ranges(in: $0).isEmpty } }

  /// Whether the whole text is a placeholder.
  package func isWhole(_ text: String) -> Bool {
    !isEmpty && text.withUTF8Bytes { ranges(in: $0) == [0..<$0.count] }
  }

  /// The pieces of a text between its placeholders. There is at least one.
  package func pieces(of text: Bytes) -> [Data] {
    let ranges = ranges(in: text)
    return zip([0] + ranges.map(\.upperBound), ranges.map(\.lowerBound) + [text.count]).map { Data(text[$0..<$1]) }
  }

  package func pieces(of text: String) -> [String] { text.withUTF8Bytes { pieces(of: $0).map { String(utf8: $0) } } }

  /// The pieces of a host, which is in lower case, as placeholders aren't.
  package func pieces(ofHost host: String) -> [String] {
    Placeholders(Set((known ?? [PlaceholderText.mark]).map { $0.lowercased() })).pieces(of: host)
  }
}

extension String {
  /// The text that this text encodes in Base64, or `nil` if it encodes none of at least six characters.
  var decodedFromBase64: String? {
    // The first digit of what begins with a character of ASCII.
    guard let first = utf8.first, "IJKLMNOPQRSTUVWXYZabcdef= \t\r\n".utf8.contains(first) else { return nil }
    guard let data = Data(base64OfAnyKind: self), data.count >= 6, !data.contains(where: { ByteSet.binary[$0] })
    else { return nil }
    return String(validUTF8: data)
  }
}
