import Foundation

/// How `StubURLProtocol` gets into the configurations of URLSession.
///
/// The classes of a configuration contain at most one of StubKit's: the plain class, one that says which registry the
/// session belongs to, or the class that excludes the session.
package enum SessionInstallation {
  /// Ensures that sessions are intercepted, including those that exist already. The first call does it. Don't call
  /// this on URLSession's own queues.
  static func activate() { _ = isActive }

  private static let isActive: Bool = {
    StubRegistry.$local.withValue(nil) { Platform.install() }
    return true
  }()

  /// Ensures, beyond that, that sessions and callbacks belong to the scope that created them. The first call does it.
  /// It takes longer, and a process without a registry besides the global one doesn't need it.
  static func activateScopes() { _ = hasScopes }

  private static let hasScopes: Bool = {
    activate()
    StubRegistry.$local.withValue(nil) { Platform.installScopes() }
    RunningTest.findFramework()
    return true
  }()

  /// Returns the classes of a configuration with StubKit's in its place: after the user's own, and before the
  /// system's. A handwritten mock continues to answer the session that names it.
  static func intercepted(_ classes: [AnyClass]) -> [AnyClass] {
    classes.contains(where: isOurs) ? classes : inserting(StubURLProtocol.self, into: classes)
  }

  /// Returns the classes of a session that is being created. They name its scope, unless they belong to a registry
  /// already. Outside of every scope, they still name the scope of the configuration while it lasts. Returns `nil` if
  /// they don't change.
  static func marked(_ classes: [AnyClass]) -> [AnyClass]? {
    let registry = StubRegistry.local
    guard let position = classes.firstIndex(where: isOurs) else {
      return registry.map { inserting($0.mark(.madeIn), into: classes) }
    }
    let type: AnyClass = classes[position]
    guard type != Unstubbed.self, !SessionMark.isInstalled(type) else { return nil }
    guard registry != nil || SessionMark.isOfEndedScope(type) else { return nil }
    var classes = classes
    classes[position] = registry?.mark(.madeIn) ?? StubURLProtocol.self
    return classes
  }

  /// Binds the sessions that are created from a configuration to a registry.
  static func install(_ registry: StubRegistry, in configuration: URLSessionConfiguration) {
    activate()
    configuration.protocolClasses = [registry.mark(.installed)] + classes(without: configuration)
  }

  /// Excludes the sessions that are created from a configuration.
  package static func leaveAlone(_ configuration: URLSessionConfiguration) {
    activate()
    configuration.protocolClasses = [Unstubbed.self] + classes(without: configuration)
  }

  static func isIntercepted(_ configuration: URLSessionConfiguration) -> Bool {
    configuration.protocolClasses?.contains { $0 is StubURLProtocol.Type } == true
  }

  private static func classes(without configuration: URLSessionConfiguration) -> [AnyClass] {
    (configuration.protocolClasses ?? []).filter { !isOurs($0) }
  }

  private static func isOurs(_ type: AnyClass) -> Bool { type is StubURLProtocol.Type || type == Unstubbed.self }

  private static func inserting(_ type: AnyClass, into classes: [AnyClass]) -> [AnyClass] {
    var classes = classes
    classes.insert(type, at: classes.firstIndex(where: Platform.isSystemLoader) ?? classes.endIndex)
    return classes
  }
}

/// Marks a configuration that is excluded. It loads nothing.
final class Unstubbed: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}
