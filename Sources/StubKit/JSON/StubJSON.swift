import Foundation

/// Any JSON value. Write it as a literal, create it from your own values, or parse it.
///
/// ```swift
/// let user: StubJSON = ["id": 42, "tags": ["a", nil], "admin": true]
/// let page: StubJSON = ["users": [user], "next": StubJSON(nextID)]
/// user["tags"]?[0]  // "a"
/// ```
///
/// Two values are equal if they say the same. The order of keys doesn't matter, and the order of an array does.
/// Numbers compare as the decimals that they are written as, of any length, so `1` equals `1.0`. `true` doesn't equal
/// `1`, and a missing key doesn't equal `null`. Strings and keys compare by their Unicode scalars, so a composed and a
/// decomposed letter are different.
///
/// StubKit parses arrays and objects that are nested up to 128 levels deep, so a deeper value matches no body. To
/// compare, print or release a value takes a stack in proportion to its depth.
public enum StubJSON: Sendable, Hashable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array, in order.
  case array([StubJSON])
  /// An object. Its keys have no order.
  case object([String: StubJSON])

  /// Returns whether two values say the same.
  @_documentation(visibility: internal)
  public static func == (left: StubJSON, right: StubJSON) -> Bool { left.meets(right, exactly: true) }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

  /// Creates a number from a floating-point value. NaN and infinity, which JSON can't express, make one that equals
  /// none in a body.
  public init(_ value: some BinaryFloatingPoint) { self = .number(JSONNumber(value)) }

  /// Creates a string.
  public init(_ value: some StringProtocol) { self = .string(String(value)) }

  /// Creates `true` or `false`.
  public init(_ value: Bool) { self = .bool(value) }

  /// Returns the value of a key in an object, or `nil` if this is not an object or has no such key. If the value is
  /// `null`, the result is `StubJSON.null`.
  public subscript(key: String) -> StubJSON? {
    guard case .object(let members) = self else { return nil }
    return members.value(of: key)
  }

  /// Returns the element of an array, or `nil` if this is not an array or the index is out of range.
  public subscript(index: Int) -> StubJSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension Dictionary<String, StubJSON> {
  /// Returns the value of a key with the same Unicode scalars.
  package func value(of key: String) -> StubJSON? {
    guard let place = index(forKey: key), self[place].key.isSame(as: key) else { return nil }
    return self[place].value
  }
}

extension StubJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
  /// Creates `null` from the literal `nil`, as in `["name": nil]`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates `true` or `false` from a literal, as in `["done": true]`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a number from a literal, as in `["price": 9.5]`.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
}

extension StubJSON: ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation {
  /// Creates a number from a literal, as in `["id": 42]`. Write one above `Int64.max` as `StubJSON(UInt64(…))`.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

  /// Creates a string from a literal, as in `["name": "Ann"]`.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension StubJSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates an array from a literal, as in `["tags": ["a", nil]]`.
  public init(arrayLiteral elements: StubJSON...) { self = .array(elements) }

  /// Creates an object from a literal. If a key occurs twice, the object matches nothing and can't be encoded.
  public init(dictionaryLiteral members: (String, StubJSON)...) { self.init(members: members) }

  /// Creates an object, in which a key that occurs twice is a mistake.
  init(members: [(String, StubJSON)]) {
    var object: [String: StubJSON] = [:]
    object.reserveCapacity(members.count)
    for (key, value) in members where object.updateValue(value, forKey: key) != nil {
      object[key] = StubJSON(mistake: "This JSON object has the key \"\(key)\" twice. Remove one of them.")
    }
    self = .object(object)
  }
}

extension StubJSON {
  /// A Boolean value that indicates whether this is a string that contains an object or an array in JSON, which was
  /// most likely meant instead.
  var isTextOfJSON: Bool { if case .string(let text) = self { Self.isJSONAlready(text) } else { false } }

  /// Returns whether a value is text or bytes that are an object or an array in JSON already.
  static func isJSONAlready(_ value: Any) -> Bool {
    guard let bytes = value as? Data ?? (value as? String).map({ Data($0.utf8) }),
      let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first)
    else { return false }
    return (try? StubJSON(parsing: bytes)) != nil
  }

  /// Creates a value that JSON can't express, which carries why. It is a number, as NaN is, because a case of its own
  /// would be one that users have to handle.
  init(mistake: String) { self = .number(JSONNumber(.mistake(mistake))) }

  /// Why JSON can't express a value in here, or `nil` if it can.
  var mistake: String? {
    if case .number(let number) = self { return number.mistake }
    let values = if case .object(let members) = self { members.sorted { $0.key < $1.key }.map(\.value) } else { inner }
    // The first element of a lazy map would be computed twice, at every level.
    for value in values { if let mistake = value.mistake { return mistake } }
    return nil
  }

  // MARK: Comparing

  /// Returns whether a wanted value is met by an actual one, or `nil` to compare the two.
  package typealias Comparison = (_ wanted: StubJSON, _ actual: StubJSON) -> Bool?

  /// Returns whether this value contains everything in a wanted one: an object contains its keys, at every depth. An
  /// array must have the same number of elements, and each element must contain the wanted element. Everything else
  /// must be equal.
  ///
  /// - Parameters:
  ///   - exactly: Whether an object must not have other keys than the expected ones.
  ///   - isMet: Returns whether a wanted value is met by another one, or `nil` to compare the two.
  package func meets(_ wanted: StubJSON, exactly: Bool, isMet: StubJSON.Comparison? = nil) -> Bool {
    if let isMet, let result = isMet(wanted, self) { return result }
    switch (self, wanted) {
    case (.array(let elements), .array(let others)):
      return elements.count == others.count
        && zip(elements, others).allSatisfy { $0.meets($1, exactly: exactly, isMet: isMet) }
    case (.object(let members), .object(let others)):
      return (!exactly || members.count == others.count)
        && others.allSatisfy { members.value(of: $0)?.meets($1, exactly: exactly, isMet: isMet) ?? false }
    case (.string(let text), .string(let other)): return text.isSame(as: other)
    case (.number(let number), .number(let other)): return number == other
    case (.bool(let value), .bool(let other)): return value == other
    case (.null, .null): return true
    default: return false
    }
  }

  // MARK: Walking

  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// The elements of an array, or the values of an object's members.
  package var inner: [StubJSON] {
    switch self {
    case .array(let elements): elements
    case .object(let members): Array(members.values)
    case .null, .bool, .number, .string: []
    }
  }

  /// The number of values that contain no others.
  var leafCount: Int { max(1, inner.reduce(0) { $0 + $1.leafCount }) }
}

// MARK: Reading

/// The value as one of Swift's types.
///
/// ```swift
/// let name = try request.sent.json()["name"]?.stringValue
/// ```
extension StubJSON {
  /// The string, or `nil` if the value is no string.
  public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
  /// The number as an integer, or `nil` if the value is no number, or one that `Int` can't express exactly.
  public var intValue: Int? { if case .number(let number) = self { number.intValue } else { nil } }
  /// The number, rounded to the nearest `Double`, or `nil` if the value is no number.
  public var doubleValue: Double? { if case .number(let number) = self { number.doubleValue } else { nil } }
  /// `true` or `false`, or `nil` if the value is neither.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements of the array, or `nil` if the value is no array.
  public var arrayValue: [StubJSON]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members of the object, or `nil` if the value is no object.
  public var objectValue: [String: StubJSON]? { if case .object(let members) = self { members } else { nil } }
}

// MARK: Writing

extension StubJSON: CustomStringConvertible {
  /// The value as compact JSON with sorted keys. Equal values print the same.
  public var description: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value.description
    case .number(let number): return number.description
    case .string(let string): return string.quotedAsJSON
    case .array(let elements): return "[\(elements.map(\.description).joined(separator: ","))]"
    case .object(let members):
      let texts = members.sorted { $0.key < $1.key }.map { "\($0.key.quotedAsJSON):\($0.value)" }
      return "{\(texts.joined(separator: ","))}"
    }
  }

  /// The value as compact JSON in UTF-8: with sorted keys, unescaped slashes and exact integers.
  var data: Data { Data(description.utf8) }
}
