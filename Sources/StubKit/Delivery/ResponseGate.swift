/// Holds responses back until the test lets them go.
///
/// ```swift
/// let gate = ResponseGate()
/// stub(condition: isPath("/users"), response: .json([]).held(by: gate))
/// model.load()
/// #expect(model.showsSpinner)
/// gate.open()
/// ```
///
/// A gate begins closed, and one gate may hold any number of responses: ``open()`` lets all go that wait, and those that come
/// later pass, until ``close()``. A request that is cancelled while it is held leaves nothing behind. One that is held for as
/// long as its `timeoutInterval` fails with `URLError.timedOut`, as it would for a server.
public final class ResponseGate: Sendable {
  private let state = Protected(State())

  private struct State {
    var isOpen = false
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0
  }

  struct Ticket {
    fileprivate let number: UInt64
  }

  /// A closed gate.
  public init() {}

  /// Whether responses pass.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many responses are held now.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Lets go of all that are held, in the order in which they came, and holds no more. Ignored while it is open.
  public func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOpen = true
      return state.waiting
    }
    for (_, opened) in waiting.sorted(by: { $0.key < $1.key }) { opened() }
  }

  /// Holds whatever comes from now on. What has passed is not called back. Ignored while it is closed.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Nil when the gate is open, and there is nothing to wait for.
  ///
  /// - Parameter opened: Called once, from any thread, unless it is forgotten before.
  func wait(_ opened: @escaping @Sendable () -> Void) -> Ticket? {
    state.withLock { state in
      guard !state.isOpen else { return nil }
      state.next += 1
      state.waiting[state.next] = opened
      return Ticket(number: state.next)
    }
  }

  func forget(_ ticket: Ticket) {
    let forgotten = state.withLock { $0.waiting.removeValue(forKey: ticket.number) }
    _ = consume forgotten
  }
}
