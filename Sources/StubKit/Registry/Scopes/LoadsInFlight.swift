/// The loads of a registry that are waiting for something, and what ends them when their scope does.
final class LoadsInFlight: Sendable {
  private let state = Protected(State())

  private struct State {
    var ends: [UInt64: @Sendable (any Error) -> Void] = [:]
    var next: UInt64 = 0
    var era = Era()
  }

  /// The time between two endings. A load belongs to the one in which its request was made.
  struct Era: Sendable, Equatable {
    fileprivate var number: UInt64 = 0
  }

  struct Ticket: Sendable {
    fileprivate let number: UInt64
  }

  var count: Int { state.withLock { $0.ends.count } }

  var era: Era { state.withLock { $0.era } }

  /// Nil when the era is over: the ending came between the request and its load.
  ///
  /// - Parameter end: Called at most once, from any thread.
  func add(of era: Era, _ end: @escaping @Sendable (any Error) -> Void) -> Ticket? {
    state.withLock {
      guard era == $0.era else { return nil }
      $0.next += 1
      $0.ends[$0.next] = end
      return Ticket(number: $0.next)
    }
  }

  func remove(_ ticket: Ticket) {
    let end = state.withLock { $0.ends.removeValue(forKey: ticket.number) }
    _ = consume end
  }

  func endAll(with error: any Error) {
    let ends = state.withLock { state in
      defer {
        state.ends = [:]
        state.era.number += 1
      }
      return state.ends
    }
    for end in ends.values { end(error) }
  }
}
