import Foundation

extension JSONValue {
  /// Creates the JSON of an `Encodable` value, as `JSONEncoder` writes it with default strategies.
  ///
  /// ```swift
  /// let user = try JSONValue(encoding: User(id: 1, name: "Ann"))
  /// user["name"]  // "Ann"
  /// ```
  ///
  /// - Throws: The `EncodingError` of a value that can't be encoded.
  public init(encoding value: some Encodable) throws {
    if let json = value as? JSONValue {
      self = json
    } else {
      try self.init(parsing: JSONEncoder().encode(value))
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any value. From `JSONDecoder`, this is any JSON value.
  ///
  /// The result is that of ``init(parsing:)-(Data)``.
  public init(from decoder: any Decoder) throws {
    // A failed attempt throws, which is expensive, so the commonest kinds of values come first.
    let container = try decoder.singleValueContainer()
    func decoded<Value: Decodable>(_ type: Value.Type, _ make: (Value) -> JSONValue) -> JSONValue? {
      (try? container.decode(type)).map(make)
    }
    self =
      try container.decodeNil()
      ? .null
      : decoded(String.self, JSONValue.string) ?? decoded(Int64.self) { JSONValue($0) }
        ?? decoded(UInt64.self) { JSONValue($0) } ?? decoded(Double.self) { JSONValue($0) }
        ?? decoded([String: JSONValue].self, JSONValue.object) ?? decoded([JSONValue].self, JSONValue.array)
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
