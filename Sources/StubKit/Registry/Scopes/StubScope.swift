import Foundation

/// Runs code in a scope: it has its own stubs, and code outside doesn't see its stubs and requests.
///
/// ```swift
/// let user = try await withStubs {
///   stub(condition: isPath("/users/42"), response: .json(["id": 42]))
///   return try await client.user(42)
/// }
/// ```
///
/// Child tasks, task groups and `Task { }` that start inside belong to the scope too. A detached task and a plain
/// queue don't. When the outermost scope of a registry ends, requests that are still in flight fail with
/// ``StubScopeEndedError``.
///
/// - Parameters:
///   - registry: The registry to use. Defaults to a new one. Pass ``StubRegistry/current`` to share the stubs of the
///     enclosing scope.
///   - isolation: The actor that runs the body. Defaults to that of the caller.
///   - body: The code to run. If it contains `#expect(try …)`, begin it with `() async throws in`, or better assign
///     the value to a constant first. Swift does not infer from a macro that a closure throws.
/// - Returns: The value that the body returns.
@discardableResult
public func withStubs<R>(
  registry: StubRegistry = .init(), isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R {
  registry.enterScope()
  defer { registry.leaveScope() }
  return try await StubRegistry.$local.withValue(registry, operation: body)
}

/// Runs synchronous code in a scope. See ``withStubs(registry:isolation:_:)``.
@discardableResult
public func withStubs<R>(registry: StubRegistry = .init(), _ body: () throws -> R) rethrows -> R {
  registry.enterScope()
  defer { registry.leaveScope() }
  return try StubRegistry.$local.withValue(registry, operation: body)
}

/// An error that says that the scope of a request has ended. The request was still in flight, or a session of the
/// scope made it later.
///
/// Wait for the request inside the scope, or cancel it there. Don't let a session outlive the scope that created it,
/// as a static session does if a test is the first to use it.
public struct StubScopeEndedError: StubKitError, Hashable {
  /// A Boolean value that indicates whether the request was made after the end, and belongs to the scope only by its
  /// session.
  private let isBySession: Bool

  init(isBySession: Bool = false) { self.isBySession = isBySession }

  /// What happened, and what to do about it.
  public var description: String {
    guard isBySession else {
      return "The withStubs scope (or stubbed test) that the request belongs to ended while the request was in flight. "
        + "Wait for the request inside the scope, or cancel it there."
    }
    return "The request's session was created in a withStubs scope (or stubbed test) that has ended, or belongs to its "
      + "registry. Create a session in each scope. If a session outlives the scopes, as a static one does, create it "
      + "outside of every scope."
  }

  /// The code of the error as an `NSError`: 1 for a request that was in flight at the end, 2 for a later one.
  public var errorCode: Int { isBySession ? 2 : 1 }
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
