import Foundation

// Names from other libraries that are others here. A call of one doesn't compile, and the message says what to write.
// An unavailable declaration loses to every other one that fits, such as one of the test's own.

/// Another library's `hasQuery`.
@available(*, unavailable, message: "write containsQuery(\"page\"), or containsQuery(\"page\", \"2\")")
@_documentation(visibility: internal)
public func hasQuery(_ name: String, _ value: String = "") -> RequestMatcher { fatalError() }

/// Another library's `isGet`.
@available(*, unavailable, message: "write isMethodGET(), or stub(.get, \"/users\", response: …)")
@_documentation(visibility: internal)
public func isGet() -> RequestMatcher { fatalError() }

/// Another library's `isPost`.
@available(*, unavailable, message: "write isMethodPOST(), or stub(.post, \"/users\", response: …)")
@_documentation(visibility: internal)
public func isPost() -> RequestMatcher { fatalError() }

/// Another library's `hasMethod`.
@available(*, unavailable, message: "write isMethodGET(), or isMethod(\"PURGE\")") @_documentation(visibility: internal)
public func hasMethod(_ method: String) -> RequestMatcher { fatalError() }

/// Another library's `hasPath`.
@available(*, unavailable, message: "write isPath(\"/users\")") @_documentation(visibility: internal)
public func hasPath(_ path: String) -> RequestMatcher { fatalError() }

/// Another library's `stub`.
@available(*, unavailable, message: "pass the response as an argument: stub(.get, \"/users\", response: .json([]))")
@_documentation(visibility: internal)
public func stub(_ method: StubMethod, _ url: String) -> Stub { fatalError() }

/// Another library's `stub`.
@available(
  *, unavailable, message: "pass the response as an argument: stub(condition: isPath(\"/users\"), response: .json([]))"
) @_documentation(visibility: internal)
public func stub(condition: RequestMatcher) -> Stub { fatalError() }

/// Several responses under the name of one.
@available(*, unavailable, message: "for several responses in turn, write responses: [.status(503), .json([])]")
@_documentation(visibility: internal)
public func stub(condition: RequestMatcher, response: [StubResponse]) -> Stub { fatalError() }

/// Several responses under the name of one.
@available(*, unavailable, message: "for several responses in turn, write responses: [.status(503), .json([])]")
@_documentation(visibility: internal)
public func stub(condition: RequestMatcher, response: StubResponse, response other: StubResponse) -> Stub {
  fatalError()
}

extension RequestMatcher {
  /// Another library's `any`.
  @available(*, unavailable, message: "write .anything") @_documentation(visibility: internal)
  public static var any: RequestMatcher { fatalError() }
}

extension Stub {
  /// Another library's `reply`.
  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func reply(_ status: Int, _ body: Any...) -> Stub { fatalError() }

  /// Another library's `respondWith`.
  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func respondWith(_ response: StubResponse) -> Stub { fatalError() }

  /// Another library's `thenReturn`.
  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func thenReturn(_ response: StubResponse) -> Stub { fatalError() }

  /// Another library's `willReturn`.
  @available(*, unavailable, message: "pass the response to stub: stub(.get, \"/users\", response: .json([]))")
  @_documentation(visibility: internal)
  public func willReturn(_ response: StubResponse) -> Stub { fatalError() }
}

extension StubResponse {
  /// Another library's `notFound`.
  @available(*, unavailable, message: "write .status(404)") @_documentation(visibility: internal)
  public static var notFound: StubResponse { fatalError() }

  /// Another library's `unauthorized`.
  @available(*, unavailable, message: "write .status(401), or .unauthorized(realm: \"Films\") for a challenge")
  @_documentation(visibility: internal)
  public static var unauthorized: StubResponse { fatalError() }

  /// Another library's `timeout`.
  @available(*, unavailable, message: "write .failure(.timedOut)") @_documentation(visibility: internal)
  public static var timeout: StubResponse { fatalError() }

  /// Another library's `error`.
  @available(*, unavailable, message: "write .failure(.timedOut), or .failure(error)")
  @_documentation(visibility: internal)
  public static func error(_ error: Any) -> StubResponse { fatalError() }

  /// Another library's `withHeader`.
  @available(*, unavailable, message: "write .header(\"ETag\", \"1\")") @_documentation(visibility: internal)
  public func withHeader(_ name: String, _ value: String) -> StubResponse { fatalError() }

  /// Another library's `withStatus`.
  @available(*, unavailable, message: "write .status(404)") @_documentation(visibility: internal)
  public func withStatus(_ status: Int) -> StubResponse { fatalError() }

  /// Another library's `withDelay`.
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
