#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc

  /// Spares the requests that StubKit takes the look into the session's cache.
  ///
  /// URLSession looks a data task up in its cache on a background queue before it makes the loader: a stub never uses what
  /// it finds, and where background work is held up nothing is answered. It reads the configuration's `urlCache` for that
  /// on the thread, and right after, it asked `canInit`; so the getter is replaced by one that says nil to that one read.
  struct CacheLookupHook {
    private let slot: ClassSlot

    init() throws(ClassSlot.Refusal) {
      guard Self.nextRead.isUsable else { throw ClassSlot.Refusal(description: "no memory for a thread's own flag") }
      slot = try ClassSlot(
        base: URLSessionConfiguration.self, inert: InertConfiguration.self, hook: HookedConfiguration.self)
      slot.install()
      guard Self.isEffective else {
        slot.uninstall()
        throw ClassSlot.Refusal(description: "the replaced getter is not called")
      }
    }

    /// Call in `canInit` for a request that is taken, on the task's work queue: there the look-up is what comes next.
    func skipLookup() { Self.nextRead.set() }

    fileprivate static let nextRead = ThreadFlag()

    /// One read is answered with nil, and the one after it as ever.
    private static var isEffective: Bool {
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = URLCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
      nextRead.set()
      return configuration.urlCache == nil && configuration.urlCache != nil
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}

  private class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    // Runs with a plain configuration as `self`, so it may call nothing of `self` but the superclass's own getter.
    override var urlCache: URLCache? {
      get { CacheLookupHook.nextRead.take() ? nil : super.urlCache }
      set { super.urlCache = newValue }
    }
  }

  /// A flag that each thread has for itself.
  private struct ThreadFlag: Sendable {
    private let key: pthread_key_t?

    init() {
      var key = pthread_key_t()
      self.key = pthread_key_create(&key, nil) == 0 ? key : nil
    }

    var isUsable: Bool { key != nil }

    func set() {
      // Any pointer but nil will do: it is never followed.
      if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }
    }

    /// Whether it was set; from now on it is not.
    func take() -> Bool {
      guard let key, pthread_getspecific(key) != nil else { return false }
      pthread_setspecific(key, nil)
      return true
    }
  }
#endif
