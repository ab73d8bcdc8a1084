import Foundation

// What is easily mistaken for JSON, and does not compile.
//
// The forms for text and bytes never throw: they are marked `throws` because a call without `try` is the one kind of error for which
// the compiler does not go on to another overload. They are generic, since a concrete one takes literals from JSONValue in long
// expressions. An unavailable form loses to every other one that fits, so it says what is wrong with a call that fits nowhere else, and
// keeps no other from compiling.

extension StubResponse {
  /// Not for JSON that is text or bytes already, which would be encoded a second time.
  ///
  /// ```swift
  /// .json(text: text)                                            // the JSON in the text
  /// .data(bytes, headers: ["Content-Type": "application/json"])  // the JSON in the bytes
  /// .json(JSONValue(text))                                       // a JSON string
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
      "in a nested or mixed literal write JSONValue(value) for every value of your own; for a [String: Any] write StubResponse(jsonObject: object, statusCode: 200, headers: nil)"
  )
  public static func json(
    _ value: [String: Any], status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    fatalError()
  }

  /// Not for an array of values of any type.
  @available(
    *, unavailable,
    message: "in a nested or mixed literal write JSONValue(value) for every value of your own"
  )
  public static func json(
    _ value: [Any], status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    fatalError()
  }

  /// Not for a value that does not encode.
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
