#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The way to a task's work queue with public API alone, if the queue itself is out of reach.
  ///
  /// `resume()` on a running task makes URLSession call `startLoading` again on the work queue, and the waiting work
  /// runs then. While the task is suspended, nothing is resumed. The exception is a suspension in the very moment of
  /// the call, which the call undoes.
  final class ReentryQueue: DeliveryQueue, @unchecked Sendable {
    // @unchecked holds because the task, which is Sendable, and the protected list are all it has.
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
