import Foundation
import StubKit

/// OHHTTPStubs' name for a condition that is a closure.
///
/// Where a closure is expected, its matchers return one. For a `RequestMatcher` in a variable, write
/// `matcher.matches`.
public typealias HTTPStubsTestBlock = @Sendable (URLRequest) -> Bool

/// OHHTTPStubs' name for a closure that returns a response.
public typealias HTTPStubsResponseBlock = @Sendable (URLRequest) -> StubResponse

/// OHHTTPStubs' form of `stub`, whose closure may block, for example on an `NSLock`.
///
/// ```swift
/// stub(condition: isHost("api.example.com")) { _ in
///   HTTPStubsResponse(jsonObject: [], statusCode: 200, headers: nil)
/// }
/// ```
///
/// The parameters are those of StubKit's `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: RequestMatcher, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, response: @escaping HTTPStubsResponseBlock
) -> HTTPStubsDescriptor {
  StubKit.stub(condition: condition, fileID: fileID, filePath: filePath, line: line, column: column) { response($0) }
}

/// OHHTTPStubs' form of `stub` with a closure as the condition.
///
/// ```swift
/// stub(condition: { $0.url?.host == "api.example.com" }) { _ in
///   HTTPStubsResponse(jsonObject: [], statusCode: 200, headers: nil)
/// }
/// ```
///
/// The parameters are those of StubKit's `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: @escaping HTTPStubsTestBlock, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, response: @escaping HTTPStubsResponseBlock
) -> HTTPStubsDescriptor {
  StubKit.stub(condition: condition, fileID: fileID, filePath: filePath, line: line, column: column) { response($0) }
}

/// Matches requests that both closures match.
///
/// ```swift
/// let old: HTTPStubsTestBlock = { $0.url?.host == "x" }
/// stub(condition: old && { $0.httpMethod == "GET" }, response: .status(204))
/// ```
public func && (left: @escaping HTTPStubsTestBlock, right: @escaping HTTPStubsTestBlock) -> RequestMatcher {
  RequestMatcher(closure: left) && RequestMatcher(closure: right)
}

/// Matches requests that at least one of the closures matches.
///
/// ```swift
/// let isRead: HTTPStubsTestBlock = { $0.httpMethod == "GET" }
/// let isCheck: HTTPStubsTestBlock = { $0.httpMethod == "HEAD" }
/// stub(condition: isRead || isCheck, response: .status(204))
/// ```
public func || (left: @escaping HTTPStubsTestBlock, right: @escaping HTTPStubsTestBlock) -> RequestMatcher {
  RequestMatcher(closure: left) || RequestMatcher(closure: right)
}

/// Matches requests that the closure doesn't match.
public prefix func ! (condition: @escaping HTTPStubsTestBlock) -> RequestMatcher {
  !RequestMatcher(closure: condition)
}

/// Matches URLs whose path contains a match of a regular expression, as `pathMatches(_:options:)` does.
///
/// ```swift
/// let song = try NSRegularExpression(pattern: #"^/songs/(?<id>\d+)$"#)
/// stub(condition: pathMatches(song)) { _, match in
///   try .text(match("id"))
/// }
/// ```
public func pathMatches(_ expression: NSRegularExpression) -> RequestMatcher {
  RequestMatcher(.path, .matches(Pattern(expression)))
}

/// OHHTTPStubs' matcher for a whole URL, including the order of its query and its fragment.
///
/// ```swift
/// isAbsoluteURLString("https://api.example.com/users?page=2#top")
/// ```
///
/// Both texts are compared as `URL(string:)` prints them, so you can write characters that Foundation encodes as they
/// are. Case matters, also in the host. The URL of a request is as the client wrote it, with segments such as `..`.
///
/// - Parameter url: The URL. The test fails if it has no scheme, or as for `isURL(_:)`.
public func isAbsoluteURLString(_ url: String) -> RequestMatcher { .absoluteURL(url) }

/// Matches URLs whose path has this extension. Case matters. OHHTTPStubs' name for `hasPathExtension(_:)`.
///
/// ```swift
/// isExtension("png")
/// ```
public func isExtension(_ pathExtension: String) -> RequestMatcher { hasPathExtension(pathExtension) }

/// Matches URLs whose query has all of these items, and possibly others. OHHTTPStubs' name for `containsQuery(_:)`.
///
/// ```swift
/// containsQueryParams(["page": "2", "debug": nil])
/// ```
public func containsQueryParams(_ params: [String: String?]) -> RequestMatcher {
  RequestMatcher(ItemsCriterion(.query, NamedValue.sorted(params), .some))
}

/// Matches requests whose body is JSON equal to an object that `JSONSerialization` accepts. OHHTTPStubs' form of
/// `hasJSONBody(_:)`.
///
/// ```swift
/// hasJsonBody(["user": ["id": 1, "tags": ["a", "b"]]])
/// ```
///
/// The test fails if the object is not JSON, for example because it contains a date.
public func hasJsonBody(_ jsonObject: [AnyHashable: Any]) -> RequestMatcher {
  do {
    return hasJSONBody(try StubJSON(parsing: JSONSerialization.bytes(of: jsonObject)))
  } catch {
    return RequestMatcher(
      mistake:
        "hasJsonBody received a value that is not JSON: \(error). Write hasJSONBody with a literal or an Encodable value.",
      in: "hasJsonBody(…)")
  }
}

/// Matches requests whose body is a form with these fields and no others, in any order. OHHTTPStubs' form of
/// `hasFormBody(_:)`, with the items in an array.
///
/// ```swift
/// let fields = [URLQueryItem(name: "user", value: "ann")]
/// stub(condition: hasFormBody(fields), response: .status(204))
/// ```
public func hasFormBody(_ queryItems: [URLQueryItem]) -> RequestMatcher { hasFormBody(items: queryItems) }

/// OHHTTPStubs' name for a stub.
public typealias HTTPStubsDescriptor = Stub

extension HTTPStubs {
  /// OHHTTPStubs' form of `stub(condition:response:)`.
  ///
  /// The parameters are those of StubKit's `stub(condition:response:)`.
  @discardableResult
  public static func stubRequests(
    passingTest test: @escaping HTTPStubsTestBlock, withStubResponse response: @escaping HTTPStubsResponseBlock,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Stub {
    StubKitOHHTTPStubs.stub(
      condition: test, fileID: fileID, filePath: filePath, line: line, column: column, response: response)
  }

  /// OHHTTPStubs' form of `stub(condition:response:)`, with a matcher.
  ///
  /// ```swift
  /// HTTPStubs.stubRequests(passingTest: isPath("/users")) { _ in
  ///   HTTPStubsResponse(jsonObject: [], statusCode: 200, headers: nil)
  /// }
  /// ```
  ///
  /// The parameters are those of StubKit's `stub(condition:response:)`.
  @discardableResult
  public static func stubRequests(
    passingTest test: RequestMatcher, withStubResponse response: @escaping HTTPStubsResponseBlock,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Stub {
    StubKitOHHTTPStubs.stub(
      condition: test, fileID: fileID, filePath: filePath, line: line, column: column, response: response)
  }

  /// Sets a closure that StubKit calls when a stub's response has redirected a request of the current registry. It
  /// receives the request, the next request, the stub and the response. `nil` removes it.
  ///
  /// ```swift
  /// HTTPStubs.onStubRedirectResponse { request, redirected, stub, response in
  ///   print("\(request.url!) led to \(redirected.url!)")
  /// }
  /// ```
  ///
  /// StubKit doesn't call it for a redirect that the session's delegate refuses.
  /// `onStubActivation` says when and where callbacks run.
  public static func onStubRedirectResponse(
    _ callback: (@Sendable (URLRequest, URLRequest, HTTPStubsDescriptor, StubResponse) -> Void)?
  ) {
    StubRegistry.current.onRedirect(callback)
  }

  /// Sets a closure that StubKit calls for each request that a stub of the current registry was chosen for, before
  /// the response begins. `nil` removes it.
  ///
  /// ```swift
  /// HTTPStubs.onStubActivation { request, stub, response in
  ///   print("\(request.url!) stubbed by \(stub.name ?? "?")")
  /// }
  /// ```
  ///
  /// Like the other callbacks, it replaces the one before, and applies to requests that are made from now on. StubKit
  /// calls each callback once per request, in the order of events, in a task that sees the task-local values of the
  /// requester, and never under a lock. The callback can use `URLSession` itself. The request waits until it returns,
  /// so code that has received an answer can rely on the call.
  ///
  /// A task that is redirected makes several requests. A response closure that throws an error counts as a response
  /// that fails. For several closures, and for requests of all outcomes, use `HTTPStubs.onRequest(_:)`.
  public static func onStubActivation(_ callback: (@Sendable (URLRequest, HTTPStubsDescriptor, StubResponse) -> Void)?)
  {
    StubRegistry.current.onActivation(callback)
  }

  /// Sets a closure that StubKit calls when a stub's response to a request of the current registry has ended or
  /// failed. If it failed, the closure receives the error. `nil` removes it.
  ///
  /// ```swift
  /// HTTPStubs.afterStubFinish { request, stub, response, error in
  ///   print("\(request.url!) is done", error ?? "")
  /// }
  /// ```
  ///
  /// StubKit calls it just before the task learns of the end. After a cancellation, or if the end can't wait, it
  /// calls the closure soon afterwards, on a queue of its own. The error is then a `URLError` with the code
  /// `cancelled`, or the cause of the failure. StubKit doesn't call it for a response that redirected, which has a
  /// callback of its own.
  public static func afterStubFinish(
    _ callback: (@Sendable (URLRequest, HTTPStubsDescriptor, StubResponse, (any Error)?) -> Void)?
  ) {
    StubRegistry.current.onFinish(callback)
  }

  /// Sets a closure that StubKit calls for each request of the current registry that no stub matches, whatever
  /// `unmatched` does with it. `nil` removes it.
  ///
  /// ```swift
  /// HTTPStubs.onStubMissing { request in
  ///   print("nothing answers \(request)")
  /// }
  /// ```
  public static func onStubMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    StubRegistry.current.onMissing(callback)
  }

  /// OHHTTPStubs' name for setting `StubRegistry.isEnabled` of the current registry.
  public static func setEnabled(_ isEnabled: Bool) { StubRegistry.current.isEnabled = isEnabled }

  /// OHHTTPStubs' name for `StubRegistry.isEnabled` of the current registry.
  public static func isEnabled() -> Bool { StubRegistry.current.isEnabled }
}

/// Matches requests with a header field of this name, ignoring case. OHHTTPStubs' name for `hasHeader(_:)`.
///
/// ```swift
/// stub(condition: hasHeaderNamed("X-Trace")) { _ in .ok }
/// ```
public func hasHeaderNamed(_ name: String) -> RequestMatcher { hasHeader(name) }

/// Matches requests with a header field of this name and value. OHHTTPStubs' name for `hasHeader(_:_:)`.
///
/// ```swift
/// stub(condition: hasHeaderNamed("Accept", value: "text/plain")) { _ in .ok }
/// ```
public func hasHeaderNamed(_ name: String, value: String) -> RequestMatcher { hasHeader(name, value) }

extension RequestMatcher {
  /// Returns whether a request matches, as OHHTTPStubs' conditions do: `isHost("a")(request)`.
  public func callAsFunction(_ request: URLRequest) -> Bool { matches(request) }
}

extension URLRequest {
  /// OHHTTPStubs' name for `URLRequest.stubBody`.
  public var ohhttpStubs_httpBody: Data? { stubBody }
}

/// OHHTTPStubs 8's name for `HTTPStubs`.
public typealias OHHTTPStubs = HTTPStubs

/// OHHTTPStubs 8's name for `StubResponse`.
public typealias OHHTTPStubsResponse = StubResponse

/// OHHTTPStubs 8's name for a stub.
public typealias OHHTTPStubsDescriptor = Stub

/// OHHTTPStubs 8's name for a condition that is a closure.
public typealias OHHTTPStubsTestBlock = HTTPStubsTestBlock

/// OHHTTPStubs 8's name for a closure that returns a response.
public typealias OHHTTPStubsResponseBlock = HTTPStubsResponseBlock
