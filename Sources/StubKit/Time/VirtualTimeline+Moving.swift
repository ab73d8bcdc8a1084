extension VirtualTimeline {
  /// The number of consecutive rounds without any event before time moves to the next deadline.
  ///
  /// What has begun is counted and waited for. Code that it wakes elsewhere than on `executor` has this many rounds
  /// to begin something itself. In each round, the main actor has its turn, and Swift tasks of the same priority have
  /// theirs a few times, so that code can hop from actor to actor. Tasks of low priority have one turn in all.
  static let quietRounds = 3
  private static let yieldsInARound = 4

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
    if await wait(atMost: min(patience, Self.codePatience), until: { $0.isAtRest }) { return !Task.isCancelled }
    if Task.isCancelled { return false }
    update { $0.givenUpJobCount = $0.jobCount }
    let rest = max(.zero, patience - Self.codePatience)
    if await wait(atMost: rest, until: { $0.begun <= $0.givenUp }) { return !Task.isCancelled }
    if Task.isCancelled { return false }
    let count = state.withLock { state in
      defer { state.givenUp = state.begun }
      return state.begun - state.givenUp
    }
    if count > 0 {
      report(
        "ManualClock moved on after \(patience) although work had not ended (\(count) in all). "
          + "A closure or a delegate that blocks its thread until the test continues must await instead.")
    }
    return true
  }

  private func isQuiet() async -> Bool {
    let before = changes
    let background = Task.detached(priority: .background) { await Task.yield() }
    for _ in 0..<Self.quietRounds {
      for _ in 0..<Self.yieldsInARound { await pass(Task.currentPriority) }
      await passMainActor()
      if changes != before || Task.isCancelled { break }
    }
    await background.value
    return isUnchanged(since: before) || Task.isCancelled
  }

  /// Returns whether nothing has happened since then, and nothing was under way already.
  private func isUnchanged(since changes: UInt64) -> Bool {
    state.withLock { $0.changes == changes && $0.isAtRest }
  }

  /// Waits until the Swift tasks of a priority that were ready before have had their turn, as far as that is visible
  /// from outside.
  private func pass(_ priority: TaskPriority) async {
    await Task.detached(priority: priority) { await Task.yield() }.value
  }

  /// Waits until the main actor has done its earlier work. It doesn't wait for a main actor that is always busy, or
  /// blocked by code that waits there for time to move.
  private func passMainActor() async {
    let isBusy = state.withLock { state in
      defer { state.mainActorIsBusy = true }
      return state.mainActorIsBusy
    }
    guard !isBusy else { return }
    Task.detached { @MainActor [self] in update { $0.mainActorIsBusy = false } }
    _ = await wait(atMost: min(patience, .seconds(1))) { !$0.mainActorIsBusy }
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
      for case .work in due.lazy.map(\.action) { state.begun += 1 }
      return (.done, due)
    }
    if step == .done { watch?.moved(self) }
    for entry in due {
      switch entry.action {
      case .work(let work, let queue): perform(work, on: queue)
      case .sleeper(let continuation): continuation.resume()
      }
    }
    return step
  }

  func pass(to instant: Time) {
    update { $0.elapsed = max($0.elapsed, instant) }
  }
}
