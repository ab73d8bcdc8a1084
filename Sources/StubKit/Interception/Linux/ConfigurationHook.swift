#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Adds `StubURLProtocol` to every configuration's `protocolClasses`, including those of sessions that exist already.
  ///
  /// It replaces the getter that `URLSessionConfiguration` declares with one that adds StubKit's class in its place.
  /// The hook tests its effect after it is installed. If there is none, the hook is removed again and refused.
  struct ConfigurationHook {
    private let slot: ClassSlot

    init() throws(ClassSlot.Refusal) {
      // Read first, while `default` still returns the system's own classes.
      _ = NativeLoader.system
      slot = try ClassSlot(
        base: URLSessionConfiguration.self, inert: InertConfiguration.self, hook: HookedConfiguration.self)
      slot.install()
      guard Self.isIntercepted(.default) else {
        slot.uninstall()
        throw ClassSlot.Refusal(description: "the replaced getter is not called")
      }
    }

    func uninstall() { slot.uninstall() }

    private static func isIntercepted(_ configuration: URLSessionConfiguration) -> Bool {
      configuration.protocolClasses?.contains { $0 == StubURLProtocol.self } == true
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own getter.
    override var protocolClasses: [AnyClass]? {
      get { super.protocolClasses.map(SessionInstallation.intercepted) }
      set { super.protocolClasses = newValue }
    }
  }
#endif
