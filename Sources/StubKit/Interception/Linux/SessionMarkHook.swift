#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Has a session remember the scope it was made in: URLSession copies its configuration, on the thread that makes the
  /// session, and with that thread's task-locals.
  ///
  /// It replaces the one method by which `URLSessionConfiguration` is copied. Copies that other code makes are marked too, and
  /// marked anew when they become a session.
  struct SessionMarkHook {
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
      return session.configuration.protocolClasses?.contains { $0 == registry.marks.madeIn } == true
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` but the superclass's own method.
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
