import Foundation

// Names that guides showed before 0.1.0. A call of one doesn't compile, and the message says what to write. An
// unavailable declaration loses to every other one that fits, such as one of the test's own. They go with the release
// after 0.1.0.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "StubJSON") @_documentation(visibility: internal)
public typealias JSONValue = StubJSON

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "StubResponse.Event") @_documentation(visibility: internal)
public typealias ServerSentEvent = StubResponse.Event

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StubResponse {
  @available(*, unavailable, message: "write .status(204), or .ok for the status 200")
  @_documentation(visibility: internal)
  public static func empty() -> StubResponse { fatalError() }
  @available(*, unavailable, renamed: "status(_:reason:headers:)") @_documentation(visibility: internal)
  public static func empty(status: Int, headers: [String: String] = [:]) -> StubResponse { fatalError() }
  @available(*, unavailable, message: "write .status(204, headers: …)") @_documentation(visibility: internal)
  public static func empty(headers: [String: String]) -> StubResponse { fatalError() }
  @available(*, unavailable, renamed: "basicChallenge(realm:headers:)") @_documentation(visibility: internal)
  public static func unauthorized(realm: String, headers: [String: String] = [:]) -> StubResponse { fatalError() }
  @available(*, unavailable, renamed: "conditional(etag:lastModified:)") @_documentation(visibility: internal)
  public func validated(etag: String? = nil, lastModified: Date? = nil) -> StubResponse { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "StubResponse.fixture(_:in:status:headers:)") @_documentation(visibility: internal)
public func fixture(
  named name: String, in bundle: Bundle, status: Int = 200, headers: [String: String] = [:]
) -> StubResponse { fatalError() }
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "write .fixture(\"Fixtures/users.json\", in: .module)")
@_documentation(visibility: internal)
public func fixture(
  named name: String, in bundle: Bundle = .main, subdirectory: String? = nil, status: Int = 200,
  headers: [String: String]? = nil
) -> StubResponse { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "write !hasHeader(…)") @_documentation(visibility: internal)
public func lacksHeader(_ name: String) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "write !containsQuery(…)") @_documentation(visibility: internal)
public func lacksQuery(_ name: String) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "hasBaseURL(_:)") @_documentation(visibility: internal)
public func isUnder(_ url: String) -> RequestMatcher { fatalError() }
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "hasBaseURL(_:)") @_documentation(visibility: internal)
public func isUnder(_ url: URL) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "hasPathExtension(_:)") @_documentation(visibility: internal)
public func isExtension(_ pathExtension: String) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
  *, unavailable,
  message: "write isURL(…), or urlMatches(…) if the order of the query matters; StubKitOHHTTPStubs has this name"
) @_documentation(visibility: internal)
public func isAbsoluteURLString(_ url: String) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "write HTTPStubs.capabilities") @_documentation(visibility: internal)
public enum StubKitCapabilities {
  public static var current: String { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "UnscopedPolicy") @_documentation(visibility: internal)
public typealias UnclaimedPolicy = UnscopedPolicy

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UnscopedPolicy {
  @available(*, unavailable, renamed: "fail") @_documentation(visibility: internal)
  public static var intercept: UnscopedPolicy { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RecordedRequest {
  @available(*, unavailable, renamed: "isUnscoped") @_documentation(visibility: internal)
  public var isInferred: Bool { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Stub {
  @available(*, unavailable, renamed: "lastCall") @_documentation(visibility: internal)
  public var latestCall: StubCall? { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
  *, unavailable,
  message:
    "write stub(.get, \"users\", …) in stubs(under: \"https://…\"): a text without a slash in front is below the base"
) @_documentation(visibility: internal)
public func isSubpath(_ path: String) -> RequestMatcher { fatalError() }
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
  *, unavailable,
  message:
    "write stub(.get, \"users/{id}\", …) in stubs(under: \"https://…\"): a text without a slash in front is below it"
) @_documentation(visibility: internal)
public func isSubpath(template: String) -> RequestMatcher { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "withStubs(in:isolation:_:)") @_documentation(visibility: internal)
@discardableResult
public func withStubs<R>(
  registry: StubRegistry, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R { fatalError() }
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "withStubs(in:_:)") @_documentation(visibility: internal)
@discardableResult
public func withStubs<R>(registry: StubRegistry, _ body: () throws -> R) rethrows -> R { fatalError() }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StubRegistry {
  @available(
    *, unavailable,
    message:
      "write HTTPStubs.onRequest { request in … }; StubKitOHHTTPStubs has HTTPStubs.onStubActivation { request, stub, response in … }"
  ) @_documentation(visibility: internal)
  public func onStubActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) { fatalError() }
  @available(
    *, unavailable,
    message:
      "write HTTPStubs.onRequest { request in … }; StubKitOHHTTPStubs has HTTPStubs.afterStubFinish { request, stub, response, error in … }"
  ) @_documentation(visibility: internal)
  public func afterStubFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    fatalError()
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URLRequest {
  @available(*, unavailable, renamed: "sent.queryItems") @_documentation(visibility: internal)
  public var stubQueryItems: [URLQueryItem] { fatalError() }
  @available(*, unavailable, renamed: "sent.query") @_documentation(visibility: internal)
  public var stubQuery: [String: String] { fatalError() }
  @available(*, unavailable, renamed: "sent.formItems") @_documentation(visibility: internal)
  public var stubForm: [URLQueryItem]? { fatalError() }
  @available(*, unavailable, renamed: "sent.json()") @_documentation(visibility: internal)
  public func stubJSON() throws -> StubJSON { fatalError() }
}
