#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Skips the look-up in the session's cache for requests that StubKit takes.
  ///
  /// URLSession looks up a data task in its cache on a background queue before it creates the loader. A stub never uses
  /// the result, and the look-up delays every answer while background work is held up. For the look-up, URLSession
  /// reads the configuration's `urlCache` on the thread on which it has just called `canInit`. The hook replaces the
  /// getter with one that returns `nil` for this one read.
  struct CacheLookupHook: PlatformMechanism {
    static let shared = try? CacheLookupHook()

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

    /// Call this in `canInit` for a request that is taken, on the task's work queue. The look-up follows there.
    func skipLookup() {
      // Any pointer except `nil` will do, because it is never followed.
      Self.nextRead?.pointer = UnsafeRawPointer(bitPattern: 1)
    }

    private static let nextRead = ThreadSlot()

    /// Returns whether this is the read to skip. The next one isn't.
    fileprivate static func takesRead() -> Bool {
      guard let nextRead, nextRead.pointer != nil else { return false }
      nextRead.pointer = nil
      return true
    }

    /// A Boolean value that indicates whether one read returns `nil`, and the next one works as usual.
    private var isEffective: Bool {
      let configuration = URLSessionConfiguration.default
      if configuration.urlCache == nil {
        configuration.urlCache = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
      }
      skipLookup()
      return configuration.urlCache == nil && configuration.urlCache != nil
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own getter.
    override var urlCache: URLCache? {
      get { CacheLookupHook.takesRead() ? nil : super.urlCache }
      set { super.urlCache = newValue }
    }
  }
#endif
