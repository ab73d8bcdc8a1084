/// The passage of a delivery through a gate. Use it only on the delivery's queue.
final class GatePassage: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the delivery's queue only.
  private let gate: ResponseGate
  private var ticket: ResponseGate.Ticket?
  private var state = State.before

  private enum State { case before, waiting, through }

  init(_ gate: ResponseGate) { self.gate = gate }

  var isWaiting: Bool { state == .waiting }
  /// A Boolean value that indicates whether the gate was closed when the delivery arrived.
  var hasWaited: Bool { ticket != nil }

  /// Returns whether the delivery has passed the gate. If it hasn't, `opened` runs on the queue as soon as it has.
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

  /// Removes the delivery from the gate.
  func stop() { ticket.map(gate.forget) }
}
