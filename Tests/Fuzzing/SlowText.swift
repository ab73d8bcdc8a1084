import Foundation
import StubKit

/// What the parsers of short texts are to give, written to be read and not to be fast.
enum SlowText {
  /// Nil where a % escapes nothing or the bytes are not UTF-8.
  static func percentDecoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)
    while !rest.isEmpty {
      let byte = rest.removeFirst()
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest.removeFirst(2)
    }
    // Foundation drops a byte order mark, so another character comes first.
    return String(bytes: [0x78] + bytes, encoding: .utf8).map { String($0.unicodeScalars.dropFirst()) }
  }

  static func decodedPath(_ path: String) -> String {
    pieces(path, "/").map { percentDecoded($0) ?? $0 }.joined(separator: "/")
  }

  static func query(_ query: String) -> [NamedValue] {
    pieces(query, "&").filter { !$0.isEmpty }.map { item in
      let parts = pieces(item, "=")
      func decoded(_ text: String) -> String { percentDecoded(text) ?? text }
      return NamedValue(
        name: decoded(parts[0]), value: parts.count == 1 ? nil : decoded(parts.dropFirst().joined(separator: "=")))
    }
  }

  static func cookies(_ header: String) -> [NamedValue] {
    pieces(header, ";").compactMap { pair in
      let parts = pieces(pair, "=")
      guard parts.count > 1 else { return nil }
      return NamedValue(name: trimmed(parts[0]), value: trimmed(parts.dropFirst().joined(separator: "=")))
    }
  }

  static func pieces(_ text: String, _ delimiter: Unicode.Scalar) -> [String] {
    var pieces = [""]
    for scalar in text.unicodeScalars {
      if scalar == delimiter { pieces.append("") } else { pieces[pieces.count - 1].unicodeScalars.append(scalar) }
    }
    return pieces
  }

  static func trimmed(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    while let first = scalars.first, first == " " || first == "\t" { scalars.removeFirst() }
    while let last = scalars.last, last == " " || last == "\t" { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }
}
