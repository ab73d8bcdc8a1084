#if !canImport(Darwin)
  import Foundation

  /// Adds `StubURLProtocol` to every configuration's `protocolClasses`, including those of sessions that exist already.
  ///
  /// It replaces the getter that `URLSessionConfiguration` declares with one that adds StubKit's class in its place.
  /// The hook tests its effect after it is installed. If there is none, the hook is removed again and refused.
  class ConfigurationHook: URLSessionConfiguration, @unchecked Sendable {
    // Safe because only `install()` writes it, once, and a test in a process of its own reads it later.
    nonisolated(unsafe) private static var slot: ClassSlot?

    static func install() throws {
      // Read first, while `default` still returns the system's own classes.
      _ = NativeLoader.classes
      let slot = try ClassSlot(hook: ConfigurationHook.self)
      try slot.install {
        URLSessionConfiguration.default.protocolClasses?.contains { $0 == StubURLProtocol.self } == true
      }
      self.slot = slot
    }

    /// Removes the hook again, for a test.
    static func uninstall() { slot?.uninstall() }

    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own getter.
    override var protocolClasses: [AnyClass]? {
      get { SessionInstallation.intercepted(super.protocolClasses) }
      set { super.protocolClasses = newValue }
    }
  }

  /// Skips the look-up in the session's cache for requests that StubKit takes.
  ///
  /// URLSession looks up a data task in its cache on a background queue before it creates the loader. A stub never uses
  /// the result, and the look-up delays every answer while background work is held up. For the look-up, URLSession
  /// reads the configuration's `urlCache` on the thread on which it has just called `canInit`. The hook replaces the
  /// getter with one that returns `nil` for this one read.
  class CacheLookupHook: URLSessionConfiguration, @unchecked Sendable {
    static func install() throws {
      try ClassSlot(hook: CacheLookupHook.self).install { isEffective }
    }

    /// Call this in `canInit` for a request that is taken, on the task's work queue. The look-up follows there.
    static func skipLookup() { pthread_setspecific(nextRead, UnsafeRawPointer(bitPattern: Platform.currentQueue)) }

    /// The queue whose next read on this thread is skipped. It is never followed. Without memory for the key, the check
    /// of the hook fails.
    private static let nextRead: pthread_key_t = {
      var key = pthread_key_t()
      return pthread_key_create(&key, nil) == 0 ? key : .max
    }()

    /// Returns whether this is the read to skip. The next one isn't, and neither is one on another queue.
    private static func takesRead() -> Bool {
      guard let skipped = pthread_getspecific(nextRead) else { return false }
      pthread_setspecific(nextRead, nil)
      return UInt(bitPattern: skipped) == Platform.currentQueue
    }

    /// A Boolean value that indicates whether one read returns `nil`, and the next one works as usual.
    private static var isEffective: Bool {
      let configuration = URLSessionConfiguration.default
      skipLookup()
      return configuration.urlCache == nil && configuration.urlCache != nil
    }

    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own getter.
    override var urlCache: URLCache? {
      get { CacheLookupHook.takesRead() ? nil : super.urlCache }
      set { super.urlCache = newValue }
    }
  }

  /// Makes a session remember the scope that created it. URLSession copies its configuration on the thread that
  /// creates the session, where that thread's task-local values can be read.
  ///
  /// The hook replaces the one method that copies `URLSessionConfiguration`. Copies that other code makes are marked
  /// too, and marked again when they become a session.
  class SessionMarkHook: URLSessionConfiguration, @unchecked Sendable {
    static func install() throws {
      try ClassSlot(hook: SessionMarkHook.self, accessors: 1).install {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = []
        let copy = StubRegistry.$local.withValue(StubRegistry(isEnabled: false)) { configuration.copy() }
        return (copy as? URLSessionConfiguration)?.protocolClasses?.isEmpty == false
      }
    }

    // Runs with a plain configuration as `self`, so it may call nothing of `self` except the superclass's own method.
    override func copy(with zone: NSZone? = nil) -> Any {
      let copy = super.copy(with: zone)
      if let copy = copy as? URLSessionConfiguration {
        SessionCaches.note(copy.urlCache)
        if let marked = SessionInstallation.marked(copy.protocolClasses ?? []) { copy.protocolClasses = marked }
      }
      return copy
    }
  }

  /// Runs a request's completion handler, and the delegate's callbacks for it, in the scope of the request, and knows
  /// when they have returned.
  ///
  /// URLSession adds them to the session's delegate queue while a loader calls its client. The client therefore notes
  /// the request's callbacks on the thread during the call, and the hook replaces the one method that adds a block to
  /// an operation queue. The replacement wraps the block for the callbacks that it finds on the thread. If the block
  /// only resumes an async call, it leaves the queue alone, which may be busy or blocked.
  ///
  /// The method table of a subclass of `OperationQueue` is out of reach.
  class CallbackHook: OperationQueue, @unchecked Sendable {
    /// Creates a queue to test the hook, so don't call this on a queue of URLSession.
    static func install() throws {
      let slot = try ClassSlot(base: OperationQueue.self, inert: InertQueue.self, hook: CallbackHook.self, accessors: 1)
      try slot.install { isEffective }
    }

    /// Runs a closure. Blocks that it adds to operation queues are callbacks of a request.
    static func adding(_ callbacks: RequestCallbacks, _ body: () -> Void) {
      $callbacks.withValue(callbacks, operation: body)
    }

    /// The callbacks noted on this thread.
    @TaskLocal private static var callbacks: RequestCallbacks?

    /// A Boolean value that indicates whether a block that is added in a scope runs in it. The block runs here,
    /// because the code that installs the hook may be on one of few threads, and can't wait for a queue.
    private static var isEffective: Bool {
      let registry = StubRegistry(isEnabled: false)
      let scope = CallbackScope(RegistryReference(registry), someOf: [registry.inFlight.generation])
      let found = Protected<CallbackScope?>(nil)
      let queue = OperationQueue()
      queue.isSuspended = true
      adding(RequestCallbacks(in: scope)) { queue.addOperation { found.current = .current } }
      for block in (queue.operations.first as? BlockOperation)?.executionBlocks ?? [] { block() }
      queue.cancelAllOperations()
      queue.isSuspended = false
      return found.current === scope
    }

    // Runs with a plain queue as `self`, so it may call nothing of `self` except the superclass's own method.
    override func addOperation(_ block: @Sendable @escaping () -> Void) {
      guard let callbacks = CallbackHook.callbacks else { return super.addOperation(block) }
      guard let threads = callbacks.begin() else { return super.addOperation { callbacks.run(block) } }
      threads.async { callbacks.run(block) }
    }
  }

  private class InertConfiguration: URLSessionConfiguration, @unchecked Sendable {}
  private class InertQueue: OperationQueue, @unchecked Sendable {}

  /// The word of a class's method table that contains the implementation of one member, found by comparison.
  ///
  /// It needs no symbol names and no slot numbers. A subclass that overrides nothing inherits every word, and a
  /// subclass that overrides only the member differs in exactly that member's words. Anything that looks different is
  /// refused.
  struct ClassSlot {
    // Safe because the word lives as long as its class, and classes are never unloaded.
    nonisolated(unsafe) private let word: UnsafeMutablePointer<UInt>
    private let original: UInt
    private let replacement: UInt

    /// - Parameters:
    ///   - base: The class that declares the member. Its table is changed. Defaults to that of configurations.
    ///   - inert: A subclass that overrides nothing.
    ///   - hook: A subclass that overrides only the member.
    ///   - accessors: The number of neighbouring words that the member has: 3 for a property (getter, setter,
    ///     modify).
    init(
      base: AnyClass = URLSessionConfiguration.self, inert: AnyClass = InertConfiguration.self, hook: AnyClass,
      accessors: Int = 3
    ) throws {
      guard MemoryLayout<UInt>.size == 8 else { throw MissingInternal("the platform is not a 64-bit one") }
      let baseTable = try ClassTable(base)
      let inertTable = try ClassTable(inert)
      let hookTable = try ClassTable(hook)
      guard inertTable.superclass == baseTable.address, hookTable.superclass == baseTable.address,
        inertTable.count >= baseTable.count, hookTable.count >= baseTable.count
      else { throw MissingInternal("the classes' tables are not laid out as expected") }

      let differing = (ClassTable.methods..<baseTable.count).filter {
        inertTable[$0] == baseTable[$0] && hookTable[$0] != baseTable[$0]
      }
      guard let first = differing.first, differing == Array(first..<first + accessors) else {
        throw MissingInternal("\(differing.count) words differ where \(accessors) neighbours should")
      }

      let word = baseTable.words + first
      #if os(Linux)
        // A linker can place the table where it is read-only. The word lies within one page.
        let page = UInt(bitPattern: word) & ~UInt(getpagesize() - 1)
        guard mprotect(UnsafeMutableRawPointer(bitPattern: page), Int(getpagesize()), PROT_READ | PROT_WRITE) == 0
        else { throw MissingInternal("the class's table is read-only") }
      #else
        throw MissingInternal("nobody has looked at the tables of classes on this system")
      #endif
      self.word = word
      original = baseTable[first]
      replacement = hookTable[first]
    }

    /// Replaces the member, and restores it if that has no effect.
    func install(ifEffective isEffective: () -> Bool) throws {
      word.pointee = replacement
      guard isEffective() else {
        uninstall()
        throw MissingInternal("the replaced member is not called")
      }
    }

    func uninstall() { if word.pointee == replacement { word.pointee = original } }
  }

  /// The metadata of a Swift class as words, from its address point, as long as the metadata itself says.
  private struct ClassTable {
    let words: UnsafeMutablePointer<UInt>
    let count: Int

    /// The kind, the superclass, the flags, the sizes, the descriptor and the ivar destroyer precede the methods.
    static let methods = 7

    init(_ type: AnyClass) throws {
      let metadata = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
      // Without Objective-C interoperation, the class's size and address point are at these offsets (Swift's stable
      // ABI).
      let size = Int(metadata.load(fromByteOffset: 32, as: UInt32.self))
      let addressPoint = Int(metadata.load(fromByteOffset: 36, as: UInt32.self))
      words = metadata.assumingMemoryBound(to: UInt.self)
      count = (size - addressPoint) / 8
      guard (8..<4096).contains(count) else { throw MissingInternal("a class's size makes no sense") }
    }

    var address: UInt { UInt(bitPattern: words) }
    var superclass: UInt { words[1] }
    subscript(index: Int) -> UInt { words[index] }
  }
#endif
