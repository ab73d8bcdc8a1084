import Foundation
import StubKitFormats

/// The parts of a recorded request under short names.
extension RecordedRequest {
  /// The URL of the request.
  public var url: URL? { request.url }

  /// The method of the request. Defaults to `GET`.
  public var method: String { request.httpMethod ?? "GET" }

  /// The header fields, including those that the session adds.
  public var headers: [String: String] { request.allHTTPHeaderFields ?? [:] }

  /// The query items of the URL in their order, percent-decoded. Empty if the URL has no query.
  ///
  /// ```swift
  /// #expect(search.lastRequest?.query.map(\.name) == ["q", "page"])
  /// ```
  public var query: [URLQueryItem] { request.stubQueryItems }

  /// The fields of a form body in their order, decoded as in `hasFormBody`. Empty if there is no body.
  ///
  /// ```swift
  /// let user = login.lastRequest?.form.first { $0.name == "user" }
  /// #expect(user?.value == "ann")
  /// ```
  public var form: [URLQueryItem] { request.stubForm ?? [] }

  /// Returns the value of a header field, or `nil` if the request has none. Names compare without case (RFC 9110, section
  /// 5.1).
  ///
  /// ```swift
  /// #expect(login.lastRequest?.header("Accept") == "application/json")
  /// ```
  public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

  /// The body as text, or `nil` if there is none or it isn't UTF-8.
  public var text: String? { body.flatMap { String(bytes: $0, encoding: .utf8) } }

  /// Returns the body as JSON.
  ///
  /// ```swift
  /// let sent = try #require(login.lastRequest).json()
  /// #expect(sent["user"] == "ann")
  /// ```
  ///
  /// - Throws: ``RecordedBodyMissingError`` if the journal has no body, and ``JSONSyntaxError`` if it isn't JSON.
  public func json() throws -> JSONValue { try JSONValue(parsing: recordedBody) }

  /// Returns the body as a value of a type.
  ///
  /// ```swift
  /// let user = try #require(signUp.lastRequest).decode(User.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder. Defaults to one with default strategies.
  /// - Throws: ``RecordedBodyMissingError`` if the journal has no body, and otherwise the error of the decoder.
  public func decode<Value: Decodable>(_ type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
    try decoder.decode(type, from: recordedBody)
  }

  private var recordedBody: Data {
    get throws {
      guard let body else { throw RecordedBodyMissingError(request: request, length: largeBodyLength) }
      return body
    }
  }
}

/// An error that says that the journal has no body to read.
public struct RecordedBodyMissingError: StubKitError {
  /// The request.
  public let request: URLRequest
  /// The length in bytes of a body that the journal doesn't keep, or `nil` if there is none.
  public let length: Int?

  /// What is missing, and how to keep it.
  public var description: String {
    guard let length else { return "\(request.summary) has no body in the journal." }
    return
      "The journal keeps only the length of the body of \(request.summary), \(length) bytes. Set "
      + "StubRegistry.current.journal.keepsLargeBodies = true before the request."
  }
}
