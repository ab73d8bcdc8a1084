import Foundation
import StubKit

/// A text of a transcript with placeholders, which stand for values that differ from run to run.
///
/// `{{name}}` is one value wherever the name occurs, `{{_}}` is any value each time, and `{{name:[0-9]+}}` one that a
/// regular expression matches as a whole. None of them is empty. Two braces themselves are written as `\{{`.
struct ValuePattern: Sendable {
  enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  struct Placeholder: Sendable {
    let name: String
    /// The regular expression, as it is written.
    let expression: String?
    /// The whole placeholder, as it is written.
    var source: String { "{{\(name)\(expression.map { ":\($0)" } ?? "")}}" }

    /// The expression that a value must match.
    fileprivate var pattern: String {
      if let expression { return "(?:\(expression))" }
      return Self.isGenerated(name) && name.hasPrefix("uuid") ? Self.uuid : #"[\s\S]+?"#
    }

    static let uuid = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"

    /// Returns whether StubKit gives such a name to values of which no two are equal.
    static func isGenerated(_ name: String) -> Bool {
      let digits = name.utf8.reversed().prefix(while: \.isDigit).count
      return digits > 0 && ["uuid", "key", "random"].contains(name.dropLast(digits))
    }
  }

  /// What is wrong with a placeholder.
  struct Problem: Error {
    /// The bytes of the text before it.
    let offset: Int
    let sentence: String
  }

  let pieces: [Piece]
  // Immutable, and documented as safe to use from several threads at once.
  private let expression: NSRegularExpression
  /// The numbers of the groups of the placeholders, and their names.
  private let groups: [(number: Int, name: String)]

  init(_ text: String) throws {
    pieces = try Self.pieces(of: text)
    var (pattern, groups, count) = ("\\A", [(number: Int, name: String)](), 0)
    for piece in pieces {
      switch piece {
      case .text(let text): pattern += NSRegularExpression.escapedPattern(for: text)
      case .placeholder(let placeholder):
        pattern += "(\(placeholder.pattern))"
        groups.append((count + 1, placeholder.name))
        count += 1 + (try NSRegularExpression(pattern: placeholder.pattern).numberOfCaptureGroups)
      }
    }
    expression = try NSRegularExpression(pattern: pattern + "\\z")
    self.groups = groups
  }

  var names: [String] { groups.map(\.name) }

  /// Returns the values of the placeholders in a text without escapes, or `nil` if the text doesn't fit.
  func values(in text: String) -> [(name: String, value: String)]? {
    let whole = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
    return groups.compactMap { number, name in
      Range(match.range(at: number), in: text).map { (name, String(text[$0])) }
    }
  }

  /// Splits a text at its placeholders.
  static func pieces(of text: String) throws -> [Piece] {
    let bytes = Array(text.utf8)
    var (pieces, literal, position): ([Piece], [UInt8], Int) = ([], [], 0)
    while position < bytes.count {
      guard bytes.hasBraces(at: position) else {
        literal.append(bytes[position])
        position += 1
        continue
      }
      if literal.last == UInt8(ascii: "\\") {
        literal[literal.count - 1] = UInt8(ascii: "{")
        literal.append(UInt8(ascii: "{"))
        position += 2
        continue
      }
      let (placeholder, end) = try self.placeholder(in: bytes, at: position)
      if !literal.isEmpty { pieces.append(.text(String(utf8: literal))) }
      pieces.append(.placeholder(placeholder))
      (literal, position) = ([], end)
    }
    if !literal.isEmpty { pieces.append(.text(String(utf8: literal))) }
    return pieces
  }

  /// Reads the placeholder that begins at a position. Returns it with the position of what follows.
  static func placeholder(in bytes: [UInt8], at start: Int) throws -> (Placeholder, end: Int) {
    func isClosing(_ position: Int) -> Bool {
      position + 1 < bytes.count && bytes[position] == UInt8(ascii: "}") && bytes[position + 1] == UInt8(ascii: "}")
    }
    var position = start + 2
    func skipSpace() { while position < bytes.count, bytes[position] == 0x20 { position += 1 } }
    skipSpace()
    let nameStart = position
    while position < bytes.count, bytes[position].isAlphanumeric || "_-".utf8.contains(bytes[position]) {
      position += 1
    }
    let name = String(utf8: bytes[nameStart..<position])
    skipSpace()
    guard !name.isEmpty else {
      throw Problem(
        offset: nameStart,
        sentence: "expected a name of letters and digits, or _, after the braces {{. Two braces themselves are \\{{.")
    }
    if isClosing(position) { return (Placeholder(name: name, expression: nil), position + 2) }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw Problem(
        offset: start,
        sentence: "expected }} after {{\(name), or a colon and a regular expression. Two braces "
          + "themselves are \\{{.")
    }
    // Braces in the expression come in pairs, unless they are escaped.
    let expressionStart = position + 1
    var depth = 0
    position = expressionStart
    while position < bytes.count, depth > 0 || !isClosing(position) {
      switch bytes[position] {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      position += 1
    }
    guard position < bytes.count else {
      throw Problem(offset: start, sentence: "expected }} at the end of {{\(name): on the same line.")
    }
    let text = String(utf8: bytes[expressionStart..<position])
    if text.contains(/\\[1-9k]/) {
      throw Problem(
        offset: expressionStart,
        sentence: "a regular expression here can't refer to a group. Give the second value the "
          + "name of the first one.")
    }
    do { _ = try NSRegularExpression(pattern: "(?:\(text))") } catch {
      throw Problem(
        offset: expressionStart,
        sentence: "\(text) is not a regular expression: \(Pattern.cure(for: text, error))")
    }
    return (Placeholder(name: name, expression: text), position + 2)
  }
}

extension [UInt8] {
  func hasBraces(at position: Int) -> Bool {
    position + 1 < count && self[position] == UInt8(ascii: "{") && self[position + 1] == UInt8(ascii: "{")
  }
}

extension String {
  /// Whether the text can have a placeholder.
  var hasBraces: Bool { has("{") && range(of: "{{", options: .literal) != nil }

  /// The text as a transcript has it, in which two braces begin a placeholder.
  var escapingBraces: String { hasBraces ? replacing("{{", with: #"\{{"#) : self }

  /// The text of a transcript as it was sent.
  var unescapingBraces: String { hasBraces ? replacing(#"\{{"#, with: "{{") : self }
}

/// The values for which the placeholders of a transcript stand, so far.
struct PlaceholderValues: Sendable {
  private(set) var values: [String: String] = [:]
  /// The names that StubKit has given, by their values.
  private var generated: [String: String] = [:]

  /// Returns `false` if the name stands for another value, or the value has another name of which no two are equal.
  mutating func bind(_ name: String, to value: String) -> Bool {
    if name == "_" { return true }
    if let known = values[name] { return known.isSame(as: value) }
    if ValuePattern.Placeholder.isGenerated(name), generated.updateValue(name, forKey: value) != nil { return false }
    values[name] = value
    return true
  }

  /// Binds the values of a text, or none of them.
  mutating func bind(_ pairs: [(name: String, value: String)]) -> Bool {
    var after = self
    guard pairs.allSatisfy({ after.bind($0.name, to: $0.value) }) else { return false }
    self = after
    return true
  }

  /// Returns why values that a text allows don't fit the values so far.
  func conflict(_ pairs: [(name: String, value: String)]) -> String {
    for (name, value) in pairs {
      if let known = values[name], !known.isSame(as: value) { return "{{\(name)}} was \(known.middle(60)) before" }
      if let other = generated[value], other != name { return "{{\(name)}} must differ from {{\(other)}}" }
    }
    return "one name has two values"
  }
}
