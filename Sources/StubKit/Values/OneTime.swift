/// A closure that runs only once: later calls have no effect.
final class OneTime<Value>: Sendable {
  private let receiver: Protected<(@Sendable (Value) -> Void)?>

  init(_ receiver: @escaping @Sendable (Value) -> Void) { self.receiver = Protected(receiver) }

  func callAsFunction(_ value: Value) {
    let receiver = receiver.withLock { receiver in
      defer { receiver = nil }
      return receiver
    }
    receiver?(value)
  }
}
