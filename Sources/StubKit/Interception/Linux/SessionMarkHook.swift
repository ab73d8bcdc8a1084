#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Makes a session remember the scope that created it. URLSession copies its configuration on the thread that
  /// creates the session, where that thread's task-local values can be read.
  ///
  /// The hook replaces the one method that copies `URLSessionConfiguration`. Copies that other code makes are marked
  /// too, and marked again when they become a session.
  struct SessionMarkHook: PlatformMechanism {
    static let shared = try? SessionMarkHook()

    private let slot: ClassSlot

    init() throws(ClassSlot.Refusal) {
      slot = try ClassSlot(
        base: URLSessionConfiguration.self, inert: InertConfiguration.self, hook: HookedConfiguration.self, accessors: 1
      )
      slot.install()
      guard Self.isEffective else {
        slot.uninstall()
        throw ClassSlot.Refusal(description: "the replaced method is not called")
      }
    }

    func uninstall() { slot.uninstall() }

    private static var isEffective: Bool {
      let registry = StubRegistry(isEnabled: false)
      let session = StubRegistry.$local.withValue(registry) { URLSession(configuration: .ephemeral) }
      return session.configuration.protocolClasses?.contains { $0 == registry.mark(.madeIn) } == true
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own method.
    override func copy(with zone: NSZone? = nil) -> Any {
      let copy = super.copy(with: zone)
      if let copy = copy as? URLSessionConfiguration,
        let marked = copy.protocolClasses.flatMap(SessionInstallation.marked)
      {
        copy.protocolClasses = marked
      }
      return copy
    }
  }
#endif
