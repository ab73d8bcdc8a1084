/// The loads of a registry that wait for something, and the closures that end them with their scope.
final class LoadsInFlight: Sendable {
  private let state = Protected(State())

  private struct State {
    var ends: [UInt64: @Sendable (any Error) -> Void] = [:]
    var next: UInt64 = 0
    var era = Era()
  }

  /// The time between two ends of the scope. A load belongs to the era of its request.
  struct Era: Sendable, Equatable {
    fileprivate var number: UInt64 = 0
  }

  struct Ticket: Sendable {
    fileprivate let number: UInt64
  }

  var count: Int { state.withLock { $0.ends.count } }

  var era: Era { state.withLock { $0.era } }

  /// Returns `nil` if the era is over, because the scope ended between the request and its load.
  ///
  /// - Parameter end: A closure that is called at most once, on any thread.
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
