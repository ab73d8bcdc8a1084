/// What an event leads to outside of the table: what is told and released without its lock.
struct Aftermath: ~Copyable {
  fileprivate var callCount: Int?
  fileprivate var endedCall: (call: StubCall, outcome: RecordedRequest.Outcome)?
  fileprivate var released: (server: (any ScopeBound)?, hasLeft: Closure<@Sendable () -> Bool>?)?
  fileprivate var told: (entry: JournalEntry, listeners: RequestListeners.Waiting)?
  fileprivate var counts: CallCounts?
  fileprivate var earlierCall: StubCall?
  /// The request that is over, if the summary of the run has it.
  fileprivate var summarized: JournalEntry?

  /// - Returns: The number of requests of the stub, if the request counts as one from now on.
  @discardableResult
  consuming func finish() -> Int? {
    if let (call, outcome) = endedCall { call.end(outcome) }
    if let (entry, listeners) = told { entry.notify(listeners) }
    if let summarized { RunSummary.add(summarized) }
    return callCount
  }
}

extension RequestsInFlight.Table {
  /// Takes those who can learn of the end of a request now. Both ends wait until `listenersReturned(for:)`.
  mutating func takeListeners(of entry: JournalEntry) -> RequestListeners.Waiting {
    let listeners = entry.state.listeners.takeAll()
    if !listeners.isEmpty { count(entry, for: .ofEnds, by: 1) }
    return listeners
  }

  mutating func listenersReturned(for entry: JournalEntry) { count(entry, for: .ofEnds, by: -1) }

  /// Does what an event returns.
  mutating func apply(_ actions: RequestLife.Actions, to entry: JournalEntry, _ aftermath: inout Aftermath) {
    if !actions.less.isEmpty { count(entry, for: actions.less, by: -1) }
    if !actions.more.isEmpty { count(entry, for: actions.more, by: 1) }
    if entry.state.delegateQueue != nil { noteAsked(entry) }
    let steps = actions.steps
    guard !steps.isEmpty else { return }
    if steps.contains(.countCall) { aftermath.callCount = entry.state.counts?.count(entry, .chosen, in: era) }
    if steps.contains(.queueCall) { aftermath.earlierCall = queueCall(of: entry) }
    if steps.contains(.endCall), let call = entry.state.call {
      aftermath.endedCall = (call, entry.state.request.outcome)
    }
    if steps.contains(.release) {
      entry.state.wait = nil
      aftermath.released = (entry.state.server.take(), entry.state.hasLeft.take())
    }
    if steps.contains(.countCompleted) {
      aftermath.counts = entry.state.counts.take()
      _ = aftermath.counts?.count(entry, .completed, in: era)
    }
    if steps.contains(.tell) {
      if RunSummary.isOn { aftermath.summarized = entry }
      let listeners = takeListeners(of: entry)
      if !listeners.isEmpty { aftermath.told = (entry, listeners) }
    }
    if steps.contains(.leave) { entries.remove(entry) }
  }
}
