/// The scope in which the callbacks of a request run, which is the scope that made the request.
///
/// A client may request page 2 in the completion handler of page 1. URLSession calls that handler on a queue of its
/// own, where no task-local value is left. StubKit therefore calls it in the scope of the request that it completes.
final class CallbackScope: Sendable {
  /// The scope of the callback that runs on this thread, or `nil` outside of callbacks.
  @TaskLocal static var current: CallbackScope?

  private let held: HeldRegistry
  private let era: LoadsInFlight.Era

  init(_ registry: StubRegistry, era: LoadsInFlight.Era) {
    held = HeldRegistry(registry)
    self.era = era
  }

  /// Runs one of the callbacks of the request.
  func run(_ callback: () -> Void) {
    Self.$current.withValue(self) { StubRegistry.$local.withValue(held.registry, operation: callback) }
  }

  /// Returns whether the registry's scope has ended since the request was made. Returns `false` for the registry of
  /// another scope, which the callback may have opened.
  func isOver(in registry: StubRegistry) -> Bool { registry === held.registry && registry.loads.era != era }
}
