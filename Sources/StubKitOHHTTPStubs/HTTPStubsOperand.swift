import StubKit

@_exported import enum StubKit.HTTPStubs
@_exported import struct StubKit.RequestMatcher
@_exported import protocol StubKit.StubClock
@_exported import protocol StubKit.StubKitError
@_exported import struct StubKit.StubLocation
@_exported import class StubKit.StubRegistry
@_exported import struct StubKit.StubResponse
@_exported import struct StubKit.StubResponseError
@_exported import struct StubKit.StubScopeEndedError
@_exported import struct StubKit.UnmatchedPolicy
@_exported import struct StubKit.UnmatchedRequestError
@_exported import func StubKit.bodyContains
@_exported import func StubKit.containsQuery
@_exported import func StubKit.hasBaseURL
@_exported import func StubKit.hasBasicAuth
@_exported import func StubKit.hasBearerToken
@_exported import func StubKit.hasBody
@_exported import func StubKit.hasCookie
@_exported import func StubKit.hasExactQuery
@_exported import func StubKit.hasFormBody
@_exported import func StubKit.hasHeader
@_exported import func StubKit.hasJSON
@_exported import func StubKit.hasJSONBody
@_exported import func StubKit.hasMultipartPart
@_exported import func StubKit.hasPathExtension
@_exported import func StubKit.headerMatches
@_exported import func StubKit.hostEndsWith
@_exported import func StubKit.isGraphQL
@_exported import func StubKit.isHost
@_exported import func StubKit.isLoopback
@_exported import func StubKit.isMethod
@_exported import func StubKit.isMethodDELETE
@_exported import func StubKit.isMethodGET
@_exported import func StubKit.isMethodHEAD
@_exported import func StubKit.isMethodOPTIONS
@_exported import func StubKit.isMethodPATCH
@_exported import func StubKit.isMethodPOST
@_exported import func StubKit.isMethodPUT
@_exported import func StubKit.isPath
@_exported import func StubKit.isPort
@_exported import func StubKit.isScheme
@_exported import func StubKit.isURL
@_exported import func StubKit.pathEndsWith
@_exported import func StubKit.pathMatches
@_exported import func StubKit.pathStartsWith
@_exported import func StubKit.queryMatches
@_exported import func StubKit.stub
@_exported import func StubKit.stubs
@_exported import func StubKit.urlMatches
@_exported import func StubKit.verify
@_exported import func StubKit.verifyInOrder
@_exported import func StubKit.withStubs

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// The operators of `RequestMatcher`, for files that don't import StubKit itself.
///
/// Swift finds the operators of a type only where its whole module is imported, and those of this protocol everywhere
/// else.
@_documentation(visibility: internal)
public protocol HTTPStubsOperand {
  /// Matches requests that both sides match.
  static func && (left: Self, right: Self) -> Self
  /// Matches requests that both sides match.
  static func && (left: Self, right: @escaping HTTPStubsTestBlock) -> Self
  /// Matches requests that both sides match.
  static func && (left: @escaping HTTPStubsTestBlock, right: Self) -> Self
  /// Matches requests that at least one side matches.
  static func || (left: Self, right: Self) -> Self
  /// Matches requests that at least one side matches.
  static func || (left: Self, right: @escaping HTTPStubsTestBlock) -> Self
  /// Matches requests that at least one side matches.
  static func || (left: @escaping HTTPStubsTestBlock, right: Self) -> Self
  /// Matches requests that the matcher doesn't match.
  static prefix func ! (matcher: Self) -> Self
}

extension RequestMatcher: HTTPStubsOperand {}
