import Foundation

/// A Swift task that is created where the request is made, and waits to run the user's closures.
///
/// They see the requester's task-local values there, an `#expect` in them belongs to the right test, and they can
/// wait and use URLSession themselves.
final class RequesterTask: Sendable {

  /// Runs a closure once, on any thread.
  typealias Start = @Sendable (@escaping Work) -> Void

  private struct State {
    var task: Task<Void, Never>?
    /// The task's wait for work.
    var wait: CheckedContinuation<AsyncWork?, Never>?
    var work: [(run: AsyncWork, dropped: Work)] = []
    /// A Boolean value that indicates whether the user's closures run, or are about to.
    var isRunning = false
    var isClosed = false

    /// Returns the wait if it is over, and what it has waited for: `nil` is the end.
    mutating func takeWait() -> (CheckedContinuation<AsyncWork?, Never>, for: AsyncWork?)? {
      guard isClosed || !work.isEmpty, let wait = wait.take() else { return nil }
      isRunning = !isClosed
      return (wait, isRunning ? work.removeFirst().run : nil)
    }
  }

  private let state = Protected(State())

  /// - Parameters:
  ///   - executor: The executor of the task, or `nil` for that of the platform.
  ///   - requests: The requests of the registry, for which the closures don't wait.
  ///   - start: Creates the task where it inherits the right task-local values. By default, that is here.
  init(on executor: (any Executor)?, of requests: RequestsInFlight, startedBy start: Start = { $0() }) {
    start { [state] in
      let task = Platform.task(on: executor) {
        while let work = await withCheckedContinuation({ wait in Self.update(state) { $0.wait = wait } }) {
          await ClosureRun.$current.withValue(ClosureRun(for: requests)) { await work() }
        }
      }
      let isClosed = state.withLock { state in
        state.task = task
        return state.isClosed
      }
      if isClosed { task.cancel() }
    }
  }

  private static func update<Result>(
    _ state: Protected<State>, _ change: (inout State) -> Result
  ) -> Result {
    let (result, wait) = state.withLock { (change(&$0), $0.takeWait()) }
    if let (wait, work) = wait { wait.resume(returning: work) }
    return result
  }

  /// Runs one piece of work after the other, because each request of a chain can have its own. Has no effect after
  /// `cancel()`.
  ///
  /// - Parameters:
  ///   - closures: Runs the user's closures.
  ///   - completion: Follows them. It runs none, and can't be cancelled.
  ///   - dropped: Is called in place of both if `cancel()` comes first.
  func run<Outcome: Sendable>(
    _ closures: @escaping @Sendable () async -> Outcome,
    then completion: @escaping @Sendable (Outcome) -> Void = { _ in },
    orDropped dropped: @escaping Work = {}
  ) {
    let work: AsyncWork = { [state] in
      let outcome = await closures()
      // What they have started may look back as soon as their client has the answer.
      ClosureRun.current?.end()
      // Cancelling the task from here on would only wake a thread.
      state.withLock { $0.isRunning = false }
      completion(outcome)
    }
    let isTaken = Self.update(state) { state in
      if !state.isClosed { state.work.append((work, dropped)) }
      return !state.isClosed
    }
    if !isTaken { dropped() }
  }

  /// Ends the wait, and cancels closures that run already. This happens elsewhere than on URLSession's own queue,
  /// because the user's cancellation handlers run right there, and those of URLSession's async calls trap on that
  /// queue.
  func cancel() {
    let isRunning = LastReleases.happenElsewhere {
      let (isRunning, dropped) = Self.update(state) {
        (!exchange(&$0.isClosed, with: true) && $0.isRunning, exchange(&$0.work, with: []))
      }
      for work in dropped { work.dropped() }
      return isRunning
    }
    if isRunning { DispatchQueue.global().async { [state] in state.withLock { $0.task }?.cancel() } }
  }
}
