import Foundation
import StubKitFormats

extension StubResponse {
  /// Returns a response with bytes as its body, and without a `Content-Type`.
  ///
  /// ```swift
  /// .data(png, headers: ["Content-Type": "image/png"])
  /// ```
  public static func data(_ data: Data, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .data(data))
  }

  /// Returns a response with a text in UTF-8. The `Content-Type` defaults to `text/plain; charset=utf-8`.
  ///
  /// ```swift
  /// .text("<p>Hello</p>", headers: ["Content-Type": "text/html"])
  /// ```
  public static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(
      status: status, headers: ResponseHeaders(headers), contentType: ContentType.text, body: .data(Data(text.utf8)))
  }

  /// Returns a response without a body.
  ///
  /// ```swift
  /// .empty(status: 404)
  /// ```
  public static func empty(status: Int = 204, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .empty)
  }

  /// Returns a response with a status and without a body. It is ``empty(status:headers:)`` under the name that reads
  /// best for an error.
  ///
  /// ```swift
  /// .status(404)
  /// .status(429, headers: ["Retry-After": "60"])
  /// ```
  public static func status(_ status: Int, headers: [String: String] = [:]) -> StubResponse {
    empty(status: status, headers: headers)
  }

  /// Creates a response from what a hand-written mock returns.
  ///
  /// ```swift
  /// stub(condition: isPath("/users"), response: StubResponse(response, data))
  /// ```
  ///
  /// - Parameters:
  ///   - response: The status and the header fields. Its URL doesn't matter.
  ///   - body: The body.
  public init(_ response: HTTPURLResponse, _ body: Data) {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
    self = .data(body, status: response.statusCode, headers: headers)
  }

  /// Returns a failure: the request fails with a `URLError`.
  ///
  /// ```swift
  /// .failure(.notConnectedToInternet)
  /// ```
  public static func failure(_ code: URLError.Code) -> StubResponse { failure(URLError(code)) }

  /// Returns a failure: the request fails with the error, whose domain and code stay unchanged.
  ///
  /// ```swift
  /// .failure(NSError(domain: "Proxy", code: 7)).delay(.seconds(1))
  /// ```
  public static func failure(_ error: any Error) -> StubResponse {
    StubResponse(status: 200, headers: [:], body: .empty, failure: error)
  }
}

extension StubResponse {
  /// Returns a response with the content of a file. The extension determines the `Content-Type`.
  ///
  /// ```swift
  /// .file("Fixtures/users.json")
  /// ```
  ///
  /// StubKit looks for the file each time it answers a request. If it can't read the file, the request fails with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A relative path starts at the current directory of the process, which under
  ///     `swift test` is the package's folder.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. A `Content-Type` in them takes precedence.
  public static func file(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    file(Fixture(path: path), status: status, headers: headers)
  }

  /// Returns a response with the content of the file at a `file:` URL, like ``file(_:status:headers:)-(String,_,_)``.
  ///
  /// ```swift
  /// .file(Bundle.module.url(forResource: "users", withExtension: "json")!)
  /// ```
  public static func file(_ url: URL, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    file(Fixture(url: url), status: status, headers: headers)
  }

  fileprivate static func file(_ fixture: Fixture, status: Int, headers: [String: String]) -> StubResponse {
    StubResponse(
      status: status, headers: ResponseHeaders(headers), contentType: fixture.contentType, body: .file(fixture))
  }
}

/// Returns a response with the content of a file. The extension determines the `Content-Type`.
///
/// ```swift
/// stub(
///   condition: isPath("/users"),
///   response: fixture(filePath: "Fixtures/users.json"))
/// ```
///
/// - Parameters:
///   - filePath: The path of the file. A relative path starts at the current directory of the process.
///   - status: The status. Defaults to 200.
///   - headers: Header fields. A `Content-Type` in them takes precedence.
/// - Returns: A response. If the file can't be read, it fails the request with a ``StubResponseError``.
public func fixture(filePath: String, status: Int = 200, headers: [String: String]? = nil) -> StubResponse {
  .file(filePath, status: status, headers: headers ?? [:])
}

/// Returns a response with the content of a file in the resources of a bundle. The extension determines the
/// `Content-Type`.
///
/// ```swift
/// stub(
///   condition: isPath("/users"),
///   response: fixture(
///     named: "users.json", in: .module, subdirectory: "Fixtures"))
/// ```
///
/// - Parameters:
///   - name: The name of the file, with its extension.
///   - bundle: The bundle. For a test target of a package, this is `.module`.
///   - subdirectory: The folder in the bundle, for resources that are declared with `.copy`.
///   - status: The status. Defaults to 200.
///   - headers: Header fields. A `Content-Type` in them takes precedence.
/// - Returns: A response. If the file can't be read, it fails the request with a ``StubResponseError``.
public func fixture(
  named name: String, in bundle: Bundle = .main, subdirectory: String? = nil, status: Int = 200,
  headers: [String: String]? = nil
) -> StubResponse {
  .file(Fixture(named: name, in: bundle, subdirectory: subdirectory), status: status, headers: headers ?? [:])
}
