import Foundation

/// A request as it was sent: in a closure as ``FoundationNetworking/URLRequest/sent``, and in the journal as a
/// ``RecordedRequest``.
///
/// ```swift
/// let users = stub(.post, "https://api.example.com/users") { request in
///   guard let name = try request.sent.json()["name"]?.stringValue else {
///     return .status(422)
///   }
///   return .json(["id": 42, "name": name], status: 201)
/// }
/// …
/// #expect(try users.lastRequest?.json()["name"] == "Ann")
/// ```
public protocol SentRequest: Sendable {
  /// The request.
  var request: URLRequest { get }
  /// The body, wherever URLSession received it, or `nil` if there is none.
  var body: Data? { get }
}

extension SentRequest {
  /// The URL of the request.
  public var url: URL { request.url ?? URL(fileURLWithPath: "/") }

  /// The method of the request. Defaults to `GET`.
  public var method: String { request.httpMethod ?? "GET" }

  /// The values of the header fields by name, including those that the session adds.
  ///
  /// It is a dictionary, so that it compares with one and can be passed on as one. Its names therefore compare with
  /// case, as the client has written them. ``header(_:)`` and ``headerFields`` compare them without.
  public var headers: [String: String] { request.allHTTPHeaderFields ?? [:] }

  /// The header fields, with names that compare without case, including those that the session adds.
  ///
  /// ```swift
  /// #expect(login.lastRequest?.headerFields["accept"] == "text/plain")
  /// ```
  ///
  /// `URLRequest` keeps them in a dictionary: it joins the values of a repeated field with commas, and has no order. So
  /// each name is here once, and they are sorted by name.
  public var headerFields: StubHeaders { StubHeaders(request.allHTTPHeaderFields ?? [:]) }

  /// Returns the value of a header field, or `nil` if the request has none. Names compare without case (RFC 9110,
  /// section 5.1).
  ///
  /// ```swift
  /// #expect(login.lastRequest?.header("Accept") == "application/json")
  /// ```
  public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

  /// The values of the URL's query by name, percent-decoded. If a name is repeated, the first value. An item without
  /// `=` has an empty value.
  ///
  /// ```swift
  /// #expect(search.lastRequest?.query == ["q": "alien", "page": "2"])
  /// ```
  public var query: [String: String] { queryItems.firstValues }

  /// The query items of the URL in their order, as matchers see them. Empty if the URL has no query.
  ///
  /// ```swift
  /// #expect(search.lastRequest?.queryItems.map(\.name) == ["q", "page"])
  /// ```
  ///
  /// Names and values are percent-decoded, and a `+` is a plus sign (RFC 3986). An item without `=` has no value, and
  /// one that ends with `=` has an empty one.
  public var queryItems: [URLQueryItem] {
    var facts = RequestFacts(request)
    return facts.queryItems.urlQueryItems
  }

  /// The values of a form body by name. If a name is repeated, the first value. A field without `=` has an empty value.
  /// Empty if there is no body, or if it isn't UTF-8.
  ///
  /// ```swift
  /// #expect(login.lastRequest?.form["user"] == "ann")
  /// ```
  public var form: [String: String] { formItems?.firstValues ?? [:] }

  /// The fields of a form body in their order, as matchers see them, or `nil` if there is no ``body``, or if it isn't
  /// UTF-8.
  ///
  /// The `Content-Type` doesn't matter. Names and values are percent-decoded, and a `+` is a space, as the WHATWG URL
  /// standard specifies for `application/x-www-form-urlencoded`. A field without `=` has no value.
  public var formItems: [URLQueryItem]? {
    var facts = RequestFacts(request)
    return facts.bodyData == nil ? nil : facts.form?.urlQueryItems
  }

  /// The body as text, or `nil` if there is none or it isn't UTF-8.
  public var text: String? { body.flatMap { String(bytes: $0, encoding: .utf8) } }

  /// Returns the body as JSON, as matchers see it, whatever the `Content-Type`. A byte order mark is skipped.
  ///
  /// ```swift
  /// let sent = try #require(login.lastRequest).json()
  /// #expect(sent["user"] == "ann")
  /// ```
  ///
  /// A closure that throws the error fails the request with its text.
  ///
  /// - Throws: A ``StubKitError`` if there is no body, if the journal doesn't have it, or if it isn't JSON.
  public func json() throws -> StubJSON { try StubJSON(parsing: sentBody) }

  /// Returns the body as a value of a type.
  ///
  /// ```swift
  /// let user = try #require(signUp.lastRequest).decode(User.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder. Defaults to one with default strategies.
  /// - Throws: A ``StubKitError`` if there is no body, and otherwise the error of the decoder.
  public func decode<Value: Decodable>(_ type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
    try decoder.decode(type, from: sentBody)
  }

  /// Returns the parts of a multipart body (RFC 2046, section 5.1), such as a form with files.
  ///
  /// ```swift
  /// let parts = try #require(upload.lastRequest).multipart()
  /// #expect(parts.first { $0.name == "photo" }?.data == photo)
  /// ```
  ///
  /// - Throws: A ``StubKitError`` if there is no body, if the `Content-Type` has no boundary, if no line `--boundary--`
  ///   ends the body, or if its lines end with LF in place of CR and LF.
  public func multipart() throws -> [MultipartPart] {
    let body = try sentBody
    let type = header("Content-Type")
    guard let boundary = type.flatMap(MultipartBody.boundary(ofContentType:)) else {
      let problem = type.map { "its Content-Type is \($0), without a boundary" } ?? "it has no Content-Type"
      throw NotMultipartError(description: "\(request.summary) has no multipart body: \(problem).")
    }
    let multipart = MultipartBody(parsing: body, boundary: boundary)
    if let problem = multipart.isClosed ? multipart.problem : "no line --\(boundary)-- ends its body" {
      throw NotMultipartError(description: "\(request.summary) has no multipart body that is whole: \(problem).")
    }
    return multipart.parts.map {
      MultipartPart(name: $0.name, filename: $0.filename, contentType: $0.contentType, data: Data($0.body))
    }
  }

  private var sentBody: Data {
    get throws {
      guard let body else {
        throw RecordedBodyMissingError(request: request, missing: (self as? RecordedRequest)?.missingBody)
      }
      return body
    }
  }
}

/// A request in a closure.
struct RequestInClosure: SentRequest {
  let request: URLRequest
  var body: Data? { request.stubBody }
}

extension [URLQueryItem] {
  /// The first value of each name.
  fileprivate var firstValues: [String: String] { Dictionary(map { ($0.name, $0.value ?? "") }) { first, _ in first } }
}

/// An error that says why a body can't be read in parts.
private struct NotMultipartError: StubKitError {
  let description: String
}

/// A part of a multipart body, as ``SentRequest/multipart()`` returns it.
public struct MultipartPart: Sendable, Hashable {
  /// The name in the part's Content-Disposition, or `nil` if it has none.
  public let name: String?
  /// The name of the file in the part's Content-Disposition, or `nil` if it has none.
  public let filename: String?
  /// The content type of the part. A part without one counts as `text/plain`.
  public let contentType: String
  /// The content of the part.
  public let data: Data
  /// The content as text, or `nil` if it isn't UTF-8.
  public var text: String? { String(validUTF8: data) }
}
