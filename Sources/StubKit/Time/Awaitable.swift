import Dispatch

/// A value behind a lock that code can wait for, such as a stub's progress, a gate or the state of a timeline. What
/// waits on a queue of URLSession or for the user's closures has a list of closures of its own.
final class Awaitable<Value>: Sendable {
  private let state: Protected<State>

  private struct State {
    var value: Value
    var waits: [(number: UInt64, wait: Wait)] = []
    var lastNumber: UInt64 = 0

    /// Removes and returns the waits whose wishes are met.
    mutating func takeReady() -> [Work] {
      var ready: [Work] = []
      let all = waits
      waits = all.filter { pending in
        let resume = pending.wait.take(&value)
        if let resume { ready.append(resume) }
        return resume == nil
      }
      return ready
    }
  }

  private struct Wait {
    /// Returns what resumes the waiting code if the value is as it wants it, and else `nil`.
    let take: @Sendable (inout Value) -> Work?
    let giveUp: Work
  }

  init(_ value: Value) { state = Protected(State(value: value)) }

  /// Reads the value, or changes something in it that no code waits for.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0.value) } }

  /// Takes something out of the value that no code waits for, and releases it outside the lock.
  func discard<Dropped>(_ take: (inout Value) -> Dropped) { state.discard { take(&$0.value) } }

  /// Changes the value, and resumes the code that has waited for it, in order of arrival.
  @discardableResult
  func update<Result>(_ change: (inout Value) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let result = change(&state.value)
      return (result, state.waits.isEmpty ? [] : state.takeReady())
    }
    for resume in ready { resume() }
    return result
  }

  /// Waits until a closure returns something, which it can take from the value.
  ///
  /// - Parameters:
  ///   - bound: The longest time to wait, in real time. Time for which the process is stopped doesn't count.
  ///   - take: Called under the lock, now and after each update.
  /// - Returns: What the closure returned. `nil` if the time is up or the Swift task is cancelled first.
  func wait<Taken: Sendable>(
    atMost bound: Duration? = nil, for take: @escaping @Sendable (inout Value) -> Taken?
  ) async -> Taken? {
    let (taken, number) = state.withLock { state -> (Taken?, UInt64) in
      state.lastNumber += 1
      return (take(&state.value), state.lastNumber)
    }
    if let taken { return taken }
    var timer: PatienceTimer?
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Taken?, Never>) in
        let wait = Wait(
          take: { value in
            guard let taken = take(&value) else { return nil }
            return { continuation.resume(returning: taken) }
          }, giveUp: { continuation.resume(returning: nil) })
        let resume: Work? = state.withLock { state in
          if let resume = wait.take(&state.value) { return resume }
          // A cancellation before has not found this wait.
          if Task.isCancelled { return wait.giveUp }
          state.waits.append((number, wait))
          return nil
        }
        if let resume { return resume() }
        if let bound { timer = PatienceTimer(bound) { [weak self] in self?.giveUp(number) } }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  /// Waits until a condition is met. Returns `false` if the time is up or the Swift task is cancelled first.
  func wait(atMost bound: Duration? = nil, until condition: @escaping @Sendable (inout Value) -> Bool) async -> Bool {
    await wait(atMost: bound) { condition(&$0) ? true : nil } ?? false
  }

  /// Blocks the thread until a condition is met, which is asked on this thread. Returns `false` if the time is up
  /// first. Time for which the process is stopped doesn't count.
  func block(atMost bound: Duration, until condition: (inout Value) -> Bool) -> Bool {
    let hasChanged = DispatchSemaphore(value: 0)
    let isOver = Protected(false)
    let look = whenMet(
      { _ in
        hasChanged.signal()
        return false
      }, {})
    let timer = PatienceTimer(bound) {
      isOver.current = true
      hasChanged.signal()
    }
    defer {
      timer.cancel()
      look.map(giveUp)
    }
    repeat {
      hasChanged.wait()
      if withLock(condition) { return true }
    } while !isOver.current
    return false
  }

  /// Calls a closure outside the lock as soon as a condition is met, unless the wait is given up first. Returns the
  /// number of the wait, or `nil` if the condition is met already, so that there is nothing to wait for.
  func whenMet(
    _ condition: @escaping @Sendable (inout Value) -> Bool, _ action: @escaping Work
  ) -> UInt64? {
    state.withLock { state in
      if condition(&state.value) { return nil }
      state.lastNumber += 1
      state.waits.append((state.lastNumber, Wait(take: { condition(&$0) ? action : nil }, giveUp: {})))
      return state.lastNumber
    }
  }

  var waitCount: Int { state.withLock { $0.waits.count } }

  func giveUp(_ number: UInt64) {
    let wait = state.withLock { state in
      state.waits.firstIndex { $0.number == number }.map { state.waits.remove(at: $0).wait }
    }
    wait?.giveUp()
  }
}
