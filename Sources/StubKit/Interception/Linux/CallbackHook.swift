#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Has a request's completion handler, and the delegate's callbacks for it, run in the scope of the request.
  ///
  /// URLSession enqueues them on the session's delegate queue while a loader tells its client something. So a loader's client
  /// notes its scope on the thread for as long as that takes, and the one method by which blocks are added to an operation
  /// queue is replaced by one that runs a block in the scope that it finds there.
  ///
  /// A subclass of OperationQueue has a table of its own and is not reached.
  struct CallbackHook {
    private let slot: ClassSlot

    /// Makes a queue to try it out: not to be called on one of URLSession's queues.
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

    /// Has what is added to operation queues meanwhile run in the scope. Does nothing where there is no hook.
    func adding(in scope: CallbackScope, _ body: () -> Void) {
      guard let scopeOfThread = Self.scopeOfThread else { return body() }
      let outer = scopeOfThread.pointer
      scopeOfThread.pointer = UnsafeRawPointer(Unmanaged.passUnretained(scope).toOpaque())
      defer { scopeOfThread.pointer = outer }
      withExtendedLifetime(scope, body)
    }

    private static let scopeOfThread = ThreadSlot()

    /// The scope in which blocks are added on this thread.
    fileprivate static var scope: CallbackScope? {
      // Holds: `adding(in:)` keeps the scope alive for as long as the pointer stands.
      scopeOfThread?.pointer.map { Unmanaged<CallbackScope>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether a block that is added in a scope runs in it. The block is run here: who installs the hook may be on one of few
    /// threads, and can't wait for a queue.
    private var isEffective: Bool {
      let registry = StubRegistry(isEnabled: false)
      let scope = CallbackScope(registry, era: registry.loads.era)
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
    // Runs with a plain queue as `self`, so it may call nothing of `self` but the superclass's own method.
    override func addOperation(_ block: @Sendable @escaping () -> Void) {
      guard let scope = CallbackHook.scope else { return super.addOperation(block) }
      super.addOperation { scope.run(block) }
    }
  }
#endif
