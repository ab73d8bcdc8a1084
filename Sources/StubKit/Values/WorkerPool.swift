import Dispatch
import Foundation

/// Threads for work that can block them. Work that waits for a semaphore or for a request of its own doesn't keep
/// other work waiting.
///
/// While the work makes progress, the pool uses no more threads than there are cores. If all of them have been busy
/// with the same work for a millisecond, the pool counts them as blocked and adds others. Dispatch's own concurrent
/// queues add one thread per second.
///
/// The threads are those of serial queues with a quality of service that URLSession doesn't use. On Linux, all serial
/// queues of one class share 255 threads, so URLSession's own queues continue, however many threads are blocked here.
final class WorkerPool: Sendable {
  typealias Work = @Sendable () -> Void

  /// The pool for the user's code.
  static let closures = WorkerPool(limit: 160)
  /// The pool for reading streams, which can wait for whoever fills them.
  static let bodies = WorkerPool(limit: 64)
  /// The pool for work that takes long but waits for nobody, such as copying a file.
  static let background = WorkerPool(limit: 16)

  private static let patience = DispatchTimeInterval.milliseconds(1)

  /// The largest number of threads in use at a time.
  private let limit: Int
  /// The number of threads in use while none is blocked.
  private let width = max(2, ProcessInfo.processInfo.activeProcessorCount)
  private let watch = DispatchQueue(label: "StubKit.workers.watch", qos: .userInitiated)
  private let state = Protected(State())

  private struct State {
    var waiting = Backlog()
    /// The number of threads in use. Each one is the serial queue that it serves.
    var workerCount = 0
    /// The number of threads that have work. The others are about to get some.
    var busyCount = 0
    var idle: [DispatchQueue] = []
    /// The number of pieces of work that have begun. It also numbers them.
    var begun: UInt64 = 0
    /// The number up to which work has taken too long.
    var overdue: UInt64 = 0
    /// The number of threads that are busy with such work.
    var blockedCount = 0
    var isWatched = false
  }

  init(limit: Int) { self.limit = limit }

  func run(_ work: @escaping Work) {
    let (worker, begun) = state.withLock { state -> (DispatchQueue?, UInt64?) in
      state.waiting.append(work)
      if state.workerCount - state.blockedCount < width, state.workerCount < limit { return (hire(&state), nil) }
      guard !state.isWatched, state.workerCount < limit else { return (nil, nil) }
      state.isWatched = true
      return (nil, state.begun)
    }
    if let worker { start(worker) }
    if let begun { watch(since: begun) }
  }

  private func hire(_ state: inout State) -> DispatchQueue {
    state.workerCount += 1
    return state.idle.popLast() ?? DispatchQueue(label: "StubKit.worker", qos: .userInitiated)
  }

  private func start(_ worker: DispatchQueue) { worker.async { [self] in serve(as: worker) } }

  /// Performs the waiting work until there is none.
  private func serve(as worker: DispatchQueue) {
    var last: UInt64?
    while true {
      let next: (number: UInt64, work: Work)? = state.withLock { state in
        if let last {
          state.busyCount -= 1
          if last <= state.overdue { state.blockedCount -= 1 }
        }
        guard let work = state.waiting.removeFirst() else {
          state.workerCount -= 1
          state.idle.append(worker)
          return nil
        }
        state.busyCount += 1
        state.begun += 1
        return (state.begun, work)
      }
      guard let next else { return }
      next.work()
      last = next.number
    }
  }

  /// Checks a moment later whether any work has begun meanwhile, as long as work waits and the pool can add threads.
  private func watch(since begun: UInt64) {
    watch.asyncAfter(deadline: .now() + Self.patience) { [self] in
      let (workers, begun) = state.withLock { state -> ([DispatchQueue], UInt64?) in
        var workers: [DispatchQueue] = []
        if state.begun == begun, !state.waiting.isEmpty {
          state.overdue = state.begun
          state.blockedCount = state.busyCount
          let awaited = state.workerCount - state.busyCount
          let wanted = min(state.waiting.count - awaited, max(width, state.workerCount), limit - state.workerCount)
          for _ in 0..<max(0, wanted) { workers.append(hire(&state)) }
        }
        state.isWatched = !state.waiting.isEmpty && state.workerCount < limit
        return (workers, state.isWatched ? state.begun : nil)
      }
      for worker in workers { start(worker) }
      if let begun { watch(since: begun) }
    }
  }
}

extension WorkerPool {
  /// A queue of work, first in, first out.
  private struct Backlog {
    private var work: [Work?] = []
    private var first = 0

    var count: Int { work.count - first }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ new: @escaping Work) { work.append(new) }

    mutating func removeFirst() -> Work? {
      guard first < work.count else { return nil }
      defer {
        work[first] = nil
        first += 1
        // Moves the rest to the front now and then, so that each piece is moved only a fixed number of times.
        if first == work.count || first > 64 && first * 2 > work.count {
          work.removeFirst(first)
          first = 0
        }
      }
      return work[first]
    }
  }
}
