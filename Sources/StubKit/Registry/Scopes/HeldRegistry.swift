import Dispatch

/// A reference to a registry that can be released on a queue of URLSession.
///
/// The stubs of a registry hold the user's values, which can use URLSession when they are released. That traps on
/// URLSession's queues. If this is the last reference, the registry is therefore released elsewhere.
struct HeldRegistry: ~Copyable, Sendable {
  // Holds: retained by `init`, and released once, by `deinit` or on its behalf.
  private let reference: Unmanaged<StubRegistry>
  private let scopes: ScopeDepth

  init(_ registry: StubRegistry) {
    reference = .passRetained(registry)
    scopes = registry.scopes
  }

  /// Creates a second reference to a registry that somebody holds at this moment.
  init(_ registry: Unmanaged<StubRegistry>) {
    reference = registry.retain()
    scopes = registry._withUnsafeGuaranteedRef(\.scopes)
  }

  deinit {
    // Without this check, releasing could end the registry here.
    let released = scopes.whileHeld { reference.release() }
    if !released { DispatchQueue.global().async { [reference] in reference.release() } }
  }

  var registry: StubRegistry { reference.takeUnretainedValue() }
}
