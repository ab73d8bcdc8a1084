import Foundation

/// A closure that runs only once: later calls have no effect.
final class OneTime<Value>: Sendable {
  private let receiver: Protected<Closure<@Sendable (Value) -> Void>?>

  init(_ receiver: @escaping @Sendable (Value) -> Void) { self.receiver = Protected(Closure(receiver)) }

  func callAsFunction(_ value: Value) { receiver.withLock { $0.take() }?.call(value) }
}
