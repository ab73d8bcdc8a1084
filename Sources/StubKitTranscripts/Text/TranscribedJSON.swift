import Foundation
import StubKit

/// A JSON value in a transcript. Its members are sorted, and an object can have a key twice, as it was sent.
indirect enum TranscribedJSON: Hashable, Sendable {
  case string(TranscribedText)
  /// A number, a word such as `null`, or a placeholder without quotation marks, which stands for any value.
  case word(TranscribedText)
  case array([TranscribedJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: ExactString
    var value: TranscribedJSON
  }

  /// - Parameter hasPlaceholders: Whether two braces begin a placeholder, as in a transcript.
  init(parsing bytes: [UInt8], hasPlaceholders: Bool) throws {
    self = try bytes.withUnsafeBufferPointer { bytes in
      var parser = JSONParser(bytes: bytes, hasPlaceholders: hasPlaceholders)
      return try parser.whole()
    }
  }

  /// The lines of the value, with two blanks for each level.
  var lines: [String] {
    var lines: [String] = []
    add(to: &lines, "", "", "")
    return lines
  }

  private func add(to lines: inout [String], _ indent: String, _ before: String, _ after: String) {
    func addAll<Element>(_ signs: (String, String), _ all: [Element], _ add: (Element, String) -> Void) {
      lines.append("\(indent)\(before)\(signs.0)\(all.isEmpty ? signs.1 + after : "")")
      for (index, element) in all.enumerated() { add(element, index == all.count - 1 ? "" : ",") }
      if !all.isEmpty { lines.append("\(indent)\(signs.1)\(after)") }
    }
    switch self {
    case .string, .word: lines.append("\(indent)\(before)\(line)\(after)")
    case .array(let all): addAll(("[", "]"), all) { $0.add(to: &lines, indent + "  ", "", $1) }
    case .object(let all):
      addAll(("{", "}"), all) { $0.value.add(to: &lines, indent + "  ", "\($0.key.string.asJSONSource): ", $1) }
    }
  }

  /// The value in one line.
  var line: String {
    switch self {
    case .string(let text): text.jsonSource
    case .word(let text): text.source()
    case .array(let all): "[\(all.map(\.line).listed)]"
    case .object(let all): "{\(all.map { "\($0.key.string.asJSONSource): \($0.value.line)" }.listed)}"
    }
  }
}

extension TranscribedText {
  /// The text as a JSON string. Two braces that are sent are `{\u007b`, so that a program which reads JSON reads them.
  fileprivate var jsonSource: String {
    let source = source("") { scalar in
      switch scalar {
      case "\"": #"\""#
      case "\\": #"\\"#
      case "\n": #"\n"#
      case "\r": #"\r"#
      case "\t": #"\t"#
      default: nil
      }
    }
    return "\"\(source)\""
  }
}

extension String {
  /// The text as a JSON string of a transcript.
  var asJSONSource: String { TranscribedText(self).jsonSource }
}

/// Reads JSON (RFC 8259) as it was sent, or with placeholders as a transcript has them.
///
/// The reader of StubKit keeps the last one of equal keys, and knows no placeholders.
private struct JSONParser {
  // Safe because no parser leaves the closure in which its caller has the buffer.
  let bytes: UnsafeBufferPointer<UInt8>
  let hasPlaceholders: Bool
  var position = 0

  mutating func whole() throws -> TranscribedJSON {
    let value = try value(0)
    skipSpace()
    guard position == bytes.count else { throw expected("nothing behind the value") }
    return value
  }

  private func expected(_ problem: String) -> TranscriptError {
    TranscriptError("expected \(problem) in the JSON.", line: bytes.prefix(position).count { $0 == .newline })
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 || 0x09...0x0D ~= bytes[position] {
      // Vertical tabs and form feeds aren't white space of JSON.
      if bytes[position] == 0x0B || bytes[position] == 0x0C { return }
      position += 1
    }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  private mutating func value(_ depth: Int) throws -> TranscribedJSON {
    skipSpace()
    guard depth < JSONScanner.deepest else { throw expected("fewer levels") }
    if let placeholder = try placeholder() { return .word(TranscribedText(placeholder)) }
    if take("[") { return .array(try list("]") { try $0.value(depth + 1) }) }
    if take("{") {
      let members = try list("}") { parser in
        parser.skipSpace()
        guard parser.take("\"") else { throw parser.expected("a key in quotation marks") }
        let key = try parser.string()
        guard key.isLiteral else { throw parser.expected("a key without a placeholder") }
        parser.skipSpace()
        guard parser.take(":") else { throw parser.expected("a colon") }
        return TranscribedJSON.Member(key: ExactString(key.sent), value: try parser.value(depth + 1))
      }
      // Members with equal keys keep their order.
      let sorted = members.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
      return .object(sorted.map(\.element))
    }
    if take("\"") { return .string(try string()) }
    let start = position
    while position < bytes.count, bytes[position].isInName || ".+".utf8.contains(bytes[position]) { position += 1 }
    // Numbers of one value are equal, and StubKit knows how to write it.
    guard position > start, let word = try? StubJSON(parsing: String(utf8: bytes[start..<position])) else {
      position = start
      throw expected("a value")
    }
    return .word(TranscribedText(word.description))
  }

  private mutating func list<Element>(
    _ end: Unicode.Scalar, _ element: (inout Self) throws -> Element
  ) throws -> [Element] {
    var all: [Element] = []
    skipSpace()
    if take(end) { return [] }
    repeat {
      all.append(try element(&self))
      skipSpace()
    } while take(",")
    guard take(end) else { throw expected("a comma or \(end)") }
    return all
  }

  private mutating func placeholder() throws -> Placeholder? {
    guard hasPlaceholders, bytes.continues(with: "{{", at: position) else { return nil }
    let close = bytes[position...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
    guard bytes.continues(with: "}}", at: close) else { throw expected("}} at the end of a placeholder") }
    do {
      let text = try TranscribedText(reading: String(utf8: bytes[position..<close + 2]))
      guard let placeholder = text.onlyPlaceholder else { throw expected("a placeholder") }
      position = close + 2
      return placeholder
    } catch let error as TranscriptError {
      throw TranscriptError(error.problem, line: expected("").line)
    }
  }

  /// Reads the rest of a string.
  private mutating func string() throws -> TranscribedText {
    var (pieces, literal): ([TranscribedText.Piece], [UInt8]) = ([], [])
    while position < bytes.count {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"),
        bytes[position] >= 0x20, !hasPlaceholders || bytes[position] != UInt8(ascii: "{")
      { position += 1 }
      literal += bytes[start..<position]
      if let placeholder = try placeholder() {
        if literal.isEmpty, !pieces.isEmpty { throw expected("text between two placeholders") }
        pieces += [.literal(ExactString(String(utf8: literal))), .placeholder(placeholder)]
        literal = []
      } else if take("\"") {
        return TranscribedText(pieces: pieces + [.literal(ExactString(String(utf8: literal)))])
      } else if take("\\") {
        literal += try escaped().utf8
      } else if take("{") {
        literal.append(UInt8(ascii: "{"))
      } else {
        throw expected("a quotation mark at the end of the string")
      }
    }
    throw expected("a quotation mark at the end of the string")
  }

  private mutating func escaped() throws -> String {
    let escapes: [UInt8: String] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
      UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    if position < bytes.count, let text = escapes[bytes[position]] {
      position += 1
      return text
    }
    var units: [UInt16] = []
    repeat {
      guard take("u"), position + 4 <= bytes.count else { throw expected("an escape") }
      let digits = bytes[position..<position + 4]
      guard digits.allSatisfy({ $0.hexadecimalDigit != nil }), let unit = UInt16(String(utf8: digits), radix: 16) else {
        throw expected("four digits of an escape")
      }
      units.append(unit)
      position += 4
    } while units.count == 1 && UTF16.isLeadSurrogate(units[0]) && take("\\")
    // No text has half of a surrogate pair, so that a body with one is no JSON here.
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { throw expected("a character") }
    return text
  }
}
