import Foundation

extension StubJSON {
  /// Parses a JSON text in UTF-8 (RFC 8259).
  ///
  /// ```swift
  /// let user = try StubJSON(parsing: Data(#"{"id": 42}"#.utf8))
  /// ```
  ///
  /// The root can be any value, and a byte order mark is skipped. If an object repeats a key, or has one
  /// that Swift finds equal, the last one counts.
  /// Numbers keep all of their digits. Arrays and objects can be nested 128 levels deep.
  ///
  /// - Throws: A ``StubKitError`` if the text is not JSON, if a number is too large for a `Double`, or if an
  ///   escaped surrogate lacks its other half.
  public init(parsing data: Data) throws {
    self = try data.withUnsafeBytes { try JSONScanner.parse($0.bindMemory(to: UInt8.self)) }
  }

  /// Parses a JSON text, like ``init(parsing:)-(Data)``.
  ///
  /// ```swift
  /// let user = try StubJSON(parsing: #"{"id": 42}"#)
  /// ```
  public init(parsing text: String) throws {
    var text = text
    self = try text.withBytes { try JSONScanner.parse($0) }
  }

  /// Creates the JSON of an `Encodable` value, as `JSONEncoder` writes it with default strategies.
  ///
  /// ```swift
  /// let user = try StubJSON(encoding: User(id: 1, name: "Ann"))
  /// user["name"]  // "Ann"
  /// ```
  ///
  /// - Throws: The `EncodingError` of a value that can't be encoded.
  public init(encoding value: some Encodable) throws {
    if let json = value as? StubJSON {
      self = json
    } else {
      try self.init(parsing: JSONEncoder().encode(value))
    }
  }
}

/// Makes a value of one JSON text in UTF-8 (RFC 8259).
extension JSONScanner {
  fileprivate static func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws -> StubJSON {
    var scanner = JSONScanner(utf8)
    if let invalid = utf8.firstInvalidUTF8 { throw scanner.error("this is not UTF-8", at: invalid) }
    let value = try scanner.value(of: scanner.next())
    // Whatever follows is an error, which the scanner throws.
    _ = try scanner.next()
    return value
  }

  private mutating func value(of token: Token) throws -> StubJSON {
    switch token {
    case .beginObject: return try object()
    case .beginArray: return try array()
    default: return try scalar(token) ?? .null
    }
  }

  /// Returns the value that a token is, or `nil` for an array or an object.
  func scalar(_ token: Token) throws -> StubJSON? {
    switch token {
    case .beginObject, .beginArray: return nil
    case .string(let string): return .string(try text(string))
    case .number(let range): return .number(try number(range))
    case .bool(let bool): return .bool(bool)
    // The scanner throws where a value is missing, so the others don't occur here.
    case .null, .key, .endObject, .endArray, .end: return .null
    }
  }

  func number(_ range: Range<Int>) throws -> JSONNumber {
    if let integer = shortInteger(range) { return JSONNumber(.signed(integer)) }
    guard let number = JSONNumber(writtenAs: String(utf8: UnsafeBufferPointer(rebasing: utf8[range]))) else {
      throw error("this number is too large for a Double", at: range.lowerBound)
    }
    return number
  }

  /// Returns a number that is an integer of up to 18 digits, as most are, or `nil` for any other.
  private func shortInteger(_ range: Range<Int>) -> Int64? {
    let isNegative = utf8[range.lowerBound] == .minus
    let digits = range.dropFirst(isNegative ? 1 : 0)
    guard digits.count <= 18 else { return nil }
    var value: Int64 = 0
    for position in digits {
      guard utf8[position].isDigit else { return nil }
      value = value &* 10 &+ Int64(utf8[position] &- .zeroDigit)
    }
    return isNegative ? -value : value
  }

  /// Returns whether a number can be too large for a `Double`. Without an exponent, that takes more than 300 digits.
  func canBeTooLarge(_ range: Range<Int>) -> Bool {
    range.count > 300 || utf8[range].contains { $0 | 0x20 == UInt8(ascii: "e") }
  }

  private mutating func object() throws -> StubJSON {
    var members: [String: StubJSON] = [:]
    while case .key(let key) = try next() {
      let name = try text(key)
      let member = try value(of: next())
      guard members.updateValue(member, forKey: name) != nil else { continue }
      // The dictionary has kept a key that Swift finds equal.
      members[name] = nil
      members[name] = member
    }
    return .object(members)
  }

  private mutating func array() throws -> StubJSON {
    var elements: [StubJSON] = []
    while true {
      let token = try next()
      if case .endArray = token { return .array(elements) }
      elements.append(try value(of: token))
    }
  }

  private func text(_ string: JSONString) throws -> String {
    if let position = string.loneSurrogate { throw error("this escape is half of a surrogate pair", at: position) }
    return string.text
  }
}

/// An error that says why a text is not JSON, and where.
///
/// ```swift
/// do {
///   _ = try StubJSON(parsing: "[1, 2,]")
/// } catch {
///   // This is not valid JSON: line 1, column 7: a value is missing before "]".
///   print(error)
/// }
/// ```
package struct JSONSyntaxError: StubKitError, Hashable {
  /// What is wrong, in words.
  public let problem: String
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// The problem and its place, in a sentence.
  public var description: String { "This is not valid JSON: line \(line), column \(column): \(problem)." }

  /// - Parameter text: The text before the place, in UTF-8.
  init(_ problem: String, after text: some BidirectionalCollection<UInt8>) {
    self.problem = problem
    line = text.count { $0 == .newline } + 1
    // Every scalar has one byte that doesn't continue another.
    column = text.reversed().prefix { $0 != .newline }.count { $0 & 0xC0 != 0x80 } + 1
  }
}

extension StubJSON: Codable {
  /// Decodes any value. From `JSONDecoder`, this is any JSON value.
  ///
  /// The result equals that of ``init(parsing:)-(Data)``, but for numbers of more than 15 digits that aren't integers
  /// of 64 bits, which `JSONDecoder` rounds, and for what only one of the two refuses.
  public init(from decoder: any Decoder) throws {
    // A failed attempt throws, which is expensive, so the commonest kinds of values come first.
    let container = try decoder.singleValueContainer()
    func decoded<Value: Decodable>(_ type: Value.Type, _ make: (Value) -> StubJSON) -> StubJSON? {
      (try? container.decode(type)).map(make)
    }
    self =
      try container.decodeNil()
      ? .null
      : decoded(String.self, StubJSON.string) ?? decoded(Int64.self) { StubJSON($0) }
        ?? decoded(UInt64.self) { StubJSON($0) } ?? decoded(Double.self) { StubJSON($0) }
        ?? decoded([String: StubJSON].self, StubJSON.object) ?? decoded([StubJSON].self, StubJSON.array)
        ?? .bool(container.decode(Bool.self))
  }

  /// Encodes the value as what it is: a number as a number, and an object with its keys.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that JSON can't express, such as NaN.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let number):
      switch number.storage {
      case .signed(let value): try container.encode(value)
      case .unsigned(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .decimal(let text):
        if let decimal = Decimal(string: text) {
          try container.encode(decimal)
        } else {
          try container.encode(number.doubleValue)
        }
      case .mistake(let mistake):
        throw EncodingError.invalidValue(
          number, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: mistake))
      }
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

/// A JSON number. Numbers compare as the decimals that they are written as: `1`, `1.0` and `1e0` are the same number.
///
/// ```swift
/// JSONNumber(1) == JSONNumber(1.0)  // true
/// // false, although they would be equal as doubles:
/// JSONNumber(9_007_199_254_740_993) == JSONNumber(0x1p53)
/// ```
///
/// A `Double` is written with the fewest digits that restore it. The text `0.10000000000000001` is another number than
/// `0.1`, although both are the same `Double`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// One form for each value, so that synthesized equality and hashing compare values.
  enum Storage: Hashable {
    case signed(Int64)
    /// Only above `Int64.max`.
    case unsigned(UInt64)
    /// Only what neither of the others can express: the decimal that the value prints as. Finite.
    case double(Double)
    /// Only what no `Double` prints as, as ``WrittenDecimal/text``.
    case decimal(String)
    /// Something that JSON can't express, and why.
    case mistake(String)

    /// Returns the form of a value that is an integer of 64 bits, or `nil` if it is none.
    static func exact(_ signed: Int64?, _ unsigned: @autoclosure () -> UInt64?) -> Storage? {
      signed.map { .signed($0) } ?? unsigned().map { .unsigned($0) }
    }

    /// - Parameter double: The nearest `Double`.
    fileprivate static func of(_ decimal: WrittenDecimal, nearest double: Double) -> Storage {
      let text = decimal.text
      if let exact = exact(Int64(text), UInt64(text)) { return exact }
      return WrittenDecimal(double.description) == decimal ? .double(double) : .decimal(text)
    }
  }

  let storage: Storage

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) {
    let exact = Storage.exact(Int64(exactly: value), UInt64(exactly: value))
    storage = exact ?? .of(WrittenDecimal(String(value)), nearest: Double(value))
  }

  /// Creates the number that a floating-point value prints as, which is also what `JSONEncoder` writes: 0.1 for
  /// `Float(0.1)`.
  ///
  /// JSON can't express NaN and infinity. Such a number equals none in a body. A condition with it is a
  /// mistake, and a response with it fails its request.
  public init(_ value: some BinaryFloatingPoint) {
    let double = value as? Double ?? Double("\(value)") ?? Double(value)
    if !double.isFinite {
      storage = .mistake("JSON can't represent the number \(value). Write nil or a string instead.")
    } else if abs(double) <= 0x1p53 {
      storage = .exact(Int64(exactly: double), nil) ?? .double(double)
    } else {
      storage = .of(WrittenDecimal(double.description), nearest: double)
    }
  }

  /// Creates the number that a JSON text is. Returns `nil` if it is too large for a `Double`.
  init?(writtenAs text: String) {
    if let exact = Storage.exact(Int64(text), UInt64(text)) {
      storage = exact
      return
    }
    guard let double = Double(text), double.isFinite else { return nil }
    // A decimal of at most 15 digits is what its nearest `Double` prints as.
    let isShort = text.utf8.count <= 16 && !text.has("e") && !text.has("E")
    storage = isShort ? JSONNumber(double).storage : .of(WrittenDecimal(text), nearest: double)
  }

  init(_ storage: Storage) { self.storage = storage }

  /// Why JSON can't express the number, or `nil` if it can.
  var mistake: String? { if case .mistake(let mistake) = storage { mistake } else { nil } }

  /// The number as a `Double`, rounded to the nearest if necessary.
  public var doubleValue: Double {
    switch storage {
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text) ?? .nan
    case .mistake: .nan
    }
  }

  /// The number as an `Int`, or `nil` if it has a fraction or doesn't fit.
  public var intValue: Int? { if case .signed(let value) = storage { Int(exactly: value) } else { nil } }

  /// The number in JSON. Integers are written in full, a `Double` with the fewest digits that restore it, and other
  /// numbers with all of their digits.
  public var description: String {
    switch storage {
    case .signed(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.description
    case .decimal(let text): text
    case .mistake: "nan"
    }
  }
}

/// The digits of a number, and the power of ten by which they count. Equal numbers have the same.
private struct WrittenDecimal: Equatable {
  private var sign = ""
  /// Neither the first nor the last one is a zero. Empty for zero.
  private var digits: [UInt8] = []
  private var exponent = 0

  /// - Parameter text: A number as in JSON, or as Swift prints one.
  init(_ text: String) {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var isFraction = false
    for byte in mantissa {
      if byte == .dot { isFraction = true }
      guard byte.isDigit else { continue }
      if isFraction { exponent -= 1 }
      if byte != .zeroDigit || !digits.isEmpty { digits.append(byte) }
    }
    while digits.last == .zeroDigit {
      digits.removeLast()
      exponent += 1
    }
    // What is smaller than any text could write out counts as zero.
    let power = text.utf8.count == mantissa.count ? 0 : Int(Substring(text.utf8.dropFirst(mantissa.count + 1))) ?? .min
    if power < -1_000_000_000 { digits = [] }
    if digits.isEmpty { exponent = 0 } else { exponent += power }
    if text.utf8.first == .minus, !digits.isEmpty { sign = "-" }
  }

  /// The number in JSON: in full, unless there would be many zeros at one end.
  var text: String {
    let digits = String(utf8: digits)
    let point = digits.utf8.count + exponent
    switch exponent {
    case _ where digits.isEmpty: return "0"
    case 0...40: return sign + digits + String(repeating: "0", count: exponent)
    case -40..<0 where point <= 0: return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)"
    case ..<0 where point > 0: return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    default:
      let fraction = digits.dropFirst()
      return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e\(point - 1)"
    }
  }
}
