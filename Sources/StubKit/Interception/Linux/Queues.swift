#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import Glibc

  /// The dispatch queue of the caller. Inside `canInit`, `startLoading` and `stopLoading`, it is the task's own work
  /// queue.
  ///
  /// It is the only key that `canInit` and `startLoading` of the same task share: callers reuse request values, and
  /// there is no task in `canInit`. libdispatch exports the function and calls it deprecated. If it is gone,
  /// `init` returns `nil`.
  struct CurrentQueue: PlatformMechanism {
    static let shared = CurrentQueue()

    private typealias Function = @convention(c) @Sendable () -> UnsafeRawPointer?
    private typealias LabelFunction = @convention(c) @Sendable (UnsafeRawPointer?) -> UnsafePointer<CChar>?
    private let function: Function
    private let label: LabelFunction

    init?(symbol: String = FoundationInternal.currentQueue.rawValue) {
      guard let address = dlsym(nil, symbol),
        let labelAddress = dlsym(nil, FoundationInternal.queueLabel.rawValue)
      else { return nil }
      // Both hold while libdispatch keeps the C signatures they have had since its first release.
      function = unsafeBitCast(address, to: Function.self)
      label = unsafeBitCast(labelAddress, to: LabelFunction.self)
      guard function() != nil else { return nil }
    }

    /// A Boolean value that indicates whether it is the work queue of a task, by the label that URLSession sets.
    var isWorkQueue: Bool {
      guard let label = label(nil) else { return false }
      return strcmp(label, "org.swift.URLSessionTask.WorkQueue") == 0
    }

    /// Two values are equal if and only if both calls run on the same queue, as long as that queue lives.
    var identity: UInt { UInt(bitPattern: function()) }
  }

  /// The contexts from `canInit` to the loads that follow. Each has a key that both can find, and the platform
  /// determines the key.
  ///
  /// Without a key, a load receives the registry that took a request last.
  final class ContextTable: Sendable {
    private let state = Protected(State())

    private struct State {
      var contexts: [UInt: RequestContext] = [:]
      var lastRegistry: StubRegistry?
    }

    /// Replaces what another task left under the same key. A key is reused when its task is gone.
    func leave(_ context: RequestContext, under key: UInt?) {
      let replaced = state.withLock { state -> RequestContext? in
        guard let key else {
          state.lastRegistry = context.registry
          return nil
        }
        return state.contexts.updateValue(context, forKey: key)
      }
      _ = consume replaced
    }

    func take(under key: UInt?) -> RequestContext? {
      state.withLock { state -> RequestContext? in
        if let key { return state.contexts.removeValue(forKey: key) }
        return state.lastRegistry.map { RequestContext($0, $0.acceptance ?? .init(), isMadeHere: false) }
      }
    }
  }

  /// The way to a task's work queue with public API alone, if the queue itself is out of reach.
  ///
  /// `resume()` on a running task makes URLSession call `startLoading` again on the work queue, and the waiting work
  /// runs then. While the task is suspended, nothing is resumed. The exception is a suspension in the very moment of
  /// the call, which the call undoes.
  final class ReentryQueue: DeliveryQueue, @unchecked Sendable {
    // Safe because the task, which is Sendable, and the protected list are all it has.
    private weak var task: URLSessionTask?
    private let state = Protected(State())

    private struct State {
      var waiting: [@Sendable () -> Void] = []
      var isClosed = false
    }

    init(_ task: URLSessionTask) { self.task = task }

    func perform(_ work: @escaping @Sendable () -> Void) {
      let isOpen = state.withLock { state in
        if !state.isClosed { state.waiting.append(work) }
        return !state.isClosed
      }
      guard isOpen else { return Self.afterwards.async(execute: work) }
      // The task is resumed elsewhere, because a load passes itself work on the work queue too, and `resume()` waits
      // for that queue.
      Self.resuming.async { [weak self] in self?.reenter() }
    }

    private func reenter() {
      // If an earlier call has brought the work there already, or the load is over, there is nothing to do.
      guard state.withLock({ !$0.isClosed && !$0.waiting.isEmpty }) else { return }
      if let task, task.state == .running { task.resume() }
    }

    private static let resuming = DispatchQueue(label: "StubKit.reentry", attributes: .concurrent)

    /// The load is over. Another `resume()` would find a task without a loader. Work that arrives now only has to be
    /// settled, and the load is touched nowhere else any more.
    func ownerLeft() {
      let waiting = state.withLock { state in
        defer { state = State(waiting: [], isClosed: true) }
        return state.waiting
      }
      for work in waiting { Self.afterwards.async(execute: work) }
    }

    private static let afterwards = DispatchQueue(label: "StubKit.afterwards")

    func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
      RealTimer(at: deadline, on: .global()) { [weak self] in self?.perform(work) }
    }

    func ownerArrived() {
      let works = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for work in works { work() }
    }
  }
#endif
