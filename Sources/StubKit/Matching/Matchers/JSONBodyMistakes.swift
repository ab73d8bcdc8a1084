import Foundation
import StubKitFormats

// Calls that mistake something else for JSON in a condition. They don't compile: `JSONMistakes.swift` explains how.

/// Not for JSON that is text or bytes already. It would be compared as a JSON string.
///
/// ```swift
/// // The JSON in the bytes.
/// hasJSONBody(try JSONValue(parsing: bytes))
/// // A JSON string.
/// hasJSONBody(JSONValue(text))
/// ```
@_disfavoredOverload
@available(
  *, deprecated,
  message:
    "this looks for a JSON string; write hasJSONBody(try JSONValue(parsing: bytes)), or hasJSONBody(JSONValue(text)) for a JSON string"
)
public func hasJSONBody(_ value: some JSONTextOrBytes) throws -> RequestMatcher { comparedAsString("hasJSONBody(…)") }

/// Not for JSON that is text or bytes already. It would be compared as a JSON string.
///
/// ```swift
/// // The JSON in the bytes.
/// hasJSONBody(containing: try JSONValue(parsing: bytes))
/// // A JSON string.
/// hasJSONBody(containing: JSONValue(text))
/// ```
@_disfavoredOverload
@available(
  *, deprecated,
  message:
    "this looks for a JSON string; write hasJSONBody(containing: try JSONValue(parsing: bytes)), or hasJSONBody(containing: JSONValue(text)) for a JSON string"
)
public func hasJSONBody(containing value: some JSONTextOrBytes) throws -> RequestMatcher {
  comparedAsString("hasJSONBody(containing: …)")
}

private func comparedAsString(_ call: String) -> RequestMatcher {
  RequestMatcher(
    mistake:
      "\(call) received text or bytes, which it would compare as a JSON string. Pass the JSON that they contain, with "
      + "try JSONValue(parsing: bytes). For a JSON string, pass JSONValue(text).",
    in: call)
}

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message:
    "in a nested or mixed literal, write JSONValue(value) for each of your own values; for a [String: Any], write hasJsonBody(object)"
)
public func hasJSONBody(_ value: [String: Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
)
public func hasJSONBody(_ value: [Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message:
    "only an Encodable value can be compared as JSON; make its type Encodable, or write a literal with JSONValue(value) for its values"
)
public func hasJSONBody(_ value: Any) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
)
public func hasJSONBody(containing value: [String: Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
)
public func hasJSONBody(containing value: [Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message:
    "only an Encodable value can be compared as JSON; make its type Encodable, or write a literal with JSONValue(value) for its values"
)
public func hasJSONBody(containing value: Any) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
)
public func hasJSON(at path: String, equals value: [String: Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
)
public func hasJSON(at path: String, equals value: [Any]) -> RequestMatcher { fatalError() }

/// Not for values that can't be encoded.
@available(
  *, unavailable,
  message:
    "only an Encodable value can be compared as JSON; make its type Encodable, or write a literal with JSONValue(value) for its values"
)
public func hasJSON(at path: String, equals value: Any) -> RequestMatcher { fatalError() }
