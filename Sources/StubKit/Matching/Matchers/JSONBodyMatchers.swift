import Foundation
import StubKitFormats

/// Matches requests whose body is JSON equal to a value.
///
/// ```swift
/// hasJSONBody(["user": ["id": 1, "tags": ["a", nil]], "ok": true])
/// ```
///
/// The order of keys and white space don't matter, and the order of an array does. Numbers compare by value, so `1`
/// equals `1.0`, and integers compare exactly up to 64 bits. `true` doesn't equal `1`. A byte order mark is skipped.
/// The `Content-Type` doesn't matter.
public func hasJSONBody(_ value: JSONValue) -> RequestMatcher {
  RequestMatcher("hasJSONBody(\(value.swiftLiteral))") { () throws(UsageMistake) in
    JSONCriterion(.whole, try checked(value, in: "hasJSONBody"))
  }
}

/// Matches requests whose body is JSON equal to an `Encodable` value of your own, such as `hasJSONBody(user)`.
///
/// A mistake if the value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(_ value: some Encodable) -> RequestMatcher {
  hasJSONBody(encoded(value, in: "hasJSONBody"))
}

/// Matches requests whose body is a JSON object with these fields, such as `hasJSONBody(["id": id, "name": name])`.
///
/// A mistake if a value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(_ fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(encoded(fields, in: "hasJSONBody"))
}

/// Matches requests whose body is JSON that contains a value.
///
/// ```swift
/// // Matches {"user": {"id": 1, "name": "Ann"}, "page": 2}.
/// hasJSONBody(containing: ["user": ["id": 1]])
/// ```
///
/// Objects can have additional keys at every depth. An array must have the same number of elements, and each element
/// must contain the expected one. Everything else must be equal.
public func hasJSONBody(containing part: JSONValue) -> RequestMatcher {
  RequestMatcher("hasJSONBody(containing: \(part.swiftLiteral))") { () throws(UsageMistake) in
    JSONCriterion(.part, try checked(part, in: "hasJSONBody(containing:)"))
  }
}

/// Matches requests whose body is JSON that contains an `Encodable` value of your own.
///
/// A mistake if the value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(containing part: some Encodable) -> RequestMatcher {
  hasJSONBody(containing: encoded(part, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is a JSON object that contains these fields, such as
/// `hasJSONBody(containing: ["id": id])`.
///
/// A mistake if a value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(containing fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(containing: encoded(fields, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is JSON with a value at a place.
///
/// ```swift
/// hasJSON(at: "users[0].name", equals: "Ann")
/// // The same place, and as a JSON Pointer (RFC 6901).
/// hasJSON(at: "users.0.name", equals: "Ann")
/// hasJSON(at: "/users/0/name", equals: "Ann")
/// // Matches null. A missing key doesn't match.
/// hasJSON(at: "next", equals: nil)
/// ```
///
/// - Parameters:
///   - path: The place: keys and indices as in `users[0].name`, or a JSON Pointer if it begins with `/`. Write a key
///     that contains a dot as `["a.b"]`. The empty path is the whole body. A mistake if it is neither.
///   - value: The expected value, compared as in `hasJSONBody`.
public func hasJSON(at path: String, equals value: JSONValue) -> RequestMatcher {
  RequestMatcher("hasJSON(at: \(path.debugDescription), equals: \(value.swiftLiteral))") { () throws(UsageMistake) in
    JSONCriterion(.at(try JSONPath(parsing: path)), try checked(value, in: "hasJSON(at:equals:)"))
  }
}

/// Matches requests whose body is JSON with an `Encodable` value of your own at a place, such as
/// `hasJSON(at: "id", equals: id)`.
///
/// A mistake if the value can't be encoded.
@_disfavoredOverload
public func hasJSON(at path: String, equals value: some Encodable) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(value, in: "hasJSON(at:equals:)"))
}

/// Matches requests whose body is JSON with an object of these fields at a place.
///
/// A mistake if a value can't be encoded.
@_disfavoredOverload
public func hasJSON(at path: String, equals fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(fields, in: "hasJSON(at:equals:)"))
}

private func checked(_ value: JSONValue, in function: String) throws(UsageMistake) -> JSONValue {
  try require(
    !value.isTooDeep,
    "\(function) matches nothing: its value nests arrays and objects more than \(JSONValue.deepest) levels deep, and "
      + "StubKit parses no body that deep. Compare a part of it with hasJSON(at:equals:), or the bytes with hasBody.")
  if let mistake = value.mistake { throw UsageMistake(mistake) }
  return value
}

/// Returns the JSON of a value, or one that carries why it can't be encoded.
private func encoded(_ value: some Encodable, in function: String) -> JSONValue {
  do {
    return try JSONValue(encoding: value)
  } catch {
    return JSONValue(
      mistake: "\(function) can't encode its value: \(error). Write a JSON literal, or a value that can be encoded.")
  }
}

private func encoded(_ fields: KeyValuePairs<String, any Encodable>, in function: String) -> JSONValue {
  JSONValue(
    members: fields.map { key, value in
      func json(_ value: some Encodable) -> JSONValue { encoded(value, in: function) }
      return (key, json(value))
    })
}
