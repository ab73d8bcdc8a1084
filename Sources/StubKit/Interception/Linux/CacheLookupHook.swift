#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Spares the requests that StubKit takes the look into the session's cache.
  ///
  /// URLSession looks a data task up in its cache on a background queue before it makes the loader: a stub never uses what
  /// it finds, and where background work is held up nothing is answered. It reads the configuration's `urlCache` for that
  /// on the thread, and right after, it asked `canInit`; so the getter is replaced by one that says nil to that one read.
  struct CacheLookupHook {
    private let slot: ClassSlot

    init() throws(ClassSlot.Refusal) {
      guard Self.nextRead != nil else { throw ClassSlot.Refusal(description: "no memory for a thread's own flag") }
      slot = try ClassSlot(
        base: URLSessionConfiguration.self, inert: InertConfiguration.self, hook: HookedConfiguration.self)
      slot.install()
      guard isEffective else {
        slot.uninstall()
        throw ClassSlot.Refusal(description: "the replaced getter is not called")
      }
    }

    /// Call in `canInit` for a request that is taken, on the task's work queue: there the look-up is what comes next.
    func skipLookup() {
      // Any pointer but nil will do: it is never followed.
      Self.nextRead?.pointer = UnsafeRawPointer(bitPattern: 1)
    }

    private static let nextRead = ThreadSlot()

    /// Whether this is the read to spare; the next one is not.
    fileprivate static func takesRead() -> Bool {
      guard let nextRead, nextRead.pointer != nil else { return false }
      nextRead.pointer = nil
      return true
    }

    /// One read is answered with nil, and the one after it as ever.
    private var isEffective: Bool {
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
      skipLookup()
      return configuration.urlCache == nil && configuration.urlCache != nil
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` but the superclass's own getter.
    override var urlCache: URLCache? {
      get { CacheLookupHook.takesRead() ? nil : super.urlCache }
      set { super.urlCache = newValue }
    }
  }
#endif
