import StubKit

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
