import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The forms of `stub` whose condition is a closure. The forms with a matcher, in Stubbing.swift, say what they mean.

/// Answers every request for which a closure says true.
///
/// ```swift
/// stub(condition: { $0.url?.host == "api.example.com" }, response: .empty())
/// ```
///
/// A closure costs more than a matcher and cannot be explained when it does not match: see
/// `stub(condition:response:)` for the parameters.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, response: StubResponse, name: String? = nil, times: Int? = nil,
  priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .value(response),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request for which a closure says true, with the arguments in the closures' order.
@_disfavoredOverload
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .value(response),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request for which one closure says true with what another makes of it.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure { request, _ in try response(request) },
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request for which one closure says true with what an asynchronous one makes of it.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure { request, _ in try await response(request) },
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request for which one closure says true with what another makes of it and of the number of its call.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure(response),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request for which one closure says true with what an asynchronous one makes of it and of the number of its
/// call.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure(response),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers the requests for which a closure says true with one response after another.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast,
  name: String? = nil, times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .sequence(responses, afterLast),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}
