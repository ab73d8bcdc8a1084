import Dispatch
import Foundation

/// Threads for work that may block them: what waits, for a semaphore or for a request of its own, keeps no other work waiting.
///
/// As long as the work gets on, no more threads take part than there are cores. When all of them have been busy with the same work
/// for a millisecond they count as blocked, and others join them. Dispatch's own concurrent queues add one thread in a second.
///
/// Its threads are those of serial queues of a quality of service that URLSession does not use. On Linux all serial queues of one
/// class share 255 threads: however many are blocked here, URLSession's own queues go on.
final class WorkerPool: Sendable {
  typealias Work = @Sendable () -> Void

  /// For the user's code.
  static let closures = WorkerPool(limit: 160)
  /// For reading from streams, which may wait for whoever fills them.
  static let bodies = WorkerPool(limit: 64)
  /// For what takes its time and waits for nobody, such as the copy of a file.
  static let errands = WorkerPool(limit: 16)

  private static let patience = DispatchTimeInterval.milliseconds(1)

  /// How many threads may be in use at a time.
  private let limit: Int
  /// How many threads take part as long as none is blocked.
  private let width = max(2, ProcessInfo.processInfo.activeProcessorCount)
  private let watch = DispatchQueue(label: "StubKit.workers.watch", qos: .userInitiated)
  private let state = Protected(State())

  private struct State {
    var waiting = Backlog()
    /// The threads in use, each as the serial queue that it serves, and those that may be used again.
    var workerCount = 0
    /// How many of them have work; the others are on their way to it.
    var busyCount = 0
    var idle: [DispatchQueue] = []
    /// How many pieces of work have begun. It numbers them too.
    var begun: UInt64 = 0
    /// Work up to this number has not ended in time.
    var overdue: UInt64 = 0
    /// How many threads are busy with such work.
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

  /// Does what waits until nothing does.
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

  /// Looks a moment later whether any work has begun meanwhile, for as long as some waits and threads could be added.
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
  /// Work in the order in which it came.
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
        // Moved together now and then, so that each piece is moved a fixed number of times at most.
        if first == work.count || first > 64 && first * 2 > work.count {
          work.removeFirst(first)
          first = 0
        }
      }
      return work[first]
    }
  }
}
