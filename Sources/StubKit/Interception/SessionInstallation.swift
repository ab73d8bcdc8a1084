import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How `StubURLProtocol` comes into URLSession's configurations.
enum SessionInstallation {
  /// Makes sure that sessions are intercepted, those included that exist already. The first call does it; call it off
  /// URLSession's own queues.
  static func activate() { _ = isActive }

  private static let isActive: Bool = {
    Platform.install()
    return true
  }()

  /// The classes of a configuration with ours in its place: after the user's own, before the system's. A hand-written
  /// mock goes on answering the session that names it.
  static func intercepted(_ classes: [AnyClass]) -> [AnyClass] {
    guard !classes.contains(where: { $0 == Unstubbed.self || $0 == StubURLProtocol.self }) else { return classes }
    var classes = classes
    classes.insert(StubURLProtocol.self, at: classes.firstIndex(where: Platform.isSystemLoader) ?? classes.endIndex)
    return classes
  }

  static func setIntercepted(_ isIntercepted: Bool, in configuration: URLSessionConfiguration) {
    activate()
    let classes = (configuration.protocolClasses ?? []).filter { $0 != Unstubbed.self && $0 != StubURLProtocol.self }
    configuration.protocolClasses = isIntercepted ? intercepted(classes) : [Unstubbed.self] + classes
  }

  static func isIntercepted(_ configuration: URLSessionConfiguration) -> Bool {
    configuration.protocolClasses?.contains { $0 == StubURLProtocol.self } == true
  }
}

/// Marks a configuration that is to be left alone. It loads nothing.
final class Unstubbed: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}
