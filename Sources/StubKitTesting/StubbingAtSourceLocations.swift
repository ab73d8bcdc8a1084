import Foundation
import StubKit
import Testing

// The forms of `stub` that take the source location of their caller.

/// Registers a stub with a response, on behalf of a function of your own.
///
/// ```swift
/// func stubUser(
///   _ id: Int, sourceLocation: SourceLocation = #_sourceLocation
/// ) -> Stub {
///   stub(
///     condition: isPath("/users/\(id)"), response: .json(["id": id]),
///     sourceLocation: sourceLocation)
/// }
///
/// stubUser(42)  // Reports name this line.
/// ```
///
/// For the other parameters, see `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: RequestMatcher, response: StubResponse, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, sourceLocation: SourceLocation
) -> Stub {
  StubKit.stub(
    condition: condition, response: response, name: name, times: times, priority: priority, in: registry,
    at: StubLocation(sourceLocation))
}

/// Registers a stub with a closure, on behalf of a function of your own.
///
/// ```swift
/// func stubEcho(sourceLocation: SourceLocation = #_sourceLocation) -> Stub {
///   stub(
///     condition: isPath("/echo"), sourceLocation: sourceLocation
///   ) { request in .data(request.stubBody ?? Data()) }
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, sourceLocation: SourceLocation,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  StubKit.stub(
    condition: condition, name: name, times: times, priority: priority, in: registry,
    at: StubLocation(sourceLocation), response: response)
}

/// Registers a stub with a closure that receives the match, on behalf of a function of your own.
///
/// ```swift
/// func stubUsers(
///   sourceLocation: SourceLocation = #_sourceLocation
/// ) -> Stub {
///   stub(
///     condition: isPath(template: "/users/{id}"),
///     sourceLocation: sourceLocation
///   ) { _, match in .text(match["id"] ?? "") }
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, sourceLocation: SourceLocation,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  StubKit.stub(
    condition: condition, name: name, times: times, priority: priority, in: registry,
    at: StubLocation(sourceLocation), response: response)
}

/// Registers a stub with several responses in turn, on behalf of a function of your own.
///
/// ```swift
/// func stubJob(sourceLocation: SourceLocation = #_sourceLocation) -> Stub {
///   stub(
///     condition: isPath("/job"),
///     responses: [.status(202), .json(["done": true])],
///     sourceLocation: sourceLocation)
/// }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast, name: String? = nil,
  times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current, sourceLocation: SourceLocation
) -> Stub {
  StubKit.stub(
    condition: condition, responses: responses, afterLast: afterLast, name: name, times: times, priority: priority,
    in: registry, at: StubLocation(sourceLocation))
}

/// Registers a stub for a method and a URL, on behalf of a function of your own.
///
/// ```swift
/// func stubUser(
///   _ id: Int, sourceLocation: SourceLocation = #_sourceLocation
/// ) -> Stub {
///   stub(
///     .get, "/users/\(id)", response: .json(["id": id]),
///     sourceLocation: sourceLocation)
/// }
/// ```
@discardableResult
public func stub(
  _ method: StubMethod, _ url: String, response: StubResponse, name: String? = nil, times: Int? = nil,
  priority: Int = 0, in registry: StubRegistry = .current, sourceLocation: SourceLocation
) -> Stub {
  StubKit.stub(
    method, url, response: response, name: name, times: times, priority: priority, in: registry,
    at: StubLocation(sourceLocation))
}

/// Registers a stub for a method and a URL with a closure, on behalf of a function of your own.
///
/// ```swift
/// stub(.post, "/echo", sourceLocation: sourceLocation) { request in
///   .data(request.stubBody ?? Data())
/// }
/// ```
@discardableResult
public func stub(
  _ method: StubMethod, _ url: String, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, sourceLocation: SourceLocation,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  StubKit.stub(
    method, url, name: name, times: times, priority: priority, in: registry, at: StubLocation(sourceLocation),
    response: response)
}

/// Registers a stub for a method and a URL with a closure that receives the captures, on behalf of a function of your own.
///
/// ```swift
/// stub(.get, "/users/{id}", sourceLocation: sourceLocation) { _, match in
///   try .json(["id": match("id", as: Int.self)])
/// }
/// ```
@discardableResult
public func stub(
  _ method: StubMethod, _ url: String, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, sourceLocation: SourceLocation,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  StubKit.stub(
    method, url, name: name, times: times, priority: priority, in: registry, at: StubLocation(sourceLocation),
    response: response)
}

/// Registers a stub for a method and a URL with several responses in turn, on behalf of a function of your own.
///
/// ```swift
/// stub(
///   .get, "/job", responses: [.status(202), .ok],
///   sourceLocation: sourceLocation)
/// ```
@discardableResult
public func stub(
  _ method: StubMethod, _ url: String, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast,
  name: String? = nil, times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current,
  sourceLocation: SourceLocation
) -> Stub {
  StubKit.stub(
    method, url, responses: responses, afterLast: afterLast, name: name, times: times, priority: priority, in: registry,
    at: StubLocation(sourceLocation))
}

extension StubLocation {
  package init(_ location: SourceLocation) {
    // Swift Testing has `filePath` since 6.3. Before, it has only the name with the underscore.
    #if compiler(>=6.3)
      let path = location.filePath
    #else
      let path = location._filePath
    #endif
    self.init(fileID: location.fileID, filePath: path, line: location.line, column: location.column)
  }
}
