/// How a virtual timeline moves. A test lets two seconds pass, for example, and a stub answers after one:
///
/// ```swift
/// stub(.get, "/users", response: .json([]).delay(.seconds(1)))
/// client.load()  // A request has begun, which is work that the timeline counts.
/// await clock.advance(by: .seconds(2))
/// ```
///
/// 1. `advance(by:)` is a **mover**. One mover at a time moves: it takes the **turn**.
/// 2. It **rests**. First, what is counted ends: the request reaches its exchange, which then waits until second 1.
///    Then the timeline is **quiet**: tasks and the main actor, which aren't counted, have had turns to begin
///    something.
/// 3. It **fires** the next deadline: it is second 1, the response is delivered, and the mover rests again.
/// 4. There is no deadline up to second 2, so it is second 2, and the mover returns.
///
/// The first test to read is "wakes sleepers in the order of their moments" in `ManualClockTests.swift`.
extension VirtualTimeline {
  /// What moves time, in the order in which one gives way to the ones before it.
  ///
  /// A body that runs on the clock can call `advance(by:)`, and so can a closure that answers its request. `run` must
  /// not skip that and go to the timeout of the request that the closure is answering.
  enum Mover: Int {
    /// `advance(by:)` and `advance(to:)`.
    case toMoment
    /// `advanceToEnd()`.
    case toEnd
    /// `run(isolation:_:)`.
    case driver
  }

  struct Turn {
    fileprivate var isTaken = false
    /// The calls of each kind of mover, from the call until its caller continues. Drivers aren't counted.
    fileprivate var callCounts = [0, 0]

    fileprivate func isOpen(to mover: Mover) -> Bool { callCounts.prefix(mover.rawValue).allSatisfy { $0 == 0 } }
  }

  /// Moves time to a moment, deadline by deadline. Concurrent calls wait for their turn.
  ///
  /// A task that is cancelled stops where it is.
  func move(to destination: @escaping @Sendable (_ elapsed: Duration) -> Duration) async {
    await call(.toMoment) { [self] in
      await withExclusiveAdvance(as: .toMoment) {
        await rest()
        let limit = destination(elapsed)
        while fireNext(notAfter: limit, as: .toMoment) == .done { await rest() }
        guard !Task.isCancelled else { return }
        state.update { state in
          state.elapsed = max(state.elapsed, limit)
          state.changes &+= 1
        }
      }
    }
  }

  /// Moves time, deadline by deadline, until nothing waits.
  ///
  /// Code whose deadlines set others could go on for ever. It ends after 1,000 deadlines more than waited at the
  /// beginning, and some real time, because a busy machine takes long for few deadlines.
  func moveToEnd() async {
    await call(.toEnd) { [self] in
      let start = Duration.now()
      var count = 0
      var limit = Int.max
      var isEndless = false
      while !Task.isCancelled, !isEndless {
        let step = await withExclusiveAdvance(as: .toEnd) {
          await rest()
          if count == 0 { limit = pendingCount + 1_000 }
          isEndless = count >= limit && .now() - start >= endlessTime && pendingCount > 0
          return isEndless ? .notNow : fireNext(as: .toEnd)
        }
        guard let step, step != .nothing else { return }
        if step == .done { count += 1 }
      }
      guard isEndless else { return }
      report(
        "ManualClock.advanceToEnd() stopped after \(endlessTime): each deadline sets another one. "
          + "Choose how far to go with advance(by:), or end the code that repeats.")
    }
  }

  /// Runs a body, and moves time to the next deadline whenever it has come to rest.
  func run<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await drive(body) }
    return try await withTaskExecutorPreference(self) { () async throws(Failure) -> Result in
      _ = isolation
      return try await drive(body)
    }
  }

  /// The driver begins and ends while the body is known not to be at rest, so that no time passes at the same time.
  private func drive<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    noteUser()
    state.withLock { state in
      state.driverCount += 1
      _ = state.tasks.noteNewTasks()
    }
    let driver = Self.startMover { [self] in await moveWhileDriving() }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    driver.cancel()
    state.withLock { $0.driverCount -= 1 }
    await driver.value
    return try result.get()
  }

  private func moveWhileDriving() async {
    var bound: Duration? = patience
    while !Task.isCancelled {
      guard await state.wait(atMost: bound, until: { !$0.waiting.isEmpty }) else {
        if !Task.isCancelled {
          report(
            "The body of ManualClock.run has not returned, and for \(patience) nothing has waited on the clock. "
              + "If the body sleeps, pass it this clock. If it waits for a gate or a stream, open the gate or end the stream."
          )
        }
        bound = nil
        continue
      }
      await withExclusiveAdvance(as: .driver) {
        await rest()
        fireNext(as: .driver)
      }
    }
  }

  // MARK: One mover at a time

  /// Runs a call that moves time in a Swift task of its own, which isn't counted itself and is cancelled with the
  /// caller.
  private func call(_ mover: Mover, _ move: @escaping AsyncWork) async {
    state.update { $0.turn.callCounts[mover.rawValue] += 1 }
    let endWait = beginWait()
    defer { endWait?(()) }
    let moving = Self.startMover(move)
    await withTaskCancellationHandler {
      await moving.value
    } onCancel: {
      moving.cancel()
    }
    // Not in the task, because the caller runs again by now, and is known not to be at rest.
    state.update { $0.turn.callCounts[mover.rawValue] -= 1 }
  }

  /// Runs a closure while nothing else moves time. It begins when no mover waits to which this one gives way.
  ///
  /// - Returns: What the closure returns, or `nil` if the Swift task is cancelled before it begins.
  @discardableResult
  private func withExclusiveAdvance<Result>(as mover: Mover, _ body: () async -> Result) async -> Result? {
    let hasTurn = await state.wait { (state: inout State) -> Bool in
      guard !state.turn.isTaken, state.turn.isOpen(to: mover) else { return false }
      state.turn.isTaken = true
      return true
    }
    guard hasTurn else { return nil }
    defer { state.update { $0.turn.isTaken = false } }
    return await body()
  }

  private enum Step {
    case done
    /// There is no deadline before the limit, or the Swift task is cancelled.
    case nothing
    /// A mover waits to which this one gives way.
    case notNow
  }

  /// Moves time to the earliest deadline and starts what is due then, unless the Swift task is cancelled: a driver is,
  /// when its body has returned.
  @discardableResult
  private func fireNext(notAfter limit: Duration = .endOfTime, as mover: Mover) -> Step {
    let (step, due): (Step, [(Entry, begun: UInt64)]) = state.update { state in
      guard !Task.isCancelled, let deadline = state.waiting.first?.ticket.deadline, deadline <= limit else {
        return (.nothing, [])
      }
      guard state.turn.isOpen(to: mover) else { return (.notNow, []) }
      state.elapsed = max(state.elapsed, deadline)
      return (.done, state.waiting.removeAll(dueAt: deadline).map { ($0, state.begin()) })
    }
    for (entry, begun) in due {
      switch entry {
      case .work(let work, let queue): perform(work, on: queue, as: begun)
      case .sleeper(let continuation): continuation.resume(returning: begun)
      }
    }
    return step
  }

  // MARK: Rest

  /// Waits until everything that has begun has ended and causes nothing new, and until the next deadline is certain.
  func rest() async {
    repeat { await comeToRest() } while await !nextIsCertain()
  }

  private func comeToRest() async {
    guard await waitForWhatHasBegun() else { return }
    let isImpatient = Protected(false)
    let timer = PatienceTimer(patience) { isImpatient.current = true }
    defer {
      timer.cancel()
      // Nobody else waits for what this call has asked for.
      isImpatient.current = true
    }
    repeat {
      if await isQuiet({ isImpatient.current }) { return }
      guard !isImpatient.current else {
        return report(
          "ManualClock moved on after \(patience) although code that uses it was still running. "
            + "Let that code sleep on the clock or end before you advance the clock.")
      }
    } while await waitForWhatHasBegun()
  }

  /// Returns `false` if the next deadline has changed afterwards. URLSession tells a load on the load's own queue, a
  /// moment later, that its task was cancelled or suspended. What the load waits for is then cancelled.
  private func nextIsCertain() async -> Bool {
    guard let (ticket, next) = state.withLock({ $0.waiting.first }), case .work(_, let queue) = next else {
      return true
    }
    queue.perform(counted {})
    guard await waitForWhatHasBegun() else { return true }
    return state.withLock { $0.waiting.first?.ticket } == ticket
  }

  /// Returns `false` if the Swift task is cancelled.
  private func waitForWhatHasBegun() async -> Bool {
    if await state.wait(atMost: patience, until: { $0.isAtRest }) { return !Task.isCancelled }
    if Task.isCancelled { return false }
    let (count, working) = state.withLock { (exchange(&$0.unfinished, with: []).count, $0.working) }
    if count > 0 {
      report(
        "ManualClock moved on after \(patience) although work had not ended (\(count) in all). "
          + (working.map { "Among it, \($0) not returned. " } ?? "")
          + "A closure or a delegate must not wait for what the test does after it has moved the clock.")
    }
    return true
  }

  /// How often ready tasks and the main actor have their turns before time moves to the next deadline, so that code can
  /// hop between them. Afterwards, the threads of other priorities may have resumed something, which has a turn in the
  /// second look. If that begins something, both looks begin again.
  private static let cycleCounts = [64, 0]
  /// The real-time limit for tasks that nothing is known of.
  private static let shortTurn = Duration.milliseconds(1)

  /// Gives code that isn't counted its turn to begin something that is, and returns whether nothing has begun.
  ///
  /// If only the clock's own tasks have used the clock, and no other task has been made, there is one short turn.
  ///
  /// - Parameter isImpatient: Returns whether to leave behind what has not come to rest.
  func isQuiet(_ isImpatient: @escaping @Sendable () -> Bool) async -> Bool {
    let (before, isAwaited) = state.withLock { state in
      let hasNewTasks = state.tasks.noteNewTasks()
      // They can still be there later.
      if hasNewTasks == true { state.isUsedElsewhere = true }
      return (state.changes, state.isUsedElsewhere || hasNewTasks != false)
    }
    let medium = CooperativePool.medium
    // Returns whether something has happened since then, or was under way already.
    let isMoot = { @Sendable [self] in state.withLock { $0.changes != before || !$0.isAtRest } }
    for cycleCount in isAwaited ? Self.cycleCounts : [0] {
      for pool in isAwaited ? CooperativePool.all : [medium] {
        if pool === medium { await passMainActor() }
        let (used, usesMainActor) = state.withLock { ($0.usedPools, !$0.awaitsMainActor) }
        let end = isAwaited ? Duration.endOfTime : .now() + Self.shortTurn
        let outcome = await pool.drain(
          CooperativePool.Waiter(
            cycleCount: pool === medium ? cycleCount : 0, usedPools: used, usesMainActor: usesMainActor,
            isMoot: { isMoot() || .now() >= end }, isImpatient: isImpatient), atMost: isAwaited ? nil : Self.shortTurn)
        if Task.isCancelled { return true }
        if isMoot() { return false }
        switch outcome {
        case nil, .rest?: break
        case .leftBehind: reportLeftBehind("threads of Swift tasks")
        case .busy(let isNew):
          if isNew {
            report(
              "ManualClock moved on although Swift tasks are always ready: some have gone on for a second. Until they "
                + "rest, tasks have one turn before each deadline, and code that needs several can be late.")
          }
          if pool === medium { return true }
        }
      }
    }
    return true
  }

  private func passMainActor() async {
    // It doesn't wait again for a main actor that is blocked by code that waits there for time to move.
    let isFree = state.withLock { !exchange(&$0.awaitsMainActor, with: true) }
    guard isFree else { return }
    OwnTasks.make { Task.detached { @MainActor in self.state.update { $0.awaitsMainActor = false } } }
    let hasPassed = await state.wait(atMost: patience) { !$0.awaitsMainActor }
    if !hasPassed { reportLeftBehind("the main actor") }
  }

  private func reportLeftBehind(_ threads: String) {
    guard !Task.isCancelled else { return }
    report(
      "ManualClock moved on although \(threads) had not come to rest for \(patience): code there computes, or blocks its "
        + "thread. It isn't waited for again until it ends.\nCode that waits in a Swift task must await.")
  }
}
