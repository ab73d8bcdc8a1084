import Foundation

extension JSONValue {
  /// What a value of the test's own looks like as JSON, by `JSONEncoder` with its default strategies.
  ///
  /// ```swift
  /// let user = try JSONValue(encoding: User(id: 1, name: "Ann"))
  /// user["name"]   // "Ann"
  /// ```
  ///
  /// - Throws: the `EncodingError` of a value that can't be encoded.
  public init(encoding value: some Encodable) throws {
    if let json = value as? JSONValue {
      self = json
    } else {
      try self.init(parsing: JSONEncoder().encode(value))
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any value; from `JSONDecoder`, any JSON value.
  public init(from decoder: any Decoder) throws {
    // A failed attempt throws, which is dear: the commonest kinds of values come first.
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

  /// Encodes the value as what it is: a number as a number, an object with its keys.
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
      }
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension SingleValueDecodingContainer {
  /// The value, or nil if it is of another type; what is wrong further down is thrown.
  fileprivate func decodeIfOfType<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch(_, let context) where context.codingPath.count <= codingPath.count {
      return nil
    }
  }
}

extension JSONNumber {
  /// The number that reads as `double`; where a `Double` may have rounded an integer, decoded again exactly.
  fileprivate init(_ double: Double, in container: any SingleValueDecodingContainer) throws {
    guard double.isFinite else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "JSON has no number \(double).")
    }
    if double.magnitude < 0x1p53 || double.magnitude > 0x1p64 {
      self.init(double)
    } else if let signed = try? container.decode(Int64.self) {
      self.init(signed)
    } else if let unsigned = try? container.decode(UInt64.self) {
      self.init(unsigned)
    } else if let decimal = try? container.decode(Decimal.self), let signed = Int64(decimal.description) {
      // At the ends of the 64-bit ranges JSONDecoder refuses an integer written with a point or an exponent.
      self.init(signed)
    } else if let decimal = try? container.decode(Decimal.self), let unsigned = UInt64(decimal.description) {
      self.init(unsigned)
    } else {
      self.init(double)
    }
  }
}
