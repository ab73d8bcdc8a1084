/// Registers several stubs under a base URL.
///
/// ```swift
/// let api = stubs(under: "https://api.example.com/v1") {
///   stub(.get, "users", response: .json([]))
///   stub(.get, "users/{id}") { _, match in try .json(["id": match("id")]) }
///   stub(.post, "login", response: .json(["token": "t"]))
/// }
/// …
/// api.remove()
/// ```
///
/// In a `stub` with a method and a URL, a text without a slash in front is the path below the base URL. A text that
/// begins with a slash is a whole path. Everything else is as for ``stubs(on:in:_:)`` with ``hasBaseURL(_:)``.
///
/// - Parameters:
///   - url: The base URL, as ``hasBaseURL(_:)`` takes it.
///   - registry: The registry for stubs that name no registry themselves. Defaults to ``StubRegistry/current``.
///   - body: A closure that registers the stubs. It runs immediately.
/// - Returns: The group, which counts the calls of its stubs and removes them.
/// - Throws: The error that the body throws.
@discardableResult
public func stubs(
  under url: some StubURL, in registry: StubRegistry = .current, _ body: () throws -> Void
) rethrows -> StubGroup {
  try stubs(on: hasBaseURL(url), in: registry, body)
}

/// Registers several stubs that share a condition.
///
/// ```swift
/// let german = stubs(on: hasHeader("Accept-Language", "de")) {
///   stub(.get, "/greeting", response: .text("Grüezi"))
///   stub(.get, "/farewell", response: .text("Adieu"))
/// }
/// …
/// german.remove()
/// ```
///
/// Each stub that the closure registers requires the condition of the group and its own condition, and prints both:
/// `hasHeader("Accept-Language", "de") && isPath("/greeting")`. Groups can be nested. If the closure throws an error,
/// the stubs that it has registered are removed. For the stubs of a base URL, write ``stubs(under:in:_:)``.
///
/// - Parameters:
///   - condition: The condition that all requests of the group must meet.
///   - registry: The registry for stubs that name no registry themselves. Defaults to ``StubRegistry/current``.
///   - body: A closure that registers the stubs. It runs immediately.
/// - Returns: The group, which counts the calls of its stubs and removes them.
/// - Throws: The error that the body throws.
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

extension StubGroup {
  /// The path of the innermost base URL, percent-encoded and without a slash at its end, or `nil` if there is none.
  var baseURLPath: String? { condition.node.base }
}

extension RequestMatcher.Node {
  /// The path of the innermost base URL.
  fileprivate var base: String? {
    switch self {
    case .group(isEither: false, let children, _): children.reversed().lazy.compactMap(\.base).first
    case .criterion(let criterion): (criterion as? URLCriterion)?.encodedBasePath
    case .group, .not, .closure: nil
    }
  }
}
