import Foundation

/// Runs code with stubs of its own: what it registers, and the requests it makes, are invisible to everything outside.
///
/// ```swift
/// let user = try await withStubs {
///   stub(condition: isPath("/users/42"), response: .json(["id": 42]))
///   return try await client.user(42)
/// }
/// ```
///
/// Child tasks, task groups and `Task { }` made inside belong to the scope too; a detached task and a plain queue do not.
/// What is still in flight when the outermost scope of a registry ends fails with ``StubScopeEndedError``.
///
/// - Parameters:
///   - registry: The registry to use, a new one by default. Giving ``StubRegistry/current`` shares the enclosing one's stubs.
///   - isolation: The actor the body runs on: the caller's.
///   - body: The code. With `#expect(try …)` in it, it begins with `() async throws in`, or better binds the value first: Swift does
///     not infer from a macro that a closure throws.
/// - Returns: What the body returns.
@discardableResult
public func withStubs<R>(
  registry: StubRegistry = .init(), isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R {
  registry.enterScope()
  defer { registry.leaveScope() }
  return try await StubRegistry.$local.withValue(registry, operation: body)
}

/// Runs code with stubs of its own, synchronously. See ``withStubs(registry:isolation:_:)``.
@discardableResult
public func withStubs<R>(registry: StubRegistry = .init(), _ body: () throws -> R) rethrows -> R {
  registry.enterScope()
  defer { registry.leaveScope() }
  return try StubRegistry.$local.withValue(registry, operation: body)
}

/// The error of a request whose scope has ended: it was still in flight then, or it was made later, by a session of the scope's.
///
/// Wait for the request inside the scope, or cancel it there; and let no session outlive the scope in which it was made, as a
/// static one does that a test is the first to use.
public struct StubScopeEndedError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// Whether the request was made after the end, and belongs to the scope by its session only.
  private let isBySession: Bool

  init(isBySession: Bool = false) { self.isBySession = isBySession }

  /// What happened, and the cure.
  public var description: String {
    guard isBySession else {
      return "The withStubs scope (or stubbed test) that the request belongs to ended while the request was in flight. "
        + "Wait for the request inside the scope, or cancel it there."
    }
    return "The request's session was made in a withStubs scope (or stubbed test) that has ended, or was bound to its "
      + "registry. Make a session in each scope; one that outlives them, a static one say, make outside of every scope."
  }

  /// What happened, and the cure.
  public var errorDescription: String? { description }
}

extension StubRegistry {
  fileprivate func enterScope() {
    scopes.enter()
    LivingScopes.shared.enter(self, inside: StubRegistry.local)
  }

  fileprivate func leaveScope() {
    LivingScopes.shared.leave(self)
    guard scopes.leave() else { return }
    loads.endAll(with: StubScopeEndedError())
  }
}
