import Foundation

/// Sessions that always belong to a registry.
///
/// A request in the code of a scope, in its child tasks or in a `Task { }` finds the scope's registry by itself, and
/// so does a session that was created there. Use these methods for clients that were created elsewhere, and for
/// registries without a scope.
extension StubRegistry {
  /// Binds every session that is created from a configuration to this registry, on any queue and in any task.
  ///
  /// ```swift
  /// let registry = StubRegistry()
  /// let configuration = URLSessionConfiguration.af.default
  /// registry.install(in: configuration)
  /// // This client can use any queue.
  /// let client = Session(configuration: configuration)
  /// ```
  ///
  /// The binding takes precedence over everything else that could determine the registry, and over the
  /// configuration's own protocol classes. The sessions keep a registry alive that is installed outside of its scope.
  /// A registry that is installed in a scope lives as long as the scope, unless other code holds it. After that,
  /// the sessions' requests fail with ``StubScopeEndedError``.
  public func install(in configuration: URLSessionConfiguration) {
    SessionInstallation.install(self, in: configuration)
    if scopes.isEmpty { SessionMarks.shared.keep(self) }
  }

  /// Returns a session that belongs to this registry, on any queue and in any task.
  ///
  /// ```swift
  /// let registry = StubRegistry()
  /// stub(condition: isPath("/users"), response: .json([]), in: registry)
  /// let client = Client(session: registry.makeSession())
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session. A copy of it belongs to the registry. Defaults to an
  ///     ephemeral one.
  ///   - delegate: The delegate of the session. Defaults to `nil`.
  ///   - delegateQueue: The queue of the delegate. Defaults to `nil`, which stands for a serial queue of the session.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    // Outside of the scope, so that the copy takes no class of the scope for sessions that are created in it.
    let copy = StubRegistry.$local.withValue(nil) { configuration.copy() as? URLSessionConfiguration ?? configuration }
    install(in: copy)
    return URLSession(configuration: copy, delegate: delegate, delegateQueue: delegateQueue)
  }
}
