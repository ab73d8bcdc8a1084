// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// Names that other libraries document, and that are others here. A call of one doesn't compile, and the message says what
// to write. An unavailable declaration loses to every other one that fits, such as one of the test's own.

/// Mocker's `Mock(url:contentType:statusCode:data:)`.
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

/// OHHTTPStubs' `HTTPStubsResponse(jsonObject:statusCode:headers:)` and its other initialisers.
@available(
  *, unavailable,
  message: "for OHHTTPStubs' names, import StubKitOHHTTPStubs; here, write .json([\"id\": 1], status: 200)"
) @_documentation(visibility: internal)
public typealias HTTPStubsResponse = StubResponse

/// OHHTTPStubs' initialisers. Without them, the compiler blames the closure in which they are called.
extension StubResponse {
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(jsonObject: Any, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(data: Data, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(fileAtPath: String, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(error: any Error) { fatalError() }
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
