import StubKit

/// The options of a test's scope. `nil` stands for the option of the enclosing scope.
package struct ScopeOptions: Sendable {
  var unmatched: UnmatchedPolicy?
  var reportsUnusedStubs: Bool?
  var clock: (any StubClock)?
  var network: NetworkConditions?

  /// The options outside of all scopes of the test framework, which are those of a `withStubs`, if there is one.
  package static var enclosing: ScopeOptions {
    let registry = StubRegistry.current
    guard registry !== StubRegistry.global else { return ScopeOptions() }
    return ScopeOptions(unmatched: registry.unmatched, clock: registry.clock, network: registry.network)
  }

  func overridden(by inner: ScopeOptions) -> ScopeOptions {
    ScopeOptions(
      unmatched: inner.unmatched ?? unmatched, reportsUnusedStubs: inner.reportsUnusedStubs ?? reportsUnusedStubs,
      clock: inner.clock ?? clock, network: inner.network ?? network)
  }

  func apply(to registry: StubRegistry) {
    if let unmatched { registry.unmatched = unmatched }
    if let clock { registry.clock = clock }
    if let network { registry.network = network }
  }
}
