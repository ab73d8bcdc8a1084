// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// Names from other libraries that are others here. A call of one doesn't compile, and the message says what to write.
// An unavailable declaration loses to every other one that fits, such as one of the test's own.

@available(*, unavailable, message: "write containsQuery(\"page\"), or containsQuery(\"page\", \"2\")")
@_documentation(visibility: internal)
public func hasQuery(_ name: String, _ value: String = "") -> RequestMatcher { fatalError() }

@available(*, unavailable, message: "write isMethodGET(), or stub(.get, \"/users\", response: …)")
@_documentation(visibility: internal)
public func isGet() -> RequestMatcher { fatalError() }

@available(*, unavailable, message: "write isMethodPOST(), or stub(.post, \"/users\", response: …)")
@_documentation(visibility: internal)
public func isPost() -> RequestMatcher { fatalError() }

@available(*, unavailable, message: "write isMethodGET(), or isMethod(\"PURGE\")") @_documentation(visibility: internal)
public func hasMethod(_ method: String) -> RequestMatcher { fatalError() }

@available(*, unavailable, message: "write isPath(\"/users\")") @_documentation(visibility: internal)
public func hasPath(_ path: String) -> RequestMatcher { fatalError() }

@available(*, unavailable, message: "pass the response as an argument: stub(.get, \"/users\", response: .json([]))")
@_documentation(visibility: internal)
public func stub(_ method: StubMethod, _ url: String) -> Stub { fatalError() }

@available(
  *, unavailable, message: "pass the response as an argument: stub(condition: isPath(\"/users\"), response: .json([]))"
) @_documentation(visibility: internal)
public func stub(condition: RequestMatcher) -> Stub { fatalError() }

@available(*, unavailable, message: "for several responses in turn, write responses: [.status(503), .json([])]")
@_documentation(visibility: internal)
public func stub(condition: RequestMatcher, response: [StubResponse]) -> Stub { fatalError() }

@available(*, unavailable, message: "for several responses in turn, write responses: [.status(503), .json([])]")
@_documentation(visibility: internal)
public func stub(condition: RequestMatcher, response: StubResponse, response other: StubResponse) -> Stub {
  fatalError()
}

@available(
  *, unavailable,
  message: "for Mocker's names, import StubKitMocker; here, write stub(.get, \"https://…/users\", response: .json([]))"
) @_documentation(visibility: internal)
public struct Mock {
  public enum ContentType { case json, html, imagePNG, pdf, mp4, zip }
  public init(
    url: URL, ignoreQuery: Bool = false, contentType: ContentType? = nil, statusCode: Int, data: [StubMethod: Data],
    additionalHeaders: [String: String] = [:]
  ) {}
  public func register() {}
}

@available(
  *, unavailable,
  message: "for OHHTTPStubs' names, import StubKitOHHTTPStubs; here, write .json([\"id\": 1], status: 200)"
) @_documentation(visibility: internal)
public typealias HTTPStubsResponse = StubResponse

extension RequestMatcher {
  @available(*, unavailable, message: "write .anything") @_documentation(visibility: internal)
  public static var any: RequestMatcher { fatalError() }
}

extension Stub {
  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func reply(_ status: Int, _ body: Any...) -> Stub { fatalError() }

  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func respondWith(_ response: StubResponse) -> Stub { fatalError() }

  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func thenReturn(_ response: StubResponse) -> Stub { fatalError() }

  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func willReturn(_ response: StubResponse) -> Stub { fatalError() }
}

extension StubResponse {
  @available(*, unavailable, message: "import StubKitOHHTTPStubs, or write .json([\"id\": 1], status: 200)")
  @_documentation(visibility: internal)
  public init(jsonObject: Any, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs, or write .data(bytes, status: 200)")
  @_documentation(visibility: internal)
  public init(data: Data, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs, or write .file(path, status: 200)")
  @_documentation(visibility: internal)
  public init(fileAtPath: String, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs, or write .failure(error)")
  @_documentation(visibility: internal)
  public init(error: any Error) { fatalError() }

  @available(*, unavailable, message: "write status: for statusCode:") @_documentation(visibility: internal)
  public static func json(_ value: JSONValue, statusCode: Int, headers: [String: String] = [:]) -> StubResponse {
    fatalError()
  }

  @available(*, unavailable, message: "write status: for statusCode:") @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func json(_ value: some Encodable, statusCode: Int, headers: [String: String] = [:]) -> StubResponse {
    fatalError()
  }

  @available(*, unavailable, message: "write status: for statusCode:") @_documentation(visibility: internal)
  public static func text(_ text: String, statusCode: Int, headers: [String: String] = [:]) -> StubResponse {
    fatalError()
  }

  @available(*, unavailable, message: "write status: for statusCode:") @_documentation(visibility: internal)
  public static func data(_ data: Data, statusCode: Int, headers: [String: String] = [:]) -> StubResponse {
    fatalError()
  }

  @available(*, unavailable, message: "write .status(404)") @_documentation(visibility: internal)
  public static var notFound: StubResponse { fatalError() }

  @available(*, unavailable, message: "write .status(401), or .unauthorized(realm: \"Films\") for a challenge")
  @_documentation(visibility: internal)
  public static var unauthorized: StubResponse { fatalError() }

  @available(*, unavailable, message: "write .failure(.timedOut)") @_documentation(visibility: internal)
  public static var timeout: StubResponse { fatalError() }

  @available(*, unavailable, message: "write .failure(.timedOut), or .failure(error)")
  @_documentation(visibility: internal)
  public static func error(_ error: Any) -> StubResponse { fatalError() }

  @available(*, unavailable, message: "write .header(\"ETag\", \"1\")") @_documentation(visibility: internal)
  public func withHeader(_ name: String, _ value: String) -> StubResponse { fatalError() }

  @available(*, unavailable, message: "write .status(404)") @_documentation(visibility: internal)
  public func withStatus(_ status: Int) -> StubResponse { fatalError() }

  @available(*, unavailable, message: "write .delay(.seconds(1))") @_documentation(visibility: internal)
  public func withDelay(_ delay: Any) -> StubResponse { fatalError() }
}

// Older names, for which Swift 7 will warn.

/// The older name of ``hasHeader(_:)``.
@available(swift, deprecated: 7, renamed: "hasHeader(_:)") @_documentation(visibility: internal)
public func hasHeaderNamed(_ name: String) -> RequestMatcher { hasHeader(name) }

/// The older name of ``hasHeader(_:_:)``.
@available(swift, deprecated: 7, renamed: "hasHeader(_:_:)") @_documentation(visibility: internal)
public func hasHeaderNamed(_ name: String, value: String) -> RequestMatcher { hasHeader(name, value) }

/// The older form of ``hasCookie(_:_:)``.
@available(swift, deprecated: 7, renamed: "hasCookie(_:_:)") @_documentation(visibility: internal)
public func hasCookie(_ name: String, value: String) -> RequestMatcher { hasCookie(name, value) }
