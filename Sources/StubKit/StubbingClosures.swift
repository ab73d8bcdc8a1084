import Foundation

// The forms of `stub` whose condition is a closure. Stubbing.swift documents the forms with a matcher.

/// Registers a stub that answers each request for which a closure returns `true`.
///
/// ```swift
/// stub(
///   condition: { $0.url?.host == "api.example.com" },
///   response: .empty())
/// ```
///
/// A closure costs more than a matcher, and a report can't explain why it didn't match. For the parameters, see
/// `stub(condition:response:)`. In the other forms of `stub`, write a closure as `RequestMatcher("…") { … }`.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, response: StubResponse, name: String? = nil, times: Int? = nil,
  priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .value(response),
    name: name, times: times, priority: priority, at: location ?? StubLocation(fileID, filePath, line, column))
}

/// Registers a stub whose condition is a closure, with a closure that returns the response.
///
/// ```swift
/// stub(condition: { $0.timeoutInterval < 5 }) { request in
///   .text("Asked for \(request.url?.path ?? "")")
/// }
/// ```
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure { request, _ in try response(request) },
    name: name, times: times, priority: priority, at: location ?? StubLocation(fileID, filePath, line, column))
}

/// Registers a stub whose condition is a closure, with several responses in turn.
///
/// ```swift
/// stub(
///   condition: { $0.timeoutInterval < 5 },
///   responses: [.failure(.timedOut), .json(["done": true])])
/// ```
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast,
  name: String? = nil, times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current,
  at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .sequence(responses, afterLast),
    name: name, times: times, priority: priority, at: location ?? StubLocation(fileID, filePath, line, column))
}
