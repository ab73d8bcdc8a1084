import Foundation

// The forms of `stub` that take a method and a URL. Stubbing.swift documents the forms with a condition.

/// Registers a stub for a method and a URL.
///
/// ```swift
/// stub(.get, "https://api.example.com/users/42", response: .json(["id": 42]))
/// stub(.get, "/users?page=2", response: .json([]))
/// stub(.post, "/users/{id}/photos", response: .status(201))
/// ```
///
/// It is short for `stub(condition:response:)` with the matchers that the stub prints as its condition:
///
/// - A URL matches as ``isURL(_:)`` does, in the scheme, host, port and path. It is a text, or a `URL`, which has no
///   placeholders.
/// - A text that begins with a slash is a path, whatever the host is.
/// - In a group under a base URL, any other text is a path below it: see ``stubs(under:in:_:)``.
/// - In the path, `{id}` is a placeholder, as in ``isPath(template:)``. A response closure gets the captured text.
/// - The items of a query are required, in any order. Others are allowed. `?tag=a&tag=b` requires both, and
///   `?tag=a&tag=a` requires the item twice. A text that ends with `?` matches only requests without a query.
/// - A condition after `where:` must be met, too:
///
/// ```swift
/// stub(
///   .post, "https://api.example.com/orders",
///   where: hasJSONBody(containing: ["express": true]),
///   response: .status(201))
/// ```
///
/// Everything is written as in a URL: `/a%20b` and `/a b` are the same path, `%2F` is a slash inside of a segment, and
/// `%2A`, `%3A` and `%7B` are a literal `*`, `:` and `{`. User information and the fragment don't count.
///
/// - Parameters:
///   - method: The method, such as `.get`, `.any` or `"PURGE"`.
///   - url: An absolute URL, a path that begins with a slash, or in a group under a base URL the path below it.
///     Anything else is a mistake.
///   - condition: What a request must meet besides. Defaults to `nil`, which is nothing else.
///   - response: The response to send.
///   - name: A name for reports. Defaults to `nil`.
///   - times: The number of requests that the stub answers before it stops matching, at least 1. Defaults to `nil`,
///     which means no limit.
///   - calls: The number of requests that the stub must be chosen for until the end of its test, such as `.once`. If it
///     wasn't, the test has an issue at the line of the stub. Defaults to `nil`, which is any number.
///   - priority: The priority among matching stubs. The highest priority answers. Defaults to 0.
///   - registry: The registry to register the stub in. Defaults to ``StubRegistry/current``.
///   - location: The location of the stub, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the stub, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the stub.
///   - column: The column of the stub.
/// - Returns: The stub, which counts its calls and can be removed.
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, response: StubResponse,
  name: String? = nil, times: Int? = nil, calls: CallCount? = nil,
  priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .value(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub for a method and a URL, with the parameters in the order of the closure forms.
///
/// ```swift
/// stub(.get, "/users", times: 2, response: .json([]))
/// ```
///
/// The parameters are those of
/// ``stub(_:_:where:response:name:times:calls:priority:in:at:fileID:filePath:line:column:)``.
@_disfavoredOverload
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, name: String? = nil,
  times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .value(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub for a method and a URL with a closure that returns the response.
///
/// ```swift
/// stub(.post, "/echo") { request in .data(request.stubBody ?? Data()) }
/// stub(.get, "/next") { _ in await queue.next() }
/// ```
///
/// The parameters are those of
/// ``stub(_:_:where:response:name:times:calls:priority:in:at:fileID:filePath:line:column:)``.
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, name: String? = nil,
  times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .closure { request, _ in try await response(request) },
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub for a method and a URL with a closure that receives the captures of the URL.
///
/// ```swift
/// stub(.get, "https://api.example.com/users/{id}") { _, match in
///   try .json(["id": match("id", as: Int.self)])
/// }
/// ```
///
/// The parameters are those of
/// ``stub(_:_:where:response:name:times:calls:priority:in:at:fileID:filePath:line:column:)``.
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, name: String? = nil,
  times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest, RequestMatch) async throws -> StubResponse
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .closure(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub for a method and a URL with the closure of a hand-written mock.
///
/// ```swift
/// stub(.get, "/users") { request in try mock.respond(to: request) }
/// ```
///
/// The parameters are those of
/// ``stub(_:_:where:response:name:times:calls:priority:in:at:fileID:filePath:line:column:)``.
@_disfavoredOverload
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, name: String? = nil,
  times: Int? = nil, calls: CallCount? = nil, priority: Int = 0,
  in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  response: @escaping @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .mock(response),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

/// Registers a stub for a method and a URL with several responses in turn.
///
/// ```swift
/// stub(.get, "/job", responses: [.failure(.timedOut), .json(["done": true])])
/// ```
///
/// The parameters are those of
/// ``stub(_:_:where:response:name:times:calls:priority:in:at:fileID:filePath:line:column:)``.
@discardableResult
public func stub(
  _ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil, responses: [StubResponse],
  afterLast: SequenceEnd = .repeatLast, name: String? = nil, times: Int? = nil, calls: CallCount? = nil,
  priority: Int = 0, in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Stub {
  registry.add(
    RequestMatcher(method, url, where: condition), .sequence(responses, afterLast),
    name, times, calls, priority, location, fileID, filePath, line, column)
}

extension RequestMatcher {
  /// Creates the matcher for a method and a URL, as `stub(.get, "/users", …)` takes them, and for a further condition.
  package init(_ method: StubMethod, _ url: some StubURL, where condition: RequestMatcher? = nil) {
    let url = url.writtenForStub
    func call(_ url: String) -> String { "stub(\(method), \(url.debugDescription))" }
    do throws(UsageMistake) {
      let parts = try (method == .any ? [] : [StubKit.isMethod(method)]) + Self.parts(of: url, in: call)
      self = parts.dropFirst().reduce(parts[0]) { $0 && $1 }
    } catch {
      self.init(mistake: error.sentence, in: call(url))
    }
    if let condition { self = self && condition }
  }

  /// - Parameter call: Returns the call with a URL, as Swift source.
  private static func parts(of url: String, in call: (String) -> String) throws(UsageMistake) -> [RequestMatcher] {
    if let mistake = url.fault(.impossibleURL) ?? url.fault(.urlTemplate) { throw mistake.sentence(in: call(url)) }
    let parts = url.partsOfURL
    let origin = String(parts.origin)
    let path = String(parts.path).withoutDotSegments
    if origin.isEmpty, path.utf8.first != .slash, let base = StubGroup.current?.baseURLPath {
      return try Self.parts(of: "\(base)/\(url)") {
        call($0.hasPrefix("\(base)/") ? "\($0.dropFirst(base.count + 1))" : $0)
      }
    }
    guard !origin.isEmpty || path.utf8.first == .slash else {
      func cure(_ text: String, or example: String) -> String {
        (RequestMatcher(.any, text).mistake == nil ? text : example).debugDescription
      }
      throw UsageMistake(
        "\(call(url)) has neither a URL nor a path: write \(cure("https://\(url)", or: "https://api.example.com/users")) for "
          + "a URL, or \(cure("/\(url)", or: "/users")) for a path on any host.")
    }
    let query = query(parts.rest)
    if path.has("{") {
      let template = RequestMatcher(try TemplateCriterion(path, isEncoded: true))
      return (origin.isEmpty ? [] : [.url(origin, isBase: true, isChecked: true)]) + [template] + query
    }
    // OHHTTPStubs, issue 235, and Express.
    if let wildcard = path.wildcard(isOfTemplate: true) {
      let template = path.asTemplate(isEncoded: true).map { origin + $0 + parts.rest }
      let isCure = template.map { RequestMatcher(.any, $0).mistake == nil } == true
      throw UsageMistake(
        "\(call(url)) \(wildcard.mistakeOfWildcard(call(isCure ? template ?? "" : "/files/{name}")))")
    }
    return [origin.isEmpty ? try encodedPath(path) : .url(origin + path, isChecked: true)] + query
  }

  /// - Parameter path: The path, percent-encoded where it must be.
  private static func encodedPath(_ path: String) throws(UsageMistake) -> RequestMatcher {
    let text = path.decodedPath
    // Only a template prints a slash in a segment.
    if path.has("%"), path.segmentsOfPath.contains(where: { $0.has("/") }) {
      return RequestMatcher(try TemplateCriterion(path, isEncoded: true))
    }
    return RequestMatcher(.path, .equals(MatchText(text, canonical: text.canonicalPath, isOfURL: true)))
  }

  /// - Parameter text: What follows the path: nothing, a query, a fragment, or both.
  private static func query(_ text: Substring) -> [RequestMatcher] {
    guard text.utf8.first == .question else { return [] }
    let items = NamedValue.query(String((text.cut(at: "#")?.before ?? text).dropFirst()))
    if items.isEmpty { return [hasExactQuery([:])] }
    return items.unique.map { item in
      let all = items.filter { $0 == item }
      return RequestMatcher(ItemsCriterion(.query, all, all.count > 1 ? .repeated : .some))
    }
  }
}
