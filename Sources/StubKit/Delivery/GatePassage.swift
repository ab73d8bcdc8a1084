/// A delivery's way through a gate. Used on the delivery's queue only.
final class GatePassage: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the delivery's queue only.
  private let gate: ResponseGate
  private var ticket: ResponseGate.Ticket?
  private var state = State.before

  private enum State { case before, waiting, through }

  init(_ gate: ResponseGate) { self.gate = gate }

  var isWaiting: Bool { state == .waiting }
  /// Whether it was closed when the delivery came there.
  var hasWaited: Bool { ticket != nil }

  /// Whether the gate is behind; if not, `opened` runs on the queue when it is.
  func isThrough(on queue: any DeliveryQueue, _ opened: @escaping @Sendable () -> Void) -> Bool {
    guard state == .before else { return state == .through }
    ticket = gate.wait { [weak self] in
      queue.perform { [weak self] in
        self?.state = .through
        opened()
      }
    }
    state = ticket == nil ? .through : .waiting
    return state == .through
  }

  /// Leaves nothing behind at the gate.
  func stop() { ticket.map(gate.forget) }
}
