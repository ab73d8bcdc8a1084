extension VirtualTimeline {
  /// Moves time to a moment, deadline by deadline. Concurrent calls wait for their turn.
  ///
  /// A task that is cancelled stops where it is.
  func move(to destination: @escaping @Sendable (_ elapsed: Time) -> Time) async {
    await asMover(.toMoment) { [self] in
      guard await takeTurn(as: .toMoment) else { return }
      defer { giveUpTurn() }
      await settle()
      let limit = destination(elapsed)
      while !Task.isCancelled, fireNext(notAfter: limit, as: .toMoment) == .done { await settle() }
      if !Task.isCancelled { pass(to: limit) }
    }
  }

  /// Waits until everything that has begun has ended and causes nothing new, and until the waiter for the next
  /// deadline has received all of its news.
  func settle() async {
    repeat { await comeToRest() } while await !nextHasHeard()
  }

  private func comeToRest() async {
    guard await waitForWhatHasBegun() else { return }
    let isImpatient = Protected(false)
    let timer = PatienceTimer(patience) { isImpatient.withLock { $0 = true } }
    defer { timer.cancel() }
    while await !isQuiet() {
      guard !isImpatient.withLock({ $0 }) else {
        return report(
          "ManualClock moved on after \(patience) although code that uses it was still running. "
            + "Let that code sleep on the clock or end before you advance the clock.")
      }
      guard await waitForWhatHasBegun() else { return }
    }
  }

  /// Returns `false` if the next deadline has changed afterwards. URLSession tells a load on the load's own queue, a
  /// moment later, that its task was cancelled or suspended. What the load waits for is then cancelled.
  private func nextHasHeard() async -> Bool {
    let (ticket, next) = state.withLock { ($0.waiting.firstTicket, $0.waiting.first) }
    guard case .work(_, let queue)? = next?.action else { return true }
    begin()
    queue.perform { [self] in end() }
    guard await waitForWhatHasBegun() else { return true }
    return state.withLock { $0.waiting.firstTicket } == ticket
  }

  /// Returns `false` if the Swift task is cancelled.
  private func waitForWhatHasBegun() async -> Bool {
    if await wait(atMost: patience, until: { $0.isAtRest }) { return !Task.isCancelled }
    if Task.isCancelled { return false }
    let (count, working) = state.withLock { state in
      defer { state.givenUp = state.begun }
      return (state.begun - state.givenUp, state.calls.working)
    }
    if count > 0 {
      report(
        "ManualClock moved on after \(patience) although work had not ended (\(count) in all). "
          + (working.isEmpty ? "" : "Among it, \(working.closures) not returned. ")
          + "A closure or a delegate must not wait for what the test does after it has moved the clock.")
    }
    return true
  }

  enum Step {
    case done
    /// There is no deadline before the limit, or nobody drives any more.
    case nothing
    /// Somebody else moves time first.
    case notNow
  }

  /// Moves time to the earliest deadline and starts what is due then.
  ///
  /// - Parameter driver: Moves time only if this one is still driving.
  @discardableResult
  func fireNext(notAfter limit: Time = .longest, as mover: Mover, driver: UInt64? = nil) -> Step {
    let (step, due): (Step, [Agenda.Entry]) = update { state in
      if let driver, !state.drivers.contains(driver) { return (.nothing, []) }
      guard let deadline = state.waiting.firstDeadline, deadline <= limit else { return (.nothing, []) }
      guard state.turn.isOpen(to: mover) else { return (.notNow, []) }
      state.elapsed = max(state.elapsed, deadline)
      let due = state.waiting.removeEarliest()
      state.begun += due.count
      return (.done, due)
    }
    for entry in due {
      switch entry.action {
      case .work(let work, let queue): perform(work, on: queue)
      case .sleeper(let continuation): continuation.resume(returning: true)
      }
    }
    return step
  }

  func pass(to instant: Time) {
    update { $0.elapsed = max($0.elapsed, instant) }
  }
}

extension [String] {
  /// The closures of the stubs with these names as the subject of a sentence, and its auxiliary verb.
  var closures: String {
    let names = prefix(5).joined(separator: ", ")
    return count == 1 ? "the closure of the stub \(names) has" : "the closures of \(count) stubs (\(names)) have"
  }
}
