/// The loads of a registry that wait for something, and the closures that end them with their scope.
final class LoadsInFlight: Sendable {
  private let state = Protected(State())

  private struct State {
    var ends: [UInt64: @Sendable (any Error) -> Void] = [:]
    var next: UInt64 = 0
    var era: UInt64 = 0
  }

  /// The time between two ends of the scope. A load belongs to the era of its request.
  struct Era: Sendable {
    fileprivate let loads: LoadsInFlight
    fileprivate let number: UInt64

    var isOver: Bool { loads.state.withLock { $0.era != number } }

    /// An era that never ends.
    static let always = LoadsInFlight().era
  }

  struct Ticket: Sendable {
    fileprivate let number: UInt64
  }

  var count: Int { state.withLock { $0.ends.count } }

  var era: Era { Era(loads: self, number: state.withLock { $0.era }) }

  /// Returns `nil` if the era is over, because the scope ended between the request and its load.
  ///
  /// - Parameter end: A closure that is called at most once, on any thread.
  func add(of era: Era, _ end: @escaping @Sendable (any Error) -> Void) -> Ticket? {
    state.withLock {
      guard era.number == $0.era else { return nil }
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
        state.era += 1
      }
      return state.ends
    }
    for end in ends.values { end(error) }
  }
}
