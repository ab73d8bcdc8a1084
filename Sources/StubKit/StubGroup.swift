/// Registers several stubs that share a condition.
///
/// ```swift
/// let api = stubs(on: hasBaseURL("https://api.example.com/v1")) {
///   stub(condition: isPath("/v1/users"), response: .json([]))
///   stub(condition: isPath("/v1/login"), response: .json(["token": "t"]))
/// }
/// …
/// api.remove()
/// ```
///
/// Each stub that the closure registers requires the condition of the group and its own condition, and prints both:
/// `hasBaseURL("https://api.example.com/v1") && isPath("/v1/users")`. Groups can be nested. If the closure throws an
/// error, the stubs that it has registered are removed.
///
/// - Parameters:
///   - condition: The condition that all requests of the group must meet.
///   - registry: The registry for stubs that name no registry themselves. Defaults to ``StubRegistry/current``.
///   - body: A closure that registers the stubs. It runs immediately.
/// - Returns: The group, which counts the calls of its stubs and removes them.
@discardableResult
public func stubs(
  on condition: RequestMatcher, in registry: StubRegistry = .current, _ body: () throws -> Void
) rethrows -> StubGroup {
  let group = StubGroup(condition, in: StubGroup.current)
  do {
    let local = registry === StubRegistry.current ? StubRegistry.local : registry
    try StubGroup.$current.withValue(group) { try StubRegistry.$local.withValue(local, operation: body) }
  } catch {
    group.remove()
    throw error
  }
  return group
}

/// A group of stubs that share a condition, as `stubs(on:in:_:)` returns it.
///
/// A registry keeps its stubs alive, so you don't have to keep the group.
public final class StubGroup: Sendable, CustomStringConvertible {
  @TaskLocal static var current: StubGroup?

  /// The condition that all requests of the group must meet, including the conditions of surrounding groups.
  public let condition: RequestMatcher
  private let outer: StubGroup?
  private let members = Protected<[Stub]>([])

  init(_ condition: RequestMatcher, in outer: StubGroup?) {
    self.condition = outer.map { $0.condition && condition } ?? condition
    self.outer = outer
  }

  /// The stubs of the group and of the groups in it, oldest first. Removed stubs stay in this list.
  public var stubs: [Stub] { members.current }

  /// The number of requests that the group's stubs were chosen for.
  public var callCount: Int { stubs.reduce(0) { $0 + $1.callCount } }

  /// Removes all stubs of the group from their registry. Requests that they were chosen for earlier are still
  /// answered.
  public func remove() {
    for stub in stubs { stub.remove() }
  }

  /// The condition, and each stub with the number of its calls, on a line of its own.
  public var description: String { "\(condition): \(stubs.linesWithCalls)" }

  func add(_ stub: Stub) {
    members.withLock { $0.append(stub) }
    outer?.add(stub)
  }
}

/// Matches URLs with exactly this path below the base URL of its group.
///
/// ```swift
/// stubs(on: hasBaseURL("https://api.example.com/v1")) {
///   // https://api.example.com/v1/users
///   stub(condition: isSubpath("users"), response: .json([]))
/// }
/// ```
///
/// The base URL is that of the innermost ``hasBaseURL(_:)-(String)`` among the conditions of the groups around the
/// call. Everything else is as for ``isPath(_:)``. A slash in front doesn't count.
///
/// - Parameter path: The decoded path, without that of the base URL. Mistakes are those of ``isPath(_:)``, and
///   that there is no base URL.
public func isSubpath(_ path: String) -> RequestMatcher {
  .below("isSubpath(\(path.debugDescription))") { isPath($0.path + path.asPath) }
}

/// Matches URLs whose path has a shape below the base URL of its group, and captures the text in place of the braces.
///
/// ```swift
/// stubs(on: hasBaseURL("https://api.example.com/v1")) {
///   stub(condition: isSubpath(template: "users/{id}")) { _, match in
///     try .json(["id": match("id")])
///   }
/// }
/// ```
///
/// The base URL is that of ``isSubpath(_:)``. Everything else is as for ``isPath(template:)``.
///
/// - Parameter template: The template, without the path of the base URL. A mistake if it is one in
///   ``isPath(template:)``, or if there is no base URL.
public func isSubpath(template: String) -> RequestMatcher {
  .below("isSubpath(template: \(template.debugDescription))") { isPath(template: $0.template + template.asPath) }
}

extension RequestMatcher {
  /// - Parameter matcher: The matcher for the path with that of the base URL.
  fileprivate static func below(
    _ call: String, _ matcher: (_ base: (path: String, template: String)) -> RequestMatcher
  ) -> RequestMatcher {
    guard let base = StubGroup.current?.condition.node.base else {
      return RequestMatcher(mistake: "\(call) has no base URL: write it in stubs(on: hasBaseURL(…)) { … }.", in: call)
    }
    return matcher(base)
  }
}

extension RequestMatcher.Node {
  /// The path of the innermost base URL.
  fileprivate var base: (path: String, template: String)? {
    switch self {
    case .group(isEither: false, let children, _): children.reversed().lazy.compactMap(\.base).first
    case .criterion(let criterion): (criterion as? URLCriterion)?.base
    case .group, .not, .closure: nil
    }
  }
}
