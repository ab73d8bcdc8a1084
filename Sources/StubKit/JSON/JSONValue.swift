import Foundation
import StubKitFormats

/// Any JSON value. Write it as a literal, create it from your own values, or parse it.
///
/// ```swift
/// let user: JSONValue = ["id": 42, "tags": ["a", nil], "admin": true]
/// let page: JSONValue = ["users": [user], "next": JSONValue(nextID)]
/// user["tags"]?[0]  // "a"
/// ```
///
/// Two values are equal if they say the same. The order of keys doesn't matter, and the order of an array does.
/// Numbers compare by value, so `1` equals `1.0`, and integers of up to 64 bits compare exactly. `true` doesn't equal
/// `1`, and a missing key doesn't equal `null`. Strings and keys compare as Swift compares strings, so composed and
/// decomposed characters are equal.
///
/// Arrays and objects can be nested 128 levels deep. StubKit parses, encodes and matches no deeper value. You can still
/// build, compare and print one, but that takes a stack in proportion to its depth.
public enum JSONValue: Sendable, Hashable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array, in order.
  case array([JSONValue])
  /// An object. Its keys have no order.
  case object([String: JSONValue])

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

  /// Creates a number from a floating-point value. NaN and infinity make a ``JSONNumber`` that matches nothing.
  public init(_ value: some BinaryFloatingPoint) { self = .number(JSONNumber(value)) }

  /// Creates a string.
  public init(_ value: some StringProtocol) { self = .string(String(value)) }

  /// Creates `true` or `false`.
  public init(_ value: Bool) { self = .bool(value) }

  /// Returns the value of a key in an object, or `nil` if this is not an object or has no such key. If the value is
  /// `null`, the result is `JSONValue.null`.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// Returns the element of an array, or `nil` if this is not an array or the index is out of range.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Creates a number. Write a literal above `Int64.max` as `JSONValue(UInt64(…))`.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object. If a key occurs twice, the object matches nothing and can't be encoded.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members: members) }

  /// Creates an object, in which a key that occurs twice is a mistake.
  init(members: [(String, JSONValue)]) {
    var object: [String: JSONValue] = [:]
    object.reserveCapacity(members.count)
    for (key, value) in members where object.updateValue(value, forKey: key) != nil {
      object[key] = JSONValue(mistake: "This JSON object has the key \"\(key)\" twice. Remove one of them.")
    }
    self = .object(object)
  }
}

extension JSONValue {
  /// Creates a value that JSON can't express, which carries why.
  init(mistake: String) { self = .number(JSONNumber(mistake: mistake)) }

  /// Why JSON can't express a value in here, or `nil` if it can.
  var mistake: String? {
    switch self {
    case .number(let number): number.mistake
    case .array(let elements): elements.lazy.compactMap(\.mistake).first
    case .object(let members): members.sorted { $0.key < $1.key }.lazy.compactMap(\.value.mistake).first
    case .null, .bool, .string: nil
    }
  }
}
