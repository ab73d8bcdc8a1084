import Foundation
import StubKitFormats

extension JSONValue {
  /// Parses a JSON text (RFC 8259) in UTF-8, or in UTF-16 or UTF-32 with either byte order.
  ///
  /// ```swift
  /// let user = try JSONValue(parsing: Data(#"{"id": 42}"#.utf8))
  /// ```
  ///
  /// The root can be any value, and a byte order mark is skipped. If an object repeats a key, the last one counts. A
  /// number that is not an integer of 64 bits becomes the nearest `Double`, or zero if it is too small for one.
  /// Arrays and objects can be nested 128 levels deep.
  ///
  /// - Throws: A ``JSONSyntaxError`` if the text is not JSON, if a number is too large for a `Double`, or if an
  ///   escaped surrogate lacks its other half.
  public init(parsing data: Data) throws {
    // Data that only looks like another encoding is UTF-8.
    if let encoding = data.jsonEncoding, let text = String(data: data, encoding: encoding) {
      try self.init(parsing: text)
    } else {
      self = try data.withUnsafeBytes { try JSONParser.parse($0.bindMemory(to: UInt8.self)) }
    }
  }

  /// Parses a JSON text, like ``init(parsing:)-(Data)``.
  ///
  /// ```swift
  /// let user = try JSONValue(parsing: #"{"id": 42}"#)
  /// ```
  public init(parsing text: String) throws {
    var text = text
    self = try text.withUTF8 { try JSONParser.parse($0) }
  }
}

extension Data {
  /// The encoding of a JSON text, or `nil` for UTF-8. A text begins with two ASCII characters or is one, so the zeros in
  /// its first bytes distinguish the encodings (RFC 4627, section 3).
  fileprivate var jsonEncoding: String.Encoding? {
    let start = Array(prefix(4))
    return switch (start.first ?? 1, start.dropFirst().first ?? 1, start.dropFirst(2).first, start.dropFirst(3).first) {
    case (0, 0, _, _): .utf32BigEndian
    case (0xFF, 0xFE, 0, 0): .utf32
    case (0xFE, 0xFF, _, _), (0xFF, 0xFE, _, _): .utf16
    case (0, _, _, _): .utf16BigEndian
    case (_, 0, 0, 0): .utf32LittleEndian
    case (_, 0, _, _): .utf16LittleEndian
    default: nil
    }
  }
}

/// Makes a value of one JSON text in UTF-8 (RFC 8259).
private struct JSONParser {
  private var scanner: JSONScanner
  /// The position of the first byte that isn't part of valid UTF-8. Outside of a string, the scanner finds it.
  private let invalidUTF8: Int?

  static func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(scanner: JSONScanner(utf8), invalidUTF8: utf8.firstInvalidUTF8)
    do { return try parser.root() } catch { throw JSONSyntaxError(error) }
  }

  private mutating func root() throws(JSONProblem) -> JSONValue {
    let value = try value(scanner.next())
    // Whatever follows is an error, which the scanner throws.
    _ = try scanner.next()
    return value
  }

  private mutating func value(_ token: JSONScanner.Token) throws(JSONProblem) -> JSONValue {
    switch token {
    case .beginObject: return try object()
    case .beginArray: return try array()
    case .string(let string): return .string(try text(string))
    case .number(let range): return .number(try number(range))
    case .bool(let bool): return .bool(bool)
    // The scanner throws where a value is missing, so the others don't occur here.
    case .null, .key, .endObject, .endArray, .end: return .null
    }
  }

  private mutating func object() throws(JSONProblem) -> JSONValue {
    var members: [String: JSONValue] = [:]
    while case .key(let key) = try scanner.next() {
      let name = try text(key)
      members[name] = try value(scanner.next())
    }
    return .object(members)
  }

  private mutating func array() throws(JSONProblem) -> JSONValue {
    var elements: [JSONValue] = []
    while true {
      let token = try scanner.next()
      if case .endArray = token { return .array(elements) }
      elements.append(try value(token))
    }
  }

  private func text(_ string: JSONString) throws(JSONProblem) -> String {
    if let invalidUTF8, string.range.contains(invalidUTF8) {
      throw scanner.error("this string is not UTF-8", at: string.start)
    }
    if let position = string.loneSurrogate {
      throw scanner.error("this escape is half of a surrogate pair", at: position)
    }
    return string.text
  }

  private func number(_ range: Range<Int>) throws(JSONProblem) -> JSONNumber {
    let text = String(decoding: UnsafeBufferPointer(rebasing: scanner.utf8[range]), as: UTF8.self)
    if let integer = JSONNumber(integer: text) { return integer }
    guard let double = Double(text), double.isFinite else {
      throw scanner.error("this number is too large for a Double", at: range.lowerBound)
    }
    // An integer beyond the exact doubles can have a fraction of zeros or an exponent.
    let exact = double.canBeRoundedInteger ? Decimal(string: text).flatMap { JSONNumber(integer: $0.description) } : nil
    return exact ?? JSONNumber(double)
  }
}

/// An error that says why a text is not JSON, and where.
///
/// ```swift
/// do {
///   _ = try JSONValue(parsing: "[1, 2,]")
/// } catch {
///   // This is not valid JSON: line 1, column 7: a value is missing before "]".
///   print(error)
/// }
/// ```
public struct JSONSyntaxError: StubKitError, Hashable {
  /// What is wrong, in words.
  public let problem: String
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// The problem and its place, in a sentence.
  public var description: String { "This is not valid JSON: line \(line), column \(column): \(problem)." }

  init(_ problem: JSONProblem) { (self.problem, line, column) = (problem.problem, problem.line, problem.column) }
}
