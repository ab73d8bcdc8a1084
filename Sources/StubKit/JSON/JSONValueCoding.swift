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
  /// The result is that of ``init(parsing:)-(Data)``, except for numbers between 2⁵³ and 2⁶⁴ that are written with a
  /// fraction and more than 38 digits. `JSONDecoder` exposes no more of them than a `Decimal` holds.
  public init(from decoder: any Decoder) throws {
    // A failed attempt throws, which is expensive, so the commonest kinds of values come first.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try container.decodeIfOfType(String.self) {
      self = .string(string)
    } else if let double = try container.decodeIfOfType(Double.self) {
      self = .number(try JSONNumber(double, in: container))
    } else if let members = try container.decodeIfOfType([String: JSONValue].self) {
      self = .object(members)
    } else if let elements = try container.decodeIfOfType([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .bool(try container.decode(Bool.self))
    }
  }

  /// Encodes the value as what it is: a number as a number, and an object with its keys.
  ///
  /// - Throws: `EncodingError.invalidValue` for arrays and objects nested more than 128 levels deep.
  public func encode(to encoder: any Encoder) throws {
    guard !isTooDeep else {
      let problem = "Arrays and objects are nested more than \(Self.deepest) levels deep."
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem))
    }
    try Encoded(value: self).encode(to: encoder)
  }
}

/// A value whose depth has been checked, so that the values in it need no check.
private struct Encoded: Encodable {
  let value: JSONValue

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
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
    case .array(let elements): try container.encode(elements.map(Encoded.init))
    case .object(let members): try container.encode(members.mapValues(Encoded.init))
    }
  }
}

extension SingleValueDecodingContainer {
  /// Returns the value, or `nil` if it has another type. Throws what is wrong further down.
  fileprivate func decodeIfOfType<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch(_, let context) where context.codingPath.count <= codingPath.count {
      return nil
    }
  }
}

extension JSONNumber {
  /// Creates the number that reads as `double`. If a `Double` may have rounded an integer, this decodes the number
  /// again as a `Decimal`, which holds 38 digits and says whether there is a fraction. An `Int64` is decoded without
  /// it.
  fileprivate init(_ double: Double, in container: any SingleValueDecodingContainer) throws {
    guard double.isFinite else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "JSON can't represent the number \(double).")
    }
    if double.magnitude < 0x1p53 || double.magnitude > 0x1p64 {
      self.init(double)
    } else if let decimal = try? container.decode(Decimal.self).description {
      if let signed = Int64(decimal) {
        self.init(signed)
      } else if let unsigned = UInt64(decimal) {
        self.init(unsigned)
      } else {
        self.init(double)
      }
    } else if let signed = try? container.decode(Int64.self) {
      self.init(signed)
    } else if let unsigned = try? container.decode(UInt64.self) {
      self.init(unsigned)
    } else {
      self.init(double)
    }
  }
}
