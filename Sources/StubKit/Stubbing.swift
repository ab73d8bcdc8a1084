import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers every request that meets a condition.
///
/// ```swift
/// stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .json(["id": 42]))
/// ```
///
/// From now on each request of the registry that meets the condition gets the response, whichever `URLSession` makes it.
/// Of several stubs that match, the one of the highest priority answers; of those with the same priority, the newest.
///
/// - Parameters:
///   - condition: What a request must meet: matchers, composed with `&&`, `||` and `!`; or a closure.
///   - response: What comes back.
///   - name: A name for reports; nil for none.
///   - times: How many requests the stub answers before it matches no more, at least 1; nil for any number.
///   - priority: Of several stubs that match, those of the highest priority answer first, and of these the newest. From −32,768 to
///     32,767; 0 by default.
///   - registry: Where it is registered: ``StubRegistry/current`` by default.
///   - fileID: Where the stub is written, for reports; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Returns: The handle: it counts calls and removes the stub.
@discardableResult
public func stub(
  condition: RequestMatcher, response: StubResponse, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    condition, .value(response), StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request that meets a condition, with the arguments in the closures' order.
///
/// See `stub(condition:response:)`.
@_disfavoredOverload
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: StubResponse
) -> Stub {
  registry.add(
    condition, .value(response), StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request that meets a condition with what a closure makes of it.
///
/// ```swift
/// stub(condition: isPath("/echo")) { request in .data(request.stubBody ?? Data()) }
/// ```
///
/// The closure runs once for each request, in a task of its own that sees the requester's task-locals; it may use
/// `URLSession` itself. What it throws is the request's error.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure { request, _ in try response(request) },
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request that meets a condition with what an asynchronous closure makes of it.
///
/// ```swift
/// stub(condition: isPath("/next")) { _ in await queue.next() }
/// ```
///
/// A request that is cancelled cancels the closure's task. What the closure throws is the request's error.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure { request, _ in try await response(request) },
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request that meets a condition with what a closure makes of it and of how it matched.
///
/// ```swift
/// stub(condition: isPath(template: "/users/{id}")) { _, match in .json(["id": "\(match["id"]!)"]) }
/// ```
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure(response), StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers every request that meets a condition with what an asynchronous closure makes of it and of how it matched.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure(response), StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

/// Answers the requests that meet a condition with one response after another.
///
/// ```swift
/// stub(condition: isPath("/job"), responses: [.failure(.timedOut), .json(["done": true])])
/// ```
///
/// - Parameters:
///   - condition: What a request must meet.
///   - responses: The responses, at least one: the first request gets the first.
///   - afterLast: What the requests get that come when all were given: the last one again by default.
///   - name: A name for reports; nil for none.
///   - times: How many requests the stub answers before it matches no more, at least 1; nil for any number.
///   - priority: Of several stubs that match, those of the highest priority answer first, and of these the newest. From −32,768 to
///     32,767; 0 by default.
///   - registry: Where it is registered: ``StubRegistry/current`` by default.
///   - fileID: Where the stub is written, for reports; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Returns: The handle: it counts calls and removes the stub.
@discardableResult
public func stub(
  condition: RequestMatcher, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast,
  name: String? = nil, times: Int? = nil, priority: Int = 0, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    condition, .sequence(responses, afterLast),
    StubTerms(name, times, priority, StubLocation(fileID, filePath, line, column)))
}

extension StubRegistry {
  @discardableResult
  func add(
    _ condition: RequestMatcher, _ responder: Responder, _ terms: StubTerms
  ) -> Stub {
    let group = StubGroup.current
    let condition = group.map { $0.condition && condition } ?? condition
    let stub = Stub(condition: condition, responder: responder, terms: terms, registry: self)
    insert(stub)
    group?.add(stub)
    return stub
  }
}
