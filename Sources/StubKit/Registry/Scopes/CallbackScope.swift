/// The scope that a request's callbacks run in: its requester's.
///
/// A client asks for page 2 in the completion handler of page 1. URLSession calls the handler on a queue of its own, where
/// nothing says whose it is: so it is called in the scope of the request that it completes.
final class CallbackScope: Sendable {
  /// That of the callback that runs here.
  @TaskLocal static var current: CallbackScope?

  private let held: HeldRegistry
  private let era: LoadsInFlight.Era

  init(_ registry: StubRegistry, era: LoadsInFlight.Era) {
    held = HeldRegistry(registry)
    self.era = era
  }

  /// Runs a callback of the request's.
  func run(_ callback: () -> Void) {
    Self.$current.withValue(self) { StubRegistry.$local.withValue(held.registry, operation: callback) }
  }

  /// Whether a request that is made here belongs to a scope that has ended. False in another scope, opened in the callback.
  func isOver(in registry: StubRegistry) -> Bool { registry === held.registry && registry.loads.era != era }
}
