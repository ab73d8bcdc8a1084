import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// Those bytes. No `Content-Type` is added.
  ///
  /// ```swift
  /// .data(png, headers: ["Content-Type": "image/png"])
  /// ```
  public static func data(_ data: Data, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .data(data))
  }

  /// That text in UTF-8, as `text/plain; charset=utf-8` unless the headers say otherwise.
  ///
  /// ```swift
  /// .text("<p>Hello</p>", headers: ["Content-Type": "text/html"])
  /// ```
  public static func text(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(
      status: status, headers: ResponseHeaders(headers), contentType: ContentType.text, body: .data(Data(text.utf8)))
  }

  /// No body.
  ///
  /// ```swift
  /// .empty(status: 404)
  /// ```
  public static func empty(status: Int = 204, headers: [String: String] = [:]) -> StubResponse {
    StubResponse(status: status, headers: ResponseHeaders(headers), body: .empty)
  }

  /// No response: the request fails with that `URLError`.
  ///
  /// ```swift
  /// .failure(.notConnectedToInternet)
  /// ```
  public static func failure(_ code: URLError.Code) -> StubResponse { failure(URLError(code)) }

  /// No response: the request fails with that error, its domain and code unchanged.
  ///
  /// ```swift
  /// .failure(NSError(domain: "Proxy", code: 7)).delay(.seconds(1))
  /// ```
  public static func failure(_ error: any Error) -> StubResponse {
    StubResponse(status: 200, headers: [:], body: .empty, failure: error)
  }
}

extension StubResponse {
  /// The content of a file, its `Content-Type` by its extension.
  ///
  /// ```swift
  /// .file("Fixtures/users.json")
  /// ```
  ///
  /// The file is looked for each time a request is answered; if it can't be read, the request fails with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - path: The file's path; a relative one begins at the process's current directory, which is the package's folder
  ///     under `swift test`.
  ///   - status: The status, 200 by default.
  ///   - headers: Header fields; a `Content-Type` among them holds.
  public static func file(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> StubResponse {
    file(Fixture(path: path), status: status, headers: headers)
  }

  /// The content of the file at a `file:` URL, as ``file(_:status:headers:)-(String,_,_)`` does it.
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

/// A response with the content of a file, its `Content-Type` by its extension.
///
/// ```swift
/// stub(condition: isPath("/users"), response: fixture(filePath: "Fixtures/users.json"))
/// ```
///
/// - Parameters:
///   - filePath: The file's path; a relative one begins at the process's current directory.
///   - status: The status, 200 by default.
///   - headers: Header fields; a `Content-Type` among them holds.
/// - Returns: A response that fails the request with a ``StubResponseError`` if the file can't be read by then.
public func fixture(filePath: String, status: Int = 200, headers: [String: String]? = nil) -> StubResponse {
  .file(filePath, status: status, headers: headers ?? [:])
}

/// A response with the content of a file in a bundle's resources, its `Content-Type` by its extension.
///
/// ```swift
/// stub(condition: isPath("/users"), response: fixture(named: "users.json", in: .module, subdirectory: "Fixtures"))
/// ```
///
/// - Parameters:
///   - name: The file's name with its extension.
///   - bundle: The bundle; a package's test target has its resources in `.module`.
///   - subdirectory: The folder in the bundle, for resources declared with `.copy`.
///   - status: The status, 200 by default.
///   - headers: Header fields; a `Content-Type` among them holds.
/// - Returns: A response that fails the request with a ``StubResponseError`` if the file can't be read by then.
public func fixture(
  named name: String, in bundle: Bundle = .main, subdirectory: String? = nil, status: Int = 200,
  headers: [String: String]? = nil
) -> StubResponse {
  .file(Fixture(named: name, in: bundle, subdirectory: subdirectory), status: status, headers: headers ?? [:])
}
