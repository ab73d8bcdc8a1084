import Foundation

extension StubResponse {
  /// Returns a response with a JSON value. The `Content-Type` defaults to `application/json`.
  ///
  /// ```swift
  /// .json(["id": 42, "tags": ["a", nil], "user": ["id": StubJSON(id)]])
  /// ```
  ///
  /// The JSON is compact, with sorted keys. A text that contains an object or an array in JSON is a mistake, because it
  /// would arrive as a JSON string: write ``json(text:status:headers:)``. For such a string, write
  /// `.json(text: "\(StubJSON(text))")`.
  ///
  /// - Parameters:
  ///   - value: The JSON.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  public static func json(_ value: StubJSON, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    json(
      status: status, headers: headers, body: .data(value.data),
      problem: value.mistake.map { .unencodableValue("StubJSON", $0) }
        ?? (value.isTextOfJSON ? .jsonEncodedTwice("String") : nil))
  }

  /// Returns a response with an `Encodable` value of your own as JSON. The `Content-Type` defaults to
  /// `application/json`.
  ///
  /// ```swift
  /// .json(User(id: 42, name: "Ann"), status: 201)
  /// ```
  ///
  /// StubKit encodes the value immediately, so it doesn't have to be `Sendable`. It uses a `JSONEncoder` with default
  /// strategies and sorted keys. If the value can't be encoded, the request fails with a ``StubResponseError``. So does
  /// a text or a `Data` that is an object or an array in JSON already, because it would be encoded a second time: write
  /// ``json(text:status:headers:)``, or `.data(bytes, headers: ["Content-Type": "application/json"])`.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  @_disfavoredOverload
  public static func json(_ value: some Encodable, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return json(value, encoder: encoder, status: status, headers: headers)
  }

  /// Returns a response with an `Encodable` value of your own as JSON, encoded by an encoder of your own.
  ///
  /// ```swift
  /// let encoder = JSONEncoder()
  /// encoder.keyEncodingStrategy = .convertToSnakeCase
  /// encoder.dateEncodingStrategy = .iso8601
  /// stub(
  ///   .get, "https://api.example.com/users/42",
  ///   response: .json(User(id: 42, createdAt: .now), encoder: encoder))
  /// ```
  ///
  /// Use an encoder whose strategies match the server. StubKit encodes the value immediately, so later changes to the
  /// encoder have no effect. If the value can't be encoded, the request fails with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - value: The value. It doesn't have to be `Sendable`.
  ///   - encoder: The encoder, with its own date, key and formatting strategies.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them replaces `application/json`.
  public static func json(
    _ value: some Encodable, encoder: JSONEncoder, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    do {
      return json(
        status: status, headers: headers, body: .data(try encoder.encode(value)),
        problem: StubJSON.isJSONAlready(value) ? .jsonEncodedTwice("\(type(of: value))") : nil)
    } catch {
      let type = value is Fields ? "KeyValuePairs<String, any Encodable>" : "\(type(of: value))"
      return json(status: status, headers: headers, body: .empty, problem: .unencodableValue(type, text(of: error)))
    }
  }

  private static func text(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "at \(path): \(context.debugDescription)"
  }

  /// Returns a response with a JSON object of your own values. The `Content-Type` defaults to `application/json`.
  ///
  /// ```swift
  /// .json(["id": id, "user": user, "next": nextPage])
  /// ```
  ///
  /// StubKit encodes them immediately, like ``json(_:status:headers:)-(Encodable,_,_)``. The values of a nested
  /// literal must have one type. In a mixed literal, write `StubJSON(id)` for a value of your own. If a key
  /// occurs twice, the request fails with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - fields: The members of the object, with values of any `Encodable` type.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  @_disfavoredOverload
  public static func json(
    _ fields: KeyValuePairs<String, any Encodable>, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    json(Fields(fields), status: status, headers: headers)
  }

  /// Returns a response with a JSON object of objects that contain your own values. The `Content-Type` defaults to
  /// `application/json`.
  ///
  /// ```swift
  /// .json(["user": ["id": id, "name": name]])
  /// ```
  ///
  /// If objects and other values are side by side, write `StubJSON(id)` for your own values.
  ///
  /// - Parameters:
  ///   - objects: The members of the object, which are objects of `Encodable` values.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  @_disfavoredOverload
  public static func json(
    _ objects: KeyValuePairs<String, KeyValuePairs<String, any Encodable>>, status: Int = 200,
    headers: [String: String] = [:]
  ) -> StubResponse {
    json(Fields(objects.map { (key: $0.key, value: Fields($0.value)) }), status: status, headers: headers)
  }

  /// Returns a response with a JSON array of objects that contain your own values. The `Content-Type` defaults to
  /// `application/json`.
  ///
  /// ```swift
  /// .json([["id": id, "name": name], ["id": 43, "name": "Bob"]])
  /// ```
  ///
  /// - Parameters:
  ///   - objects: The elements of the array, which are objects of `Encodable` values.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  @_disfavoredOverload
  public static func json(
    _ objects: [KeyValuePairs<String, any Encodable>], status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    json(objects.map { Fields($0) }, status: status, headers: headers)
  }

  /// Returns a response with JSON that is text already. The `Content-Type` defaults to `application/json`.
  ///
  /// ```swift
  /// .json(text: #"{"id": 42, "name": "Ann"}"#)
  /// // Cut off, to test how the client handles it.
  /// .json(text: #"{"id": 42, "na"#)
  /// ```
  ///
  /// StubKit sends the text in UTF-8, byte for byte. It doesn't check that the text is JSON.
  ///
  /// - Parameters:
  ///   - text: The JSON, or what stands in its place.
  ///   - status: The status, from 200 to 999. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence. Defaults to none.
  public static func json(text: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    json(status: status, headers: headers, body: .data(Data(text.utf8)))
  }

  static func json(
    status: Int, headers: [String: String], body: ResponseBody, problem: StubResponseError.Reason? = nil
  ) -> StubResponse {
    StubResponse(
      status: status, headers: StubHeaders(headers), contentType: ContentType.json, body: body, problem: problem)
  }
}

/// The members of an object, whose values can differ in type.
private struct Fields: Encodable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let fields: [(key: String, value: any Encodable)]

  init(_ fields: some Sequence<(key: String, value: any Encodable)>) { self.fields = Array(fields) }

  func encode(to encoder: any Encoder) throws {
    let keys = fields.map(\.key)
    if let twice = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
      throw EncodingError.invalidValue(
        twice,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "This JSON object has the key \"\(twice)\" twice. Remove one of them."))
    }
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in fields { try container.encode(value, forKey: Key(stringValue: key)) }
  }
}

// An unavailable form loses to every other form that fits. It therefore explains a call that
// fits nowhere else, and keeps no other call from compiling.

extension StubResponse {
  /// Not for an object of values of any type.
  @available(
    *, unavailable,
    message:
      "in a nested or mixed literal, write StubJSON(value) for each of your own values; for a [String: Any], import StubKitOHHTTPStubs and write StubResponse(jsonObject: object, statusCode: 200, headers: nil)"
  )
  public static func json(_ value: [String: Any], status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    fatalError()
  }
}
