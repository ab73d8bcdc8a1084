extension VirtualTimeline {
  /// The number of beginnings on the way that counts as endless. A busy machine takes long for few deadlines.
  private static let endlessCount: UInt64 = 1_000

  /// Moves time, deadline by deadline, until nothing waits.
  ///
  /// What waits at the beginning, and each response that is on its way, comes to its end, however long that takes.
  /// What begins on the way can begin again for ever.
  func moveToEnd() async {
    await asMover(.toEnd) { [self] in
      guard await takeWayToEnd() else { return }
      defer { giveUpWayToEnd() }
      guard await takeTurn(as: .toEnd) else { return }
      await settle()
      update { $0.waiting.track(stepsOnly: false) }
      giveUpTurn()
      guard await proceed(while: { $0.waiting.trackedCount > 0 }) else { return }
      let (start, count) = (Time.now(), state.withLock { $0.waiting.beginningCount })
      let isPatient = { @Sendable [endlessTime] (state: State) in
        state.waiting.beginningCount - count < Self.endlessCount || .now() - start < endlessTime
      }
      guard await proceed(while: isPatient) else { return }
      update { $0.waiting.track(stepsOnly: true) }
      guard await proceed(while: { $0.waiting.trackedCount > 0 }) else { return }
      report(
        "ManualClock.advanceToEnd() stopped after \(endlessTime): each deadline sets another one. "
          + "Choose how far to go with advance(by:), or end the code that repeats.")
    }
  }

  /// Returns `false` if nothing waits any more before the condition ends, or if the Swift task is cancelled.
  private func proceed(while condition: @escaping @Sendable (State) -> Bool) async -> Bool {
    while !Task.isCancelled {
      guard await takeTurn(as: .toEnd) else { return false }
      await settle()
      let isOver = state.withLock { !condition($0) }
      let step = isOver ? nil : fireNext(as: .toEnd)
      giveUpTurn()
      if isOver { return true }
      if step == .nothing { return false }
    }
    return false
  }
}
