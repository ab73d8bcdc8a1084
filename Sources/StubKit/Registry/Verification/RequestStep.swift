import Foundation

/// A step of an order of requests: a stub, or a condition.
///
/// ```swift
/// let steps: [any RequestStep] = [login, isPath("/items")]
/// ```
public protocol RequestStep: Sendable {}

extension Stub: RequestStep {}
extension RequestMatcher: RequestStep {}
