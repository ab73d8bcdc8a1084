import Foundation

/// Matches requests whose body is JSON that says the same as this value.
///
/// ```swift
/// hasJSONBody(["user": ["id": 1, "tags": ["a", nil]], "ok": true])
/// ```
///
/// Key order and white space do not matter, array order does; numbers compare by value (`1` is `1.0`), integers exactly
/// to 64 bits; `true` is not `1`. A byte order mark is skipped. The Content-Type is not looked at.
public func hasJSONBody(_ value: JSONValue) -> RequestMatcher {
  RequestMatcher(.json(checked(value, in: "hasJSONBody")))
}

/// Matches requests whose body is JSON that says the same as this value of your own: `hasJSONBody(user)`.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSONBody(_ value: some Encodable) -> RequestMatcher {
  hasJSONBody(encoded(value, in: "hasJSONBody"))
}

/// Matches requests whose body is a JSON object with these fields: `hasJSONBody(["id": id, "name": name])`.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSONBody(_ fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(encoded(fields, in: "hasJSONBody"))
}

/// Matches requests whose body is JSON that has everything this value has.
///
/// ```swift
/// hasJSONBody(containing: ["user": ["id": 1]])  // {"user": {"id": 1, "name": "Ann"}, "page": 2}
/// ```
///
/// Objects may have further keys, at every depth. Arrays have as many elements as here, each containing the one here.
/// Everything else is equal.
public func hasJSONBody(containing part: JSONValue) -> RequestMatcher {
  RequestMatcher(.jsonContaining(checked(part, in: "hasJSONBody(containing:)")))
}

/// Matches requests whose body is JSON that has everything this value of your own has, when encoded.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSONBody(containing part: some Encodable) -> RequestMatcher {
  hasJSONBody(containing: encoded(part, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is a JSON object that contains these fields: `hasJSONBody(containing: ["id": id])`.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSONBody(containing fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(containing: encoded(fields, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is JSON with this value at this place.
///
/// ```swift
/// hasJSON(at: "users[0].name", equals: "Ann")
/// hasJSON(at: "/users/0/name", equals: "Ann")  // the same as a JSON Pointer (RFC 6901)
/// hasJSON(at: "next", equals: nil)             // null; a missing key does not match
/// ```
///
/// - Parameters:
///   - path: Keys with dots and indices in brackets, a key with dots in it as `["a.b"]`; or, beginning with /, a JSON
///     Pointer. The empty path is the whole body. One that is neither traps.
///   - value: What stands there, compared as `hasJSONBody` does.
public func hasJSON(at path: String, equals value: JSONValue) -> RequestMatcher {
  RequestMatcher(.jsonAt(JSONPath(path), checked(value, in: "hasJSON(at:equals:)")))
}

/// Matches requests whose body is JSON with this value of your own at this place: `hasJSON(at: "id", equals: id)`.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSON(at path: String, equals value: some Encodable) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(value, in: "hasJSON(at:equals:)"))
}

/// Matches requests whose body is JSON with an object of these fields at this place.
///
/// A value that fails to encode traps.
@_disfavoredOverload
public func hasJSON(at path: String, equals fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(fields, in: "hasJSON(at:equals:)"))
}

private func checked(_ value: JSONValue, in function: String) -> JSONValue {
  require(
    !value.isTooDeep,
    "\(function) matches nothing: its value has arrays and objects nested more than \(JSONValue.deepest) deep, and no "
      + "body is parsed that deep. Compare a part of it with hasJSON(at:equals:), or the bytes with hasBody.")
  return value
}

private func encoded(_ value: some Encodable, in function: String) -> JSONValue {
  do {
    return try JSONValue(encoding: value)
  } catch {
    mistake("\(function) cannot encode its value: \(error). Write a JSON literal, or a value that encodes.")
  }
}

private func encoded(_ fields: KeyValuePairs<String, any Encodable>, in function: String) -> JSONValue {
  var object: [String: JSONValue] = [:]
  for (key, value) in fields {
    require(
      object.updateValue(encoded(value, in: function), forKey: key) == nil,
      "\(function) has the key \"\(key)\" twice: leave one of them out.")
  }
  return .object(object)
}
