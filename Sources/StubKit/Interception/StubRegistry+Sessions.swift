import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sessions that belong to a registry, wherever they are used from.
///
/// Where a request is made in the code of a scope, in its child tasks or in a `Task { }`, it finds the scope's registry by
/// itself, and so does a session that was made there. These are for what is left: clients that were made elsewhere, and
/// registries without a scope.
extension StubRegistry {
  /// Has every session that is made from the configuration belong to this registry, from any queue and any task.
  ///
  /// ```swift
  /// let registry = StubRegistry()
  /// let configuration = URLSessionConfiguration.af.default
  /// registry.install(in: configuration)
  /// let client = Session(configuration: configuration)  // hops queues as it likes
  /// ```
  ///
  /// It goes before everything else that could say which registry is asked, and before the configuration's own protocol
  /// classes. A registry that is installed outside of its scope lives on for the sessions; in a scope it lives as long as the
  /// scope, and then the sessions' requests fail with ``StubScopeEndedError``, unless someone else still holds it.
  public func install(in configuration: URLSessionConfiguration) {
    SessionInstallation.install(self, in: configuration)
    if scopes.isEmpty { SessionMarks.shared.keep(self) }
  }

  /// A session that belongs to this registry, from any queue and any task.
  ///
  /// ```swift
  /// let registry = StubRegistry()
  /// stub(condition: isPath("/users"), response: .json([]), in: registry)
  /// let client = Client(session: registry.makeSession())
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: What the session is made from; a copy of it belongs to the registry. Ephemeral by default.
  ///   - delegate: The session's delegate, nil for none.
  ///   - delegateQueue: The queue on which the delegate is called; nil for a serial one of the session's own.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
    install(in: copy)
    return URLSession(configuration: copy, delegate: delegate, delegateQueue: delegateQueue)
  }
}
