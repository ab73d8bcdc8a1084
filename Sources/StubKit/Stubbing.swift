import Foundation

#if canImport(FoundationNetworking)
  // On Linux, URLSession is in a module of its own. Importing StubKit also imports it, so a test needs no `#if`.
  @_exported import FoundationNetworking
#endif

/// Registers a stub that answers matching requests with a response.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isURL("https://api.example.com/users/42"),
///   response: .json(["id": 42]))
/// ```
///
/// The stub answers every later request of the registry that meets the condition, whichever `URLSession` makes it. If
/// several stubs match, the one with the highest priority answers, and among stubs of equal priority the newest one.
///
/// `calls:` says how often the stub must be chosen, and the end of the test judges it, as `expectCalls(to:_:)` would.
/// `times:` is another number: that of the requests which the stub answers at most.
///
/// ```swift
/// stub(.post, "/login", response: .json(["token": "t"]), calls: .once)
/// ```
///
/// A stub that is removed is judged when it is removed. A ``withStubs(in:isolation:_:)`` judges its own stubs
/// at its end. Outside of every scope, nothing does, so `calls:` is a mistake there. If a test throws an error, only
/// too many calls are an issue.
///
/// A function of your own passes on the location of its caller:
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
/// the function. With Swift Testing, take a `SourceLocation`, whose default value `#_sourceLocation` names the caller,
/// and pass it as `at: .init(sourceLocation)` with StubKitTesting.
///
/// - Parameters:
///   - condition: The condition that a request must meet: matchers, combined with `&&`, `||` and `!`, or a closure.
///   - response: The response to send.
///   - name: A name for reports. Defaults to `nil`.
///   - times: The number of requests that the stub answers before it stops matching, at least 1. Defaults to `nil`,
///     which means no limit.
///   - calls: The number of requests that the stub must be chosen for until the end of its test, such as `.once`. If it
///     wasn't, the test has an issue at the line of the stub. Defaults to `nil`, which is any number.
///   - priority: The priority among matching stubs. The highest priority answers, and priorities beyond `Int32`
///     count as its limits. Defaults to 0.
///   - registry: The registry to register the stub in. Defaults to ``StubRegistry/current``.
///   - location: The location of the stub, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the stub, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the stub.
///   - column: The column of the stub.
/// - Returns: The stub, which counts its calls and can be removed.
@discardableResult
public func stub(
  condition: RequestMatcher, response: StubResponse, name: String? = nil, times: Int? = nil, calls: CallCount? = nil,
  priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    condition, .value(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub that answers matching requests with a response, with the parameters in the order of the closure
/// forms.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isURL("https://api.example.com/users/42"),
///   name: "Ann", times: 1,
///   response: .json(["id": 42]))
/// ```
///
/// The parameters are those of `stub(condition:response:)`.
@_disfavoredOverload
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: StubResponse
) -> Stub {
  registry.add(
    condition, .value(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub that answers matching requests with the response that a closure returns.
///
/// ```swift
/// stub(
///   condition: isMethod(.post) && isURL("https://api.example.com/echo")
/// ) { request in
///   .data(request.stubBody ?? Data())
/// }
/// stub(
///   condition: isMethod(.get) && isURL("https://api.example.com/next")
/// ) { _ in await queue.next() }
/// ```
///
/// The closure runs once for each request, in a task of its own that sees the task-local values of the requester. It
/// can use `URLSession` itself, and can belong to an actor: `{ @MainActor request in … }`. If it throws an error, the
/// request fails with that error. If the request is cancelled, the task of the closure is cancelled too.
///
/// The parameters are those of `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure { request, _ in try await response(request) },
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub that answers matching requests with what the closure of a hand-written mock returns. For its
/// captures, return `StubResponse(response, body)` from a closure that receives a match.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isURL("https://api.example.com/users")
/// ) { request in
///   (
///     HTTPURLResponse(
///       url: request.url!, statusCode: 200, httpVersion: nil,
///       headerFields: nil)!,
///     Data("[]".utf8)
///   )
/// }
/// ```
///
/// The parameters are those of `stub(condition:response:)`.
@_disfavoredOverload
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)
) -> Stub {
  registry.add(
    condition, .mock(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub that answers matching requests with the response that a closure returns for the request and the
/// match.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isHost("api.example.com")
///     && isPath(template: "/users/{id}")
/// ) { _, match in
///   try .json(["id": match("id")])
/// }
/// ```
///
/// The parameters are those of `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: RequestMatcher, name: String? = nil, times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(
    condition, .closure(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub that answers matching requests with several responses in turn.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isURL("https://api.example.com/job"),
///   responses: [.failure(.timedOut), .json(["done": true])])
/// ```
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - responses: The responses, at least one. The first request receives the first response.
///   - afterLast: What happens after the last response. Defaults to repeating it.
///   - name: A name for reports. Defaults to `nil`.
///   - times: The number of requests that the stub answers before it stops matching, at least 1. Defaults to `nil`,
///     which means no limit.
///   - calls: The number of requests that the stub must be chosen for until the end of its test, such as `.once`. If it
///     wasn't, the test has an issue at the line of the stub. Defaults to `nil`, which is any number.
///   - priority: The priority among matching stubs. The highest priority answers, and priorities beyond `Int32`
///     count as its limits. Defaults to 0.
///   - registry: The registry to register the stub in. Defaults to ``StubRegistry/current``.
///   - location: The location of the stub, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the stub, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the stub.
///   - column: The column of the stub.
/// - Returns: The stub, which counts its calls and can be removed.
@discardableResult
public func stub(
  condition: RequestMatcher, responses: [StubResponse], afterLast: SequenceEnd = .repeatLast,
  name: String? = nil, times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current,
  at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    condition, .sequence(responses, afterLast),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

extension StubRegistry {
  /// Adds a stub whose location is the given one, or else that of the call.
  func add(
    _ condition: RequestMatcher, _ responder: Responder, _ name: String?, _ times: Int?, _ calls: CallCount?,
    _ priority: Int, _ location: StubLocation?, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt,
    _ column: UInt
  ) -> Stub {
    add(
      condition, responder, name: name, times: times, calls: calls, priority: priority,
      at: location ?? StubLocation(fileID, filePath, line, column))
  }

  @discardableResult
  package func add(
    _ condition: RequestMatcher, _ responder: Responder, name: String? = nil, times: Int? = nil,
    calls: CallCount? = nil, priority: Int = 0, isLast: Bool = false, turns: Int = .max, at location: StubLocation
  ) -> Stub {
    let group = StubGroup.current
    let condition = group.map { $0.condition && condition } ?? condition
    let stub = Stub(
      condition: condition, responder: responder, name: name, times: times, priority: priority, isLast: isLast,
      turns: turns, location: location, registry: self)
    insert(stub)
    if let calls { expect(calls, of: stub) }
    group?.add(stub)
    return stub
  }
}

// MARK: Closures as conditions

/// Registers a stub that answers each request for which a closure returns `true`.
///
/// ```swift
/// stub(
///   condition: { $0.url?.host == "api.example.com" },
///   response: .status(204))
/// ```
///
/// A closure costs more than a matcher, and a report can't explain why it didn't match. For the parameters, see
/// `stub(condition:response:)`. Wherever else a condition fits, write a closure as ``RequestMatcher/matching(_:_:)``.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, response: StubResponse, name: String? = nil, times: Int? = nil,
  calls: CallCount? = nil, priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .value(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub whose condition is a closure, with a closure that returns the response.
///
/// ```swift
/// stub(condition: { $0.timeoutInterval < 5 }) { request in
///   .text("Asked for \(request.url?.path ?? "")")
/// }
/// ```
///
/// The parameters are those of `stub(condition:response:)`.
@discardableResult
public func stub(
  condition: @escaping @Sendable (URLRequest) -> Bool, name: String? = nil, times: Int? = nil, calls: CallCount? = nil,
  priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(closure: condition), .closure { request, _ in try await response(request) },
    name, times, calls, priority, location, fileID, filePath, line, column)
}
