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
  ///
  /// - Throws: A ``StubKitError``, as for data.
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

extension StubJSON: Codable {
  /// Decodes any value. From `JSONDecoder`, this is any JSON value.
  ///
  /// The result equals that of ``init(parsing:)-(Data)``, but for numbers of more than 15 digits that aren't integers
  /// of 64 bits, which `JSONDecoder` rounds, and for what only one of the two refuses.
  ///
  /// - Throws: The error of the decoder.
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
