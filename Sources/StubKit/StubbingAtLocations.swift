import Foundation

// The forms of `stub` that take the location of their caller.

/// Registers a stub with a response, on behalf of a function of your own.
///
/// ```swift
/// func stubUser(_ id: Int, at location: StubLocation) -> Stub {
///   stub(
///     condition: isPath("/users/\(id)"), response: .json(["id": id]),
///     at: location)
/// }
///
/// stubUser(42, at: StubLocation())  // Reports name this line.
/// ```
///
/// Don't use `StubLocation()` as the default value of your function's parameter, because it would name the line of
/// the function. With Swift Testing, use the form with `sourceLocation:` from StubKitTesting. The default value
/// `#_sourceLocation` names the caller.
///
/// For the other parameters, see `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: RequestMatcher, response: StubResponse, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation
) -> Stub {
  registry.add(condition, .value(response), StubTerms(name, times, priority, location))
}

/// Registers a stub with a closure, on behalf of a function of your own.
///
/// ```swift
/// func stubEcho(at location: StubLocation) -> Stub {
///   stub(condition: isPath("/echo"), at: location) { request in
///     .data(request.stubBody ?? Data())
///   }
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure { request, _ in try await response(request) }, StubTerms(name, times, priority, location))
}

/// Registers a stub with a closure that receives the match, on behalf of a function of your own.
///
/// ```swift
/// func stubUsers(at location: StubLocation) -> Stub {
///   stub(
///     condition: isPath(template: "/users/{id}"), at: location
///   ) { _, match in .text(match["id"] ?? "") }
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(condition, .closure(response), StubTerms(name, times, priority, location))
}

/// Registers a stub with several responses in turn, on behalf of a function of your own.
///
/// ```swift
/// func stubJob(at location: StubLocation) -> Stub {
///   stub(
///     condition: isPath("/job"),
///     responses: [.empty(status: 202), .json(["done": true])],
///     at: location)
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast, name: String? = nil,
  times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation
) -> Stub {
  registry.add(condition, .sequence(responses, afterLast), StubTerms(name, times, priority, location))
}
