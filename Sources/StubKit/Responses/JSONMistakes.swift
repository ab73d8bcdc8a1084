import Foundation

// Calls that mistake something else for JSON. They don't compile.
//
// The forms for text and bytes never throw. They are marked `throws` because a missing `try` is the only kind of
// error after which the compiler doesn't try another overload. They are generic, because a concrete form would take
// literals from JSONValue in long expressions. An unavailable form loses to every other form that fits. It therefore
// explains a call that fits nowhere else, and keeps no other call from compiling.

extension StubResponse {
  /// Not for JSON that is text or bytes already. It would be encoded a second time.
  ///
  /// ```swift
  /// // The JSON in the text.
  /// .json(text: text)
  /// // The JSON in the bytes.
  /// .data(bytes, headers: ["Content-Type": "application/json"])
  /// // A JSON string.
  /// .json(JSONValue(text))
  /// ```
  @_disfavoredOverload
  @available(
    *, deprecated,
    message:
      "this encodes JSON a second time; write .json(text: text), or .data(bytes, headers: [\"Content-Type\": \"application/json\"]), or .json(JSONValue(text)) for a JSON string"
  )
  public static func json(
    _ value: some JSONTextOrBytes, status: Int = 200, headers: [String: String] = [:]
  ) throws -> StubResponse {
    encodedTwice(value)
  }

  /// Not for JSON that is text or bytes already. See ``json(_:status:headers:)-(JSONTextOrBytes,_,_)``.
  @available(
    *, deprecated,
    message:
      "this encodes JSON a second time; write .json(text: text), or .data(bytes, headers: [\"Content-Type\": \"application/json\"]), or .json(JSONValue(text)) for a JSON string"
  )
  public static func json(
    _ value: some JSONTextOrBytes, encoder: JSONEncoder, status: Int = 200, headers: [String: String] = [:]
  ) throws -> StubResponse {
    encodedTwice(value)
  }

  private static func encodedTwice(_ value: some Encodable) -> StubResponse {
    json(status: 200, headers: [:], body: .empty, problem: .jsonEncodedTwice("\(type(of: value))"))
  }

  /// Not for an object of values of any type.
  @available(
    *, unavailable,
    message:
      "in a nested or mixed literal, write JSONValue(value) for each of your own values; for a [String: Any], import StubKitOHHTTPStubs and write StubResponse(jsonObject: object, statusCode: 200, headers: nil)"
  )
  public static func json(
    _ value: [String: Any], status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    fatalError()
  }

  /// Not for an array of values of any type.
  @available(
    *, unavailable,
    message: "in a nested or mixed literal, write JSONValue(value) for each of your own values"
  )
  public static func json(
    _ value: [Any], status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    fatalError()
  }

  /// Not for a value that can't be encoded.
  @available(
    *, unavailable,
    message:
      "only an Encodable value can be sent as JSON; make its type Encodable, or write a literal with JSONValue(value) for its values"
  )
  public static func json(
    _ value: Any, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    fatalError()
  }
}
