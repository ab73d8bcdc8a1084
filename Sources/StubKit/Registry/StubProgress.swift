import Foundation

/// How far the requests of a stub have come, created at the first one. Among very many stubs, most never have one.
package final class StubProgress: Sendable {
  /// How far a request has come.
  package enum Milestone: Int, Sendable {
    case begun
    /// The request is over, and the client's callbacks have returned.
    case completed
  }

  /// The requests of the stub's registry, whose lock guards the rest. Who waits for it waits for the table.
  let inFlight: RequestsInFlight
  /// How many requests have reached each milestone, including those that the journal has dropped.
  // Safe because it is touched only under that lock.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var counts = [0, 0]
  /// How many requests it was chosen for that the test has not forgotten. It changes together with their entries, so
  /// that a count is never ahead of the requests.
  // Safe as above.
  @exclusivity(unchecked) nonisolated(unsafe) var chosenCount = 0
  /// Whether the stub was removed, so that no request is going to be one of it, but for those that have it already.
  // Safe as above.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var isRemoved = false
  /// The newest call, taken or not.
  // Safe as above.
  nonisolated(unsafe) var latest: StubCall?
  /// The closure to call for each request that is over, or `nil`.
  let onFinish = Protected<Closure<@Sendable (RecordedRequest) -> Void>?>(nil)

  init(among inFlight: RequestsInFlight) { self.inFlight = inFlight }

  /// Those who wait for a request of the stub learn that it was removed.
  func noteRemoval() { inFlight.table.update { _ in isRemoved = true } }

  /// How many requests it was chosen for that the test has not forgotten.
  var calls: Int { inFlight.table.withLock { _ in chosenCount } }

  /// Counts a request that has reached a milestone, and returns their number.
  func add(_ milestone: Milestone) -> Int {
    counts[milestone.rawValue] += 1
    return counts[milestone.rawValue]
  }
}
