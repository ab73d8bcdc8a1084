import Foundation

/// How many requests a stub was chosen for, and how many of them are over, since the test last forgot its requests.
///
/// Everything that asks how often a stub was called reads this: `callCount`, waits, verifications, and the end of a
/// test. The uses of a stub, which `times:` and `responses:` count, are another matter, because they are never
/// forgotten.
///
/// It is created at the first call, or when somebody first waits for one. Among very many stubs, most never have one.
package final class CallCounts: Sendable {
  /// How far a request has come.
  package enum Milestone: Int, Sendable {
    /// The stub was chosen for it.
    case chosen
    /// It is over, and the client's callbacks have returned.
    case completed
  }

  /// The requests of the stub's registry, whose lock guards the rest. Who waits for a count waits for the table.
  let inFlight: RequestsInFlight
  /// The number of requests for each milestone, including those that the journal has dropped.
  // Safe because it is touched only under that lock, as everything below.
  @exclusivity(unchecked) nonisolated(unsafe) private var counts = [0, 0]
  /// The number of the newest entry among them.
  @exclusivity(unchecked) nonisolated(unsafe) private var newest = 0
  /// The era in which the requests were made.
  @exclusivity(unchecked) nonisolated(unsafe) private var era: UInt64 = 0
  /// The newest call that the test could take, and its era.
  @exclusivity(unchecked) nonisolated(unsafe) private var latest: (call: StubCall, era: UInt64)?
  /// How many requests the stub was ever chosen for. Nothing forgets that.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var total = 0
  /// Whether the stub was removed, so that no request is going to be one of it, but for those that have it already.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var isRemoved = false

  init(among inFlight: RequestsInFlight) { self.inFlight = inFlight }

  /// Those who wait for a request of the stub learn that it was removed.
  func noteRemoval() { inFlight.table.update { _ in isRemoved = true } }

  // MARK: Under the lock of the table, in its current era

  func count(of milestone: Milestone, in now: UInt64) -> Int {
    era == now ? counts[milestone.rawValue] : 0
  }

  /// The number of the newest entry, or `nil` if there is none.
  func newest(in now: UInt64) -> Int? { era == now && newest > 0 ? newest : nil }

  func latestCall(in now: UInt64) -> StubCall? { latest?.era == now ? latest?.call : nil }

  /// Counts a request that has reached a milestone, unless the test has forgotten it. Returns the number of those.
  func count(_ entry: JournalEntry, _ milestone: Milestone, in now: UInt64) -> Int {
    if milestone == .chosen { total += 1 }
    guard entry.state.era == now else { return 0 }
    if era != now { (era, counts, newest) = (now, [0, 0], 0) }
    counts[milestone.rawValue] += 1
    newest = max(newest, entry.number)
    return counts[milestone.rawValue]
  }

  /// Records a call that the test can take. Returns the one before, to be released outside the lock.
  func record(_ call: StubCall, of entry: JournalEntry) -> StubCall? {
    exchange(&latest, with: (call, entry.state.era))?.call
  }
}
