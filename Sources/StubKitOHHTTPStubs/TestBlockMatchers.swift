import Foundation
import StubKit

// OHHTTPStubs' matchers are closures. Where a closure is expected, each of them returns one here too:
//
//     func isAPI() -> HTTPStubsTestBlock { isHost("api.example.com") && pathStartsWith("/v1/") }
//
// All of these are disfavoured. Where no closure is expected, the name stands for the RequestMatcher, which the index
// can look up and a report can explain. They are omitted from the documentation, because links to a matcher would
// otherwise be ambiguous.

/// OHHTTPStubs' form of `isMethodGET`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodGET() -> HTTPStubsTestBlock { isMethodGET().matches }
/// OHHTTPStubs' form of `isMethodPOST`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodPOST() -> HTTPStubsTestBlock { isMethodPOST().matches }
/// OHHTTPStubs' form of `isMethodPUT`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodPUT() -> HTTPStubsTestBlock { isMethodPUT().matches }
/// OHHTTPStubs' form of `isMethodPATCH`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodPATCH() -> HTTPStubsTestBlock { isMethodPATCH().matches }
/// OHHTTPStubs' form of `isMethodDELETE`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodDELETE() -> HTTPStubsTestBlock { isMethodDELETE().matches }
/// OHHTTPStubs' form of `isMethodHEAD`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isMethodHEAD() -> HTTPStubsTestBlock { isMethodHEAD().matches }
/// OHHTTPStubs' form of `isScheme`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isScheme(_ scheme: String) -> HTTPStubsTestBlock { isScheme(scheme).matches }
/// OHHTTPStubs' form of `isHost`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isHost(_ host: String) -> HTTPStubsTestBlock { isHost(host).matches }
/// OHHTTPStubs' form of `isAbsoluteURLString`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isAbsoluteURLString(_ url: String) -> HTTPStubsTestBlock { isAbsoluteURLString(url).matches }
/// OHHTTPStubs' form of `isPath`, where a closure is expected. A path without a slash in front is that of a relative
/// URL.
@_disfavoredOverload @_documentation(visibility: internal)
public func isPath(_ path: String) -> HTTPStubsTestBlock { block(isPath(path)) { $0.isSame(as: path) } }
/// OHHTTPStubs' form of `pathStartsWith`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func pathStartsWith(_ prefix: String) -> HTTPStubsTestBlock {
  block(pathStartsWith(prefix)) { $0.starts(withBytesOf: prefix) }
}
/// OHHTTPStubs' form of `pathEndsWith`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func pathEndsWith(_ suffix: String) -> HTTPStubsTestBlock {
  block(pathEndsWith(suffix)) { $0.ends(withBytesOf: suffix) }
}
/// OHHTTPStubs' form of `pathMatches`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func pathMatches(_ expression: NSRegularExpression) -> HTTPStubsTestBlock { pathMatches(expression).matches }
/// OHHTTPStubs' form of `pathMatches`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func pathMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> HTTPStubsTestBlock {
  pathMatches(pattern, options: options).matches
}
/// OHHTTPStubs' form of `isExtension`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func isExtension(_ pathExtension: String) -> HTTPStubsTestBlock { isExtension(pathExtension).matches }
/// OHHTTPStubs' form of `containsQueryParams`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func containsQueryParams(_ params: [String: String?]) -> HTTPStubsTestBlock {
  containsQueryParams(params).matches
}
/// OHHTTPStubs' form of `hasHeaderNamed`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasHeaderNamed(_ name: String) -> HTTPStubsTestBlock { hasHeaderNamed(name).matches }
/// OHHTTPStubs' form of `hasHeaderNamed`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasHeaderNamed(_ name: String, value: String) -> HTTPStubsTestBlock {
  hasHeaderNamed(name, value: value).matches
}
/// OHHTTPStubs' form of `hasBody`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasBody(_ body: Data) -> HTTPStubsTestBlock { hasBody(body).matches }
/// OHHTTPStubs' form of `hasJsonBody`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasJsonBody(_ jsonObject: [AnyHashable: Any]) -> HTTPStubsTestBlock { hasJsonBody(jsonObject).matches }
/// OHHTTPStubs' form of `hasFormBody`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasFormBody(_ fields: [String: String?]) -> HTTPStubsTestBlock { hasFormBody(fields).matches }
/// OHHTTPStubs' form of `hasFormBody`, where a closure is expected.
@_disfavoredOverload @_documentation(visibility: internal)
public func hasFormBody(_ queryItems: [URLQueryItem]) -> HTTPStubsTestBlock { hasFormBody(queryItems).matches }

/// Returns a closure for a condition that two matchers or closures make.
///
/// ```swift
/// let isAPI: HTTPStubsTestBlock =
///   isScheme("https") && isHost("api.example.com")
/// ```
@_disfavoredOverload @_documentation(visibility: internal)
public func && (left: @escaping HTTPStubsTestBlock, right: @escaping HTTPStubsTestBlock) -> HTTPStubsTestBlock {
  { left($0) && right($0) }
}

/// Returns a closure for a condition that one of two matchers or closures must meet.
@_disfavoredOverload @_documentation(visibility: internal)
public func || (left: @escaping HTTPStubsTestBlock, right: @escaping HTTPStubsTestBlock) -> HTTPStubsTestBlock {
  { left($0) || right($0) }
}

/// Returns a closure for a condition that a matcher or a closure must not meet.
@_disfavoredOverload @_documentation(visibility: internal)
public prefix func ! (condition: @escaping HTTPStubsTestBlock) -> HTTPStubsTestBlock {
  { !condition($0) }
}

extension RequestMatcher {
  /// Returns a closure for two matchers that must both match.
  @_disfavoredOverload @_documentation(visibility: internal)
  public static func && (left: RequestMatcher, right: RequestMatcher) -> HTTPStubsTestBlock { (left && right).matches }

  /// Returns a closure for two matchers, one of which must match.
  @_disfavoredOverload @_documentation(visibility: internal)
  public static func || (left: RequestMatcher, right: RequestMatcher) -> HTTPStubsTestBlock { (left || right).matches }

  /// Returns a closure for a matcher that must not match.
  @_disfavoredOverload @_documentation(visibility: internal)
  public static prefix func ! (matcher: RequestMatcher) -> HTTPStubsTestBlock { (!matcher).matches }
}

/// - Parameter test: OHHTTPStubs' comparison of the path, for one that is a mistake as a matcher.
private func block(_ matcher: RequestMatcher, _ test: @escaping @Sendable (String) -> Bool) -> HTTPStubsTestBlock {
  if matcher.mistake == nil { return matcher.matches }
  return { request in request.url.map { test($0.path) } ?? false }
}
