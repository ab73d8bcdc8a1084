import Foundation

/// Any JSON value, written as a literal, made from a value of the test's own, or parsed.
///
/// ```swift
/// let user: JSONValue = ["id": 42, "tags": ["a", nil], "admin": true]
/// let page: JSONValue = ["users": [user], "next": JSONValue(nextID)]
/// user["tags"]?[0]   // "a"
/// ```
///
/// Two values are equal if they say the same: key order does not matter, array order does; numbers compare by value
/// (`1` is `1.0`), integers of up to 64 bits exactly; `true` is not `1`, and a missing key is not `null`. Strings and keys
/// compare as Swift compares strings, so composed and decomposed characters are equal.
///
/// Arrays and objects may be nested 512 deep, as in Foundation's parsers. No deeper value is parsed, encoded or matched. It
/// can still be built by hand, compared and printed, but Swift destroys nested values level by level on the thread's
/// stack, which has to be large enough for that.
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array, in order.
  case array([JSONValue])
  /// An object; its keys have no order.
  case object([String: JSONValue])

  /// A number from an integer of the test's own.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

  /// A number from a floating-point value of the test's own. JSON has no NaN and no infinity: either traps.
  public init(_ value: some BinaryFloatingPoint) { self = .number(JSONNumber(value)) }

  /// A string.
  public init(_ value: some StringProtocol) { self = .string(String(value)) }

  /// `true` or `false`.
  public init(_ value: Bool) { self = .bool(value) }

  /// The value of an object's key, or nil if this is no object or has no such key. A key that is there with the value
  /// `null` gives `JSONValue.null`.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The element of an array, or nil if this is no array or the index is outside it.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
  /// `null`
  public init(nilLiteral: ()) { self = .null }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// A number.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// A number. A literal above `Int64.max` is written `JSONValue(UInt64(…))`.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object. A key written twice is a mistake and traps, as it does in a dictionary literal.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    var object: [String: JSONValue] = [:]
    object.reserveCapacity(members.count)
    for (key, value) in members {
      require(
        object.updateValue(value, forKey: key) == nil,
        "This JSON object has the key \"\(key)\" twice: leave one of them out.")
    }
    self = .object(object)
  }
}
