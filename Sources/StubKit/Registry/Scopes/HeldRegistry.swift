import Dispatch

/// A reference to a registry that may be dropped on one of URLSession's queues.
///
/// A registry's stubs hold the user's values. Those may use URLSession when they go, which traps on its queues. So a
/// registry that may end with this reference ends elsewhere.
struct HeldRegistry: ~Copyable, Sendable {
  // Holds: retained by `init`, and released once, by `deinit` or on its behalf.
  private let reference: Unmanaged<StubRegistry>
  private let scopes: ScopeDepth

  init(_ registry: StubRegistry) {
    reference = .passRetained(registry)
    scopes = registry.scopes
  }

  /// A second reference to a registry that somebody holds at this moment.
  init(_ registry: Unmanaged<StubRegistry>) {
    reference = registry.retain()
    scopes = registry._withUnsafeGuaranteedRef(\.scopes)
  }

  deinit {
    // Without another reference to the registry, which would then be the one to end here.
    let released = scopes.whileHeld { reference.release() }
    if !released { DispatchQueue.global().async { [reference] in reference.release() } }
  }

  var registry: StubRegistry { reference.takeUnretainedValue() }
}
