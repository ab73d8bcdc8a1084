import Foundation

extension StubResponse {
  /// A JSON value, written as a literal or built, as `application/json` unless the headers say otherwise.
  ///
  /// ```swift
  /// .json(["id": 42, "tags": ["a", nil], "user": ["id": JSONValue(id)]])
  /// ```
  ///
  /// It goes out compact, with its keys sorted.
  public static func json(_ value: JSONValue, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    json(status: status, headers: headers, body: .data(value.data))
  }

  /// A value of the test's own as JSON, as `application/json` unless the headers say otherwise.
  ///
  /// ```swift
  /// .json(User(id: 42, name: "Ann"), status: 201)
  /// ```
  ///
  /// It is encoded at once, by `JSONEncoder` with its default strategies and its keys sorted, so it need not be `Sendable`.
  /// If it does not encode, the request fails with a ``StubResponseError``.
  @_disfavoredOverload
  public static func json(
    _ value: some Encodable, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    json(value, encoder: .plain, status: status, headers: headers)
  }

  /// A value of the test's own as JSON, encoded by an encoder of the test's own.
  ///
  /// ```swift
  /// let encoder = JSONEncoder()
  /// encoder.keyEncodingStrategy = .convertToSnakeCase
  /// encoder.dateEncodingStrategy = .iso8601
  /// stub(condition: isPath("/users/42"), response: .json(User(id: 42, createdAt: .now), encoder: encoder))
  /// ```
  ///
  /// Use the encoder whose strategies match what the server sends. The value is encoded at once, so later changes to the encoder
  /// change nothing. If the value does not encode, the request fails with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - value: The value. It need not be `Sendable`.
  ///   - encoder: Encodes the value, with its own date, key and formatting strategies.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` here replaces `application/json`.
  public static func json(
    _ value: some Encodable, encoder: JSONEncoder, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    do {
      return json(status: status, headers: headers, body: .data(try encoder.encode(value)))
    } catch {
      let type = value is Fields ? "KeyValuePairs<String, any Encodable>" : "\(type(of: value))"
      return json(
        status: status, headers: headers, body: .empty, problem: .unencodableValue(type, text(of: error)))
    }
  }

  /// A JSON object of values of the test's own, as `application/json` unless the headers say otherwise.
  ///
  /// ```swift
  /// .json(["id": id, "user": user, "next": nextPage])
  /// ```
  ///
  /// They are encoded at once, as by ``json(_:status:headers:)-(Encodable,_,_)``. Literals nested in the object are of one
  /// type each; write `JSONValue(id)` for a value of the test's own in a mixed one. A key written twice traps.
  @_disfavoredOverload
  public static func json(
    _ fields: KeyValuePairs<String, any Encodable>, status: Int = 200, headers: [String: String] = [:]
  ) -> StubResponse {
    json(Fields(fields), status: status, headers: headers)
  }

  /// A JSON object of objects whose values are the test's own, as `application/json` unless the headers say otherwise.
  ///
  /// ```swift
  /// .json(["user": ["id": id, "name": name]])
  /// ```
  ///
  /// Where objects and other values stand side by side, write `JSONValue(id)` for the values of the test's own. A key written twice
  /// traps.
  @_disfavoredOverload
  public static func json(
    _ objects: KeyValuePairs<String, KeyValuePairs<String, any Encodable>>, status: Int = 200,
    headers: [String: String] = [:]
  ) -> StubResponse {
    json(Fields(objects), status: status, headers: headers)
  }

  /// A JSON object of values of the test's own, encoded by an encoder of the test's own.
  ///
  /// ```swift
  /// .json(["id": id, "createdAt": date], encoder: encoder)
  /// ```
  ///
  /// A key written twice traps.
  @_disfavoredOverload
  public static func json(
    _ fields: KeyValuePairs<String, any Encodable>, encoder: JSONEncoder, status: Int = 200,
    headers: [String: String] = [:]
  ) -> StubResponse {
    json(Fields(fields), encoder: encoder, status: status, headers: headers)
  }

  /// JSON that is text already, as `application/json` unless the headers say otherwise.
  ///
  /// ```swift
  /// .json(text: #"{"id": 42, "name": "Ann"}"#)
  /// .json(text: #"{"id": 42, "na"#)  // cut off, to test how the client takes it
  /// ```
  ///
  /// The text goes out in UTF-8, byte for byte as it is. StubKit does not check that it is JSON.
  public static func json(text: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    json(status: status, headers: headers, body: .data(Data(text.utf8)))
  }

  static func json(
    status: Int, headers: [String: String], body: ResponseBody, problem: StubResponseError.Reason? = nil
  ) -> StubResponse {
    StubResponse(
      status: status, headers: ResponseHeaders(headers), contentType: ContentType.json, body: body, problem: problem)
  }

  private static func text(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "at \(path): \(context.debugDescription)"
  }
}

extension JSONEncoder {
  /// With its default strategies, and its keys sorted.
  fileprivate static var plain: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

/// The members of an object, whose values differ in type.
private struct Fields: Encodable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let fields: [(key: String, value: any Encodable)]

  init(_ fields: KeyValuePairs<String, any Encodable>) { self.init(Array(fields)) }

  init(_ objects: KeyValuePairs<String, KeyValuePairs<String, any Encodable>>) {
    self.init(objects.map { (key: $0.key, value: Fields($0.value)) })
  }

  private init(_ fields: [(key: String, value: any Encodable)]) {
    var keys: Set<String> = []
    for (key, _) in fields {
      require(keys.insert(key).inserted, "This JSON object has the key \"\(key)\" twice: leave one of them out.")
    }
    self.fields = fields
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in fields { try container.encode(value, forKey: Key(stringValue: key)) }
  }
}
