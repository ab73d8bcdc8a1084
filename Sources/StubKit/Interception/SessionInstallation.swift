import Foundation

/// How `StubURLProtocol` gets into the configurations of URLSession.
///
/// The classes of a configuration contain at most one of StubKit's: the plain class, one that says which registry the
/// session belongs to, or the class that excludes the session.
package enum SessionInstallation {
  /// Ensures that sessions are intercepted, including those that exist already. The first call does it. Don't call
  /// this on URLSession's own queues.
  static func activate() { installation }

  private static let installation: Void = StubRegistry.$local.withValue(nil) { Platform.install() }

  /// Ensures, beyond that, that the running test is known. The first call does it. It takes longer, and a process
  /// without a registry besides the global one doesn't need it.
  static func activateScopes() { scopeInstallation }

  private static let scopeInstallation: Void = {
    activate()
    RunningTest.findFramework()
  }()

  /// Returns the classes of a configuration with StubKit's in its place: after the user's own, and before the
  /// system's. A handwritten mock continues to answer the session that names it. With `nil`, a session loads by the
  /// system's classes, as with an empty list.
  static func intercepted(_ classes: [AnyClass]?) -> [AnyClass] {
    var classes = classes ?? []
    guard let position = classes.firstIndex(where: isOurs) else {
      return inserting(StubURLProtocol.self, into: classes)
    }
    // In a list that was reversed or sorted, a loader of the system can come first, and take everything.
    guard classes[..<position].contains(where: Platform.isSystemLoader) else { return classes }
    let own: AnyClass = classes.remove(at: position)
    return inserting(own, into: classes)
  }

  /// Returns the classes of a session that is being created. They name its scope, unless they belong to a registry
  /// already. Outside of every scope, they still name the scope of the configuration while it lasts. Returns `nil` if
  /// they don't change.
  static func marked(_ classes: [AnyClass]) -> [AnyClass]? {
    let registry = StubRegistry.local
    guard let position = classes.firstIndex(where: isOurs) else {
      return registry.map { inserting($0.mark(.madeIn), into: classes) }
    }
    if let registry, position > 0 { registry.noteEarlierLoaders(classes[..<position]) }
    let mark = (classes[position] as? StubURLProtocol.Type)?.mark
    guard classes[position] != Unstubbed.self, mark?.kind != .installed else { return nil }
    guard registry != nil || mark.map({ $0.registry?.inFlight.isOutsideOfScopes ?? true }) == true else { return nil }
    var classes = classes
    classes[position] = registry?.mark(.madeIn) ?? StubURLProtocol.self
    return classes
  }

  /// Excludes the sessions that are created from a configuration.
  package static func leaveAlone(_ configuration: URLSessionConfiguration) { put(Unstubbed.self, in: configuration) }

  /// Binds the sessions that are created from a configuration to the registry whose mark a class is.
  static func put(_ type: AnyClass, in configuration: URLSessionConfiguration) {
    activate()
    configuration.protocolClasses = [type] + (configuration.protocolClasses ?? []).filter { !isOurs($0) }
  }

  static func isIntercepted(_ configuration: URLSessionConfiguration) -> Bool {
    configuration.protocolClasses?.contains { $0 is StubURLProtocol.Type } == true
  }

  private static func isOurs(_ type: AnyClass) -> Bool { type is StubURLProtocol.Type || type == Unstubbed.self }

  private static func inserting(_ type: AnyClass, into classes: [AnyClass]) -> [AnyClass] {
    var classes = classes
    classes.insert(type, at: classes.firstIndex(where: Platform.isSystemLoader) ?? classes.endIndex)
    return classes
  }
}

/// Marks a configuration that is excluded. It loads nothing.
class Unstubbed: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}

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
  /// configuration's own protocol classes. A registry that is installed outside of its scope stays alive as long as the
  /// process, because StubKit can't tell which of the sessions is the last one.
  /// A registry that is installed in a scope lives as long as the scope, unless other code keeps it. After that,
  /// the sessions' requests fail with ``StubScopeEndedError``.
  public func install(in configuration: URLSessionConfiguration) {
    SessionInstallation.put(mark(.installed), in: configuration)
    if inFlight.isOutsideOfScopes { SessionMark.keep(self) }
  }

  /// Returns a session that belongs to this registry, on any queue and in any task.
  ///
  /// ```swift
  /// let registry = StubRegistry()
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .json([]), in: registry)
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
