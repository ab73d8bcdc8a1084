import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How `StubURLProtocol` comes into URLSession's configurations.
///
/// A configuration's classes hold at most one of ours: the plain one, one that says which registry the session belongs to, or
/// the one that says it is to be left alone.
enum SessionInstallation {
  /// Makes sure that sessions are intercepted, those included that exist already. The first call does it; call it off
  /// URLSession's own queues.
  static func activate() { _ = isActive }

  private static let isActive: Bool = {
    // The shared session belongs to nobody, whoever uses it first.
    StubRegistry.$local.withValue(nil) {
      _ = URLSession.shared
      Platform.install()
    }
    if Platform.wantsDownloadedFile { WorkerPool.errands.run { TemporaryFile.removeLeftovers() } }
    return true
  }()

  /// The classes of a configuration with ours in its place: after the user's own, before the system's. A hand-written
  /// mock goes on answering the session that names it.
  static func intercepted(_ classes: [AnyClass]) -> [AnyClass] {
    classes.contains(where: isOurs) ? classes : inserting(StubURLProtocol.self, into: classes)
  }

  /// The classes of a session that is being made: they say in which scope, unless they belong to a registry already. Outside of
  /// every scope they go on saying it, as long as that one lasts. Nil if they stay as they are.
  static func marked(_ classes: [AnyClass]) -> [AnyClass]? {
    let registry = StubRegistry.local
    guard let position = classes.firstIndex(where: isOurs) else {
      return registry.map { inserting($0.marks.madeIn, into: classes) }
    }
    let type: AnyClass = classes[position]
    guard type != Unstubbed.self, !SessionMark.isInstalled(type) else { return nil }
    guard registry != nil || SessionMark.isOfEndedScope(type) else { return nil }
    var classes = classes
    classes[position] = registry?.marks.madeIn ?? StubURLProtocol.self
    return classes
  }

  /// Has the sessions that are made from the configuration belong to a registry.
  static func install(_ registry: StubRegistry, in configuration: URLSessionConfiguration) {
    activate()
    configuration.protocolClasses = [registry.marks.installed] + classes(without: configuration)
  }

  static func leaveAlone(_ configuration: URLSessionConfiguration) {
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

/// Marks a configuration that is to be left alone. It loads nothing.
final class Unstubbed: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}
