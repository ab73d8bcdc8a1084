import Foundation

extension JournalEntry {
  /// What an entry knows, and how an event changes it. Its functions are called under the lock of the table.
  struct State {
    /// The request with its life. Of a request that is under way, the table asks this.
    var request: RecordedRequest
    /// The counts of its stub's calls, until it has counted as completed, because they may keep the entry.
    var counts: CallCounts?
    /// The call by which the test answers the request, from the moment when it can.
    var call: StubCall?
    /// The queue on which its client's delegate is asked for the stream of its body, if it is.
    var delegateQueue: OperationQueue?
    /// What it waits for, without a time of its own, and how many looks have found it so. Whoever begins the wait says
    /// so.
    var wait: (for: Awaited, lookCount: Int)?
    /// The generation in which its task made its first request.
    var generation: UInt64 = 0
    /// Its place in the table.
    var place = 0
    /// What serves it, as long as that ends with its scope.
    var server: (any ScopeBound)?
    /// Tells on any thread whether its client has cancelled it, while it waits for the test.
    var hasLeft: Closure<@Sendable () -> Bool>?
    /// The number of times that the test had forgotten its requests before this one was made. If it has done so again
    /// since, this one counts for nothing.
    var era: UInt64 = 0
    /// The end that the listeners have learned of, before the client does. Nothing changes it any more.
    var toldEnd: (outcome: RecordedRequest.Outcome, sentLength: Int?, duration: Duration)?
    /// What the summary of the run says of it beside its end, or `nil` if there is none.
    var summary: RunSummary.Note?
    /// Those who have yet to learn of its end.
    var listeners: RequestListeners.Waiting

    var life: RequestLife {
      get { request.life }
      set { request.life = newValue }
    }

    /// - Parameter listener: That of the stub, or `nil` if it has none.
    mutating func take(_ finding: JournalEntry.Finding, _ listener: RequestListener?) -> RequestLife.Actions {
      request.isSent = finding.isSent
      // Its client has left meanwhile. Who looks doesn't wait for it, so nothing is chosen for it any more.
      if life.isOver {
        finding.use?.giveBack()
        return finding.kind.map { life.finds($0) } ?? .init()
      }
      if let listener { listeners.insert(listener) }
      request.stub = finding.use?.reference
      request.match = finding.match
      counts = finding.use?.counts
      if RunSummary.isOn { summary = RunSummary.Note(pattern: finding.use?.stub.condition.endpointPattern) }
      hasLeft = finding.hasLeft
      return finding.kind.map { life.finds($0) } ?? .init()
    }

    mutating func receive(
      _ response: RecordedRequest.Response, after time: Duration, _ keepsLargeBodies: Bool
    ) {
      guard !life.isOver else { return }
      request.response = response
      if !keepsLargeBodies { request.response?.dropLargeBody() }
      request.timeToResponse = time
    }

    mutating func end(
      _ outcome: RecordedRequest.Outcome, _ sentLength: Int? = nil, after duration: Duration, isLed: Bool = false
    ) -> RequestLife.Actions {
      guard !life.isOver else { return .init() }
      let end = toldEnd ?? (outcome, sentLength, duration)
      request.end(end.outcome, end.sentLength, end.duration)
      return isLed ? life.leads() : life.ends(isOnNetwork: outcome == .passedThrough)
    }
  }
}
