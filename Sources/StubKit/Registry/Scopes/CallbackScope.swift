/// The scope in which the callbacks of a request run.
///
/// A client may request page 2 in the completion handler of page 1. URLSession calls that handler on a queue of its
/// own, where no task-local value is left. StubKit therefore calls it in the scope that made the request.
///
/// If the scope of the request was only inferred, or is unclear, its callbacks don't run in a scope. But they know when
/// each scope that can have made the request is over. From then on, their requests fail like those of other callbacks,
/// so a client that tries again reaches neither the network nor the stubs of another test.
final class CallbackScope: Sendable {
  /// The scope of the callback that runs on this thread, or `nil` outside of callbacks.
  @TaskLocal static var current: CallbackScope?

  /// The registry that certainly made the request, or `nil`.
  private let held: HeldRegistry?
  private let eras: Eras

  private enum Eras: Sendable {
    case one(LoadsInFlight.Era)
    /// The eras of the scopes that can have made the request. It is late if all of them are over.
    case some(Protected<[LoadsInFlight.Era]>)
  }

  /// Creates the scope for a request that certainly belongs to a registry.
  init(_ registry: StubRegistry, in era: LoadsInFlight.Era) {
    held = HeldRegistry(registry)
    eras = .one(era)
  }

  /// Creates the scope for a request that was made in one of several eras. With none, its callbacks are late at once.
  init(someOf eras: [LoadsInFlight.Era]) {
    held = nil
    self.eras = .some(Protected(eras))
  }

  private var registry: StubRegistry? {
    switch held {
    case .some(let held): held.registry
    case .none: nil
    }
  }

  /// Runs one of the callbacks of the request.
  func run(_ callback: () -> Void) {
    Self.$current.withValue(self) {
      guard let registry else { return callback() }
      StubRegistry.$local.withValue(registry, operation: callback)
    }
  }

  /// Returns whether a request that a callback makes comes too late.
  ///
  /// - Parameter registry: The registry of the code that makes the request. It is another one than that of the scope if
  ///   the callback has opened a scope of its own.
  func isOver(for registry: StubRegistry?) -> Bool {
    guard registry === self.registry else { return false }
    return switch eras {
    case .one(let era): era.isOver
    case .some(let eras): eras.withLock { $0.allSatisfy(\.isOver) }
    }
  }

  /// Lets the callbacks of a request go that belongs to no scope after all.
  func release() { if case .some(let eras) = eras { eras.withLock { $0 = [.always] } } }
}
