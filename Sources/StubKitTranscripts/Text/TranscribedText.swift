import Foundation
import StubKit

/// A string that equals another one only if their bytes do. Swift finds an é equal to an e with an accent behind it.
struct ExactString: Hashable, Comparable, Sendable {
  let string: String

  init(_ string: some StringProtocol) { self.string = String(string) }

  static func == (left: Self, right: Self) -> Bool { left.string.isSame(as: right.string) }
  static func < (left: Self, right: Self) -> Bool { left.string.utf8.lexicographicallyPrecedes(right.string.utf8) }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No string has this byte, so that the border between two strings counts.
    hasher.combine(0xFF as UInt8)
  }
}

/// A placeholder of a transcript: `{{name}}`, `{{name:kind}}`, or `{{_}}` and `{{_:kind}}` for another value each time.
struct Placeholder: Hashable, Sendable {
  /// `nil` for `_`.
  var name: String?
  var kind: PlaceholderKind

  init(_ name: String?, _ kind: PlaceholderKind) { (self.name, self.kind) = (name, kind) }

  /// A placeholder without a name, such as `{{time}}` or `{{_:number}}`.
  static func any(_ kind: PlaceholderKind) -> Self { Self(kind.hasOwnName ? kind.rawValue : nil, kind) }

  /// The name that stands for one value wherever it is. `{{time}}` is another time wherever it is, and this machine
  /// checks `{{process}}`.
  var boundName: String? { name == kind.rawValue && kind.hasOwnName ? nil : name }

  /// The placeholder as a transcript has it.
  var source: String {
    guard let name else { return kind == .text ? "{{_}}" : "{{_:\(kind.rawValue)}}" }
    return kind == PlaceholderKind(ofName: name) ?? .text ? "{{\(name)}}" : "{{\(name):\(kind.rawValue)}}"
  }
}

/// A line of a transcript, or a part of one: text that is sent, and placeholders for parts that differ from run to run.
/// No two placeholders touch.
struct TranscribedText: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case literal(ExactString)
    case placeholder(Placeholder)
  }

  private(set) var pieces: [Piece] = []

  init(_ sent: some StringProtocol) { if !sent.isEmpty { pieces = [.literal(ExactString(sent))] } }

  /// Joins neighbours: literals to one, and placeholders to the first, which then stands for any value.
  init(pieces: [Piece]) {
    for piece in pieces {
      switch (self.pieces.last, piece) {
      case (.literal(let before)?, .literal(let text)):
        self.pieces[self.pieces.count - 1] = .literal(ExactString(before.string + text.string))
      case (.placeholder(let before)?, .placeholder):
        let kind: PlaceholderKind = before.kind == .secret ? .secret : .text
        self.pieces[self.pieces.count - 1] = .placeholder(Placeholder(before.name, kind))
      case (_, .literal(let text)) where text.string.isEmpty: break
      default: self.pieces.append(piece)
      }
    }
  }

  init(_ placeholder: Placeholder) { pieces = [.placeholder(placeholder)] }

  var isLiteral: Bool { pieces.isEmpty || pieces.count == 1 && onlyPlaceholder == nil }
  var placeholders: [Placeholder] {
    pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }
  /// The placeholder, if there is nothing else.
  var onlyPlaceholder: Placeholder? {
    guard pieces.count == 1, case .placeholder(let placeholder) = pieces[0] else { return nil }
    return placeholder
  }
  /// The text that is sent, if it has no placeholders.
  var sent: String {
    if pieces.count == 1, case .literal(let text) = pieces[0] { return text.string }
    return pieces.map { if case .literal(let text) = $0 { text.string } else { "" } }.joined()
  }
  /// An equal text for all texts that differ only in the names of their placeholders.
  var withoutNames: TranscribedText {
    TranscribedText(
      pieces: pieces.map { if case .placeholder(let place) = $0 { .placeholder(.init(nil, place.kind)) } else { $0 } })
  }

  // MARK: Writing and reading

  /// Returns the text as a transcript has it. A character that would be read as something else is `{{\x7b}}`.
  ///
  /// - Parameters:
  ///   - special: The ASCII characters with a meaning at this place of the transcript.
  ///   - escape: Returns the escape of a character. JSON has its own.
  func source(_ special: String = "", escape: ((Unicode.Scalar) -> String?)? = nil) -> String {
    if pieces.count == 1, case .literal(let text) = pieces[0], text.string.isPlain(special) { return text.string }
    // From the end, because two braces may begin nothing but a placeholder or an escape.
    var (written, opens): ([String], Bool) = ([], false)
    for (index, piece) in pieces.enumerated().reversed() {
      switch piece {
      case .placeholder(let placeholder):
        written.append(placeholder.source)
        opens = true
      case .literal(let text):
        let scalars = Array(text.string.unicodeScalars)
        for (place, scalar) in scalars.enumerated().reversed() {
          let isAtEdge = index == 0 && place == 0 || index == pieces.count - 1 && place == scalars.count - 1
          let isBlank = scalar == " " || scalar == "\t"
          let isHidden = scalar.isHidden || scalar == "{" && opens || special.unicodeScalars.contains(scalar)
          if let escape {
            let escaped = escape(scalar) ?? (isHidden ? scalar.jsonEscape : nil)
            written.append(escaped ?? String(scalar))
            opens = scalar == "{" && escaped == nil
          } else if isHidden || isBlank && isAtEdge {
            written.append(scalar == "\r" ? #"{{\r}}"# : #"{{\x\#(String(scalar.value, radix: 16))}}"#)
            opens = true
          } else {
            written.append(String(scalar))
            opens = scalar == "{"
          }
        }
      }
    }
    return written.reversed().joined()
  }

  /// Reads what ``source(_:escape:)`` has written.
  init(reading source: some StringProtocol) throws {
    guard source.has("{") else {
      self.init(source)
      return
    }
    var (pieces, literal, rest): ([Piece], [UInt8], _) = ([], [], Array(source.utf8)[...])
    while let byte = rest.first {
      guard rest.starts(with: "{{".utf8) else {
        literal.append(byte)
        rest.removeFirst()
        continue
      }
      let inner = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
      guard rest[inner.endIndex...].starts(with: "}}".utf8) else {
        throw TranscriptError("expected }} after \(String(utf8: rest.prefix(20))). \(Self.twoBraces)")
      }
      rest = rest[inner.endIndex...].dropFirst(2)
      if inner.first == UInt8(ascii: "\\") {
        literal += try Self.escaped(String(utf8: inner.dropFirst())).utf8
        continue
      }
      if !literal.isEmpty { pieces.append(.literal(ExactString(String(utf8: literal)))) }
      literal = []
      if case .placeholder? = pieces.last { throw TranscriptError("two placeholders touch. Write one for both.") }
      pieces.append(.placeholder(try Placeholder(reading: String(utf8: inner))))
    }
    if !literal.isEmpty { pieces.append(.literal(ExactString(String(utf8: literal)))) }
    self.init(pieces: pieces)
  }

  fileprivate static let twoBraces = #"Two braces themselves are {{\x7b}}{."#

  private static func escaped(_ escape: String) throws -> String {
    if escape.isEmpty { return "" }
    if escape == "r" { return "\r" }
    guard escape.hasPrefix("x"), let value = UInt32(escape.dropFirst(), radix: 16), let scalar = Unicode.Scalar(value)
    else { throw TranscriptError(#"{{\\#(escape)}} is no character. Write one as {{\x7b}}."#) }
    return String(scalar)
  }
}

extension Placeholder {
  /// Reads the text between the braces.
  fileprivate init(reading inner: String) throws {
    let parts = inner.pieces(at: ":").map { String($0.withoutOuterSpace) }
    let name = parts[0]
    guard !name.isEmpty, name.utf8.allSatisfy(\.isInName) else {
      throw TranscriptError(
        "expected a name of letters and digits, or _, in {{\(inner)}}. \(TranscribedText.twoBraces)")
    }
    let said = parts.count == 1 ? PlaceholderKind(ofName: name) ?? .text : PlaceholderKind(rawValue: parts[1])
    guard parts.count <= 2, let said else {
      let kinds = PlaceholderKind.allCases.map(\.rawValue).listed
      throw TranscriptError("\(parts.dropFirst().joined(separator: ":")) is no kind of value. Write one of \(kinds).")
    }
    self.init(name == "_" ? nil : name, said)
  }
}

extension UInt8 {
  /// Whether the name of a placeholder can have the byte.
  var isInName: Bool { isAlphanumeric || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

extension String {
  /// Whether no character of the text needs an escape.
  fileprivate func isPlain(_ special: String) -> Bool {
    var text = self
    return text.withUTF8 { bytes in
      guard let first = bytes.first, let last = bytes.last else { return true }
      if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 { return false }
      var position = 0
      while position < bytes.count {
        let byte = bytes[position]
        if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "{") { return false }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        position += 1
      }
      return special.isEmpty || !special.utf8.contains { bytes.contains($0) }
    }
  }
}

extension Unicode.Scalar {
  /// Whether no line of a text shows the character.
  fileprivate var isHidden: Bool {
    switch value {
    case 0x09: false
    case ..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  fileprivate var jsonEscape: String {
    let code = String(value, radix: 16)
    return "\\u\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
  }
}

/// What can't be read in a transcript, and what was expected there.
struct TranscriptError: Error, CustomStringConvertible, Equatable {
  /// The line, from 1, or 0 while nobody knows it.
  var line: Int
  let problem: String

  init(_ problem: String, line: Int = 0) { (self.problem, self.line) = (problem, line) }

  var description: String { "line \(line): \(problem)" }
}
