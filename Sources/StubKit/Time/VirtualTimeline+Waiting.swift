import StubKitFormats

extension VirtualTimeline {
  /// The code that waits for the state to be as it wants it, in order of arrival.
  struct Waits {
    fileprivate var last: UInt64 = 0
    fileprivate var waiting: [(number: UInt64, wait: Wait)] = []
  }

  fileprivate struct Wait {
    /// Returns whether the state is as wanted, and can take what it wanted.
    let take: @Sendable (inout State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Waits until the state is as wanted. Returns `false` if the Swift task is cancelled or the limit of real time has
  /// passed first.
  func wait(
    atMost bound: Time? = nil, until take: @escaping @Sendable (inout State) -> Bool
  ) async -> Bool {
    let number: UInt64? = state.withLock { state in
      if take(&state) { return nil }
      state.waits.last += 1
      return state.waits.last
    }
    guard let number else { return true }
    var timer: (any DeliveryTimer)?
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          if take(&state) { return true }
          if Task.isCancelled { return false }
          state.waits.waiting.append((number, Wait(take: take, continuation: continuation)))
          return nil
        }
        if let isTaken { return continuation.resume(returning: isTaken) }
        if let bound { timer = PatienceTimer(bound) { [weak self] in self?.endWait(number) } }
      }
    } onCancel: {
      endWait(number)
    }
  }

  /// Waits until as much as that waits for its deadline. Says so once if it takes longer than the clock's patience.
  func waitForPending(_ count: Int) async {
    noteUser()
    let closure = beginWait()
    defer { closure?.end() }
    let isEnough = { @Sendable (state: inout State) in state.waiting.count >= count }
    if await wait(atMost: patience, until: isEnough) || Task.isCancelled { return }
    let sentences =
      "ManualClock.waitForPending(\(count)) has waited for \(patience). So far, \(state.withLock { $0.pending }). "
      + "Check that the code under test uses this clock and makes its requests, or wait for fewer."
    let arrivals = arrivals.withLock { $0 }
    report(([sentences] + arrivals()).joined(separator: "\n"))
    _ = await wait(until: isEnough)
  }

  private func endWait(_ number: UInt64) {
    let wait = state.withLock { state in
      state.waits.waiting.firstIndex { $0.number == number }.map { state.waits.waiting.remove(at: $0).wait }
    }
    wait?.continuation.resume(returning: false)
  }
}

extension VirtualTimeline.State {
  /// What waits for the clock, and whom the clock waits for.
  fileprivate var pending: String {
    var parts: [String] = []
    let sleeperCount = waiting.sleeperCount
    if sleeperCount > 0 { parts.append("\(sleeperCount) sleeping") }
    if waiting.count > sleeperCount { parts.append("\(waiting.count - sleeperCount) deliveries and timeouts") }
    let sum = parts.isEmpty ? "nothing is pending" : "\(waiting.count) pending (\(parts.joined(separator: ", ")))"
    let working = calls.working
    return working.isEmpty ? sum : sum + ", and \(working.closures) not returned"
  }

  mutating func takeReadyWaits() -> [CheckedContinuation<Bool, Never>] {
    guard !waits.waiting.isEmpty else { return [] }
    var ready: [CheckedContinuation<Bool, Never>] = []
    var index = 0
    while index < waits.waiting.count {
      if waits.waiting[index].wait.take(&self) {
        ready.append(waits.waiting.remove(at: index).wait.continuation)
      } else {
        index += 1
      }
    }
    return ready
  }
}
