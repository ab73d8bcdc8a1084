/// How far the requests of a stub have come, created at the first one. Among very many stubs, most never have one.
package final class StubProgress: Sendable {
  /// How far a request has come.
  package enum Milestone: Int, Sendable {
    case begun
    /// The request is over, and the client's callbacks have returned.
    case completed
  }

  /// How many requests have reached each milestone, including those that the journal has dropped.
  let counts = Awaitable([0, 0])
  /// The closure to call for each request that is over, or `nil`.
  let onFinish = Protected<Closure<@Sendable (RecordedRequest) -> Void>?>(nil)
  /// The requests whose calls the test has not taken, oldest first.
  let held = Awaitable<[JournalEntry]>([])
  /// The newest call, taken or not.
  let latest = Protected<StubCall?>(nil)

  /// Counts a request that has reached a milestone, and returns their number.
  func count(_ milestone: Milestone) -> Int {
    counts.update { counts in
      counts[milestone.rawValue] += 1
      return counts[milestone.rawValue]
    }
  }
}
