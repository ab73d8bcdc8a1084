#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Runs a request's completion handler, and the delegate's callbacks for it, in the scope of the request.
  ///
  /// URLSession adds them to the session's delegate queue while a loader calls its client. The client therefore notes
  /// the scope on the thread during the call, and the hook replaces the one method that adds a block to an operation
  /// queue. The replacement wraps the block in the scope that it finds on the thread.
  ///
  /// A subclass of `OperationQueue` has a method table of its own, which is out of reach for the hook.
  struct CallbackHook: PlatformMechanism {
    static let shared = try? CallbackHook()

    private let slot: ClassSlot

    /// Creates a queue to test the hook, so don't call this on a queue of URLSession.
    init(accessors: Int = 1) throws(ClassSlot.Refusal) {
      guard Self.scopeOfThread != nil else {
        throw ClassSlot.Refusal(description: "no memory for a thread's own scope")
      }
      slot = try ClassSlot(
        base: OperationQueue.self, inert: InertQueue.self, hook: HookedQueue.self, accessors: accessors)
      slot.install()
      guard isEffective else {
        slot.uninstall()
        throw ClassSlot.Refusal(description: "the replaced method is not called")
      }
    }

    func uninstall() { slot.uninstall() }

    /// Runs a closure. Blocks that it adds to operation queues run in the scope.
    func adding(in scope: CallbackScope, _ body: () -> Void) {
      guard let scopeOfThread = Self.scopeOfThread else { return body() }
      let outer = scopeOfThread.pointer
      scopeOfThread.pointer = UnsafeRawPointer(Unmanaged.passUnretained(scope).toOpaque())
      defer { scopeOfThread.pointer = outer }
      withExtendedLifetime(scope, body)
    }

    private static let scopeOfThread = ThreadSlot()

    /// The scope noted on this thread.
    fileprivate static var scope: CallbackScope? {
      // Holds: `adding(in:)` keeps the scope alive for as long as the pointer stands.
      scopeOfThread?.pointer.map { Unmanaged<CallbackScope>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A Boolean value that indicates whether a block that is added in a scope runs in it. The block runs here,
    /// because the code that installs the hook may be on one of few threads, and can't wait for a queue.
    private var isEffective: Bool {
      let registry = StubRegistry(isEnabled: false)
      let scope = CallbackScope(registry, in: registry.loads.generation)
      let found = Protected<CallbackScope?>(nil)
      let queue = OperationQueue()
      queue.isSuspended = true
      adding(in: scope) { queue.addOperation { found.withLock { $0 = CallbackScope.current } } }
      for block in (queue.operations.first as? BlockOperation)?.executionBlocks ?? [] { block() }
      queue.cancelAllOperations()
      queue.isSuspended = false
      return found.withLock(\.self) === scope
    }
  }

  private class InertQueue: OperationQueue, @unchecked Sendable {}

  private class HookedQueue: OperationQueue, @unchecked Sendable {
    // Runs with a plain queue as `self`, so it may call nothing of `self` except the superclass's own method.
    override func addOperation(_ block: @Sendable @escaping () -> Void) {
      guard let scope = CallbackHook.scope else { return super.addOperation(block) }
      super.addOperation { scope.run(block) }
    }
  }
#endif
