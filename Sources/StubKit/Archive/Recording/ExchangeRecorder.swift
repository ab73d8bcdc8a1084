/// Collects what came back from the network for the requests of a registry, while something records.
///
/// A request enters when it goes to the network. Its entries arrive before the client is told the end, so that whoever awaited
/// the response finds them here.
final class ExchangeRecorder: Sendable {
  private struct State {
    var count = 0
    /// By the numbers of the tasks: their entries, one for each hop.
    var finished: [Int: [HTTPArchive.Entry]] = [:]
  }

  private let state = Protected(State())

  /// A task's number, in the order in which they began.
  struct Ticket: Sendable { fileprivate let number: Int }

  func begin() -> Ticket {
    state.withLock {
      $0.count += 1
      return Ticket(number: $0.count)
    }
  }

  /// Ends a task with the entries of its hops. A task that was cancelled ends with none.
  func end(_ ticket: Ticket, _ entries: [HTTPArchive.Entry]) {
    let replaced = state.withLock { $0.finished.updateValue(entries, forKey: ticket.number) }
    _ = consume replaced
  }

  /// Takes back the end of a task that goes on after all, as with a credential that a response asked for.
  func reopen(_ ticket: Ticket) {
    let entries = state.withLock { $0.finished.removeValue(forKey: ticket.number) }
    _ = consume entries
  }

  /// What was recorded, in the order in which the tasks began, and how many tasks have not ended.
  var contents: (entries: [HTTPArchive.Entry], unfinishedCount: Int) {
    let (finished, count) = state.withLock { ($0.finished, $0.count) }
    return (finished.sorted { $0.key < $1.key }.flatMap(\.value), count - finished.count)
  }
}
