/// What an event leads to outside of the table: what is told and released without its lock.
struct Aftermath: ~Copyable {
  fileprivate var begunCount: Int?
  fileprivate var endedCall: (call: StubCall, outcome: RecordedRequest.Outcome)?
  fileprivate var released: (server: (any ScopeBound)?, hasLeft: Closure<@Sendable () -> Bool>?)?
  fileprivate var told: (entry: JournalEntry, listeners: [RequestListener])?
  fileprivate var progress: StubProgress?

  /// - Returns: The number of requests of the stub, if the request counts as one from now on.
  @discardableResult
  consuming func finish() -> Int? {
    if let (call, outcome) = endedCall { call.end(outcome) }
    if let (entry, listeners) = told { entry.tell(listeners) }
    return begunCount
  }
}

extension RequestsInFlight.Table {
  /// Does what an event returns.
  mutating func apply(_ actions: RequestLife.Actions, to entry: JournalEntry, _ aftermath: inout Aftermath) {
    if !actions.less.isEmpty { count(entry, for: actions.less, by: -1) }
    if !actions.more.isEmpty { count(entry, for: actions.more, by: 1) }
    if entry.state.delegateQueue != nil { noteAsked(entry) }
    let steps = actions.steps
    guard !steps.isEmpty else { return }
    if steps.contains(.countBegun) { aftermath.begunCount = entry.state.progress?.add(.begun) }
    if steps.contains(.queueCall) { queueCall(of: entry) }
    if steps.contains(.endCall), let call = entry.state.call {
      aftermath.endedCall = (call, entry.state.request.outcome)
    }
    if steps.contains(.release) {
      entry.state.wait = nil
      aftermath.released = (entry.state.server.take(), entry.state.hasLeft.take())
    }
    if steps.contains(.countCompleted) {
      aftermath.progress = entry.state.progress.take()
      _ = aftermath.progress?.add(.completed)
    }
    if steps.contains(.tell), !entry.state.listeners.isEmpty {
      aftermath.told = (entry, exchange(&entry.state.listeners, with: []))
      count(entry, for: .ofEnds, by: 1)
    }
    if steps.contains(.leave) { entries.remove(entry) }
  }
}
