import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The forms of `stub` that are told where they are written.

/// Answers every request that meets a condition, for a function of your own around `stub`.
///
/// ```swift
/// func stubUser(_ id: Int, at location: StubLocation) -> Stub {
///   stub(condition: isPath("/users/\(id)"), response: .json(["id": id]), at: location)
/// }
///
/// stubUser(42, at: StubLocation())  // reports name this line
/// ```
///
/// Do not write `StubLocation()` as the default of your function's parameter: it would name the function's own line. With Swift Testing,
/// use the form with `sourceLocation:` that StubKitTesting has. `#_sourceLocation` as a default names the caller.
///
/// See `stub(condition:response:)` for the other parameters.
@discardableResult
public func stub(
  condition: RequestMatcher, response: StubResponse, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation
) -> Stub {
  registry.add(condition, .value(response), StubTerms(name, times, priority, location))
}

/// Answers every request that meets a condition with what a closure makes of it, for a function of your own around `stub`.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure { request, _ in try await response(request) }, StubTerms(name, times, priority, location))
}

/// Answers every request that meets a condition with what a closure makes of it and of how it matched, for a function of your own
/// around `stub`.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(condition, .closure(response), StubTerms(name, times, priority, location))
}

/// Answers the requests that meet a condition with one response after another, for a function of your own around `stub`.
@discardableResult
public func stub(
  condition: RequestMatcher, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast, name: String? = nil,
  times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation
) -> Stub {
  registry.add(condition, .sequence(responses, afterLast), StubTerms(name, times, priority, location))
}
