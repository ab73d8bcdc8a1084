import Dispatch

/// Time that moves only when it is told to. It is the inside of a ``ManualClock``.
final class VirtualTimeline: Timeline {
  /// How long, in real time, a mover waits for work that has begun.
  let patience: Time
  /// How long, in real time, new work may begin on the way to the end.
  let endlessTime: Time
  /// Reports work that is no longer waited for.
  let report: @Sendable (String) -> Void
  /// What arrived at the registry that took this time last, a line each, for reports.
  let arrivals = Protected<@Sendable () -> [String]>({ [] })
  let state = Protected(State())

  struct State {
    var elapsed = Time.zero
    var waiting = Agenda()
    /// The amount of work that has begun and not ended.
    var begun = 0
    /// The amount of such work that is no longer waited for.
    var givenUp = 0
    var calls = Calls()
    /// A Boolean value that indicates whether code elsewhere than on the timeline uses it.
    var isUsedElsewhere = false
    var tasks = TaskCensus()
    /// A counter of everything that happens on this timeline, except for time itself.
    var changes: UInt64 = 0
    var turn = Turn()
    /// The drivers that move time while their bodies run.
    var drivers: Set<UInt64> = []
    var lastDriver: UInt64 = 0
    var placeTurns = PlaceTurns()
    var waits = Waits()

    /// A Boolean value that indicates whether everything that has begun has ended, except for what was given up.
    var isAtRest: Bool { begun <= givenUp }

    mutating func begin() {
      begun += 1
      changes &+= 1
    }

    mutating func end() {
      begun -= 1
      givenUp = min(givenUp, begun)
      changes &+= 1
    }
  }

  init(
    patience: Time, endlessTime: Time, report: @escaping @Sendable (String) -> Void
  ) {
    self.patience = patience
    self.endlessTime = endlessTime
    self.report = report
  }

  var elapsed: Time { state.withLock { $0.elapsed } }
  var pendingCount: Int { state.withLock { $0.waiting.count } }
  var changes: UInt64 { state.withLock { $0.changes } }
  var isWatched: Bool { true }
  var timesOutWaits: Bool { true }

  /// The current time, rounded down, so that what is scheduled from here is due when its time has passed, to the
  /// fraction of a nanosecond.
  var now: Time { elapsed.roundedDown }

  func begin() { update { $0.begin() } }
  func end() { update { $0.end() } }

  func schedule(
    at deadline: Time, on queue: any DeliveryQueue, in sequence: StepSequence?, _ work: @escaping @Sendable () -> Void
  ) -> any DeliveryTimer {
    let ticket: Agenda.Ticket? = update { state in
      state.changes &+= 1
      guard deadline > state.elapsed.roundedDown else {
        state.begun += 1
        return nil
      }
      let ticket = state.waiting.makeTicket()
      state.waiting.insert(.work(work, on: queue), at: deadline.roundedUp, ticket, in: sequence)
      return ticket
    }
    if ticket == nil { perform(work, on: queue) }
    return Timer(ticket: ticket, timeline: self)
  }

  func makeStepSequence() -> StepSequence? { state.withLock { $0.waiting.makeStepSequence() } }

  private struct Timer: DeliveryTimer {
    /// The ticket, or `nil` for what was due at once.
    let ticket: Agenda.Ticket?
    let timeline: VirtualTimeline

    func cancel() {
      guard let ticket else { return }
      _ = timeline.remove(ticket)
    }
  }

  /// Performs work that has been counted as begun.
  func perform(_ work: @escaping @Sendable () -> Void, on queue: any DeliveryQueue) {
    queue.perform { [self] in
      work()
      end()
    }
  }

  func remove(_ ticket: Agenda.Ticket) -> Agenda.Entry? {
    update { state in
      state.changes &+= 1
      return state.waiting.remove(ticket)
    }
  }

  /// Changes the state, and resumes the code that has waited for it.
  @discardableResult
  func update<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let result = change(&state)
      return (result, state.takeReadyWaits())
    }
    for wait in ready { wait.resume(returning: true) }
    return result
  }
}
