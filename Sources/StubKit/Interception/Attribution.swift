import Foundation

/// The registry that a request belongs to.
///
/// The registry that was installed in the session comes first, then that of the task, then that of the scope that
/// created the session, while it is open. A session whose scope has ended is nobody's. Then comes the global registry
/// if it is enabled, but for a test of XCTest with a scope, which runs alone. A request that none of them claims keeps
/// the network if it is known to come from a test without a scope. Otherwise it belongs to the only open scope. Beside
/// several ones, or if it goes to this machine, it is *unattributed*, and its exchange decides. It can belong to any
/// test, running or ended, so it must not reach the network only because it is unknown which.
///
/// Each context has the scope of the request's callbacks, so that they can't escape either.
enum Attribution {
  /// Returns the context of a request that is being made on this thread, through a session with a mark, or `nil` if
  /// the request goes out as if StubKit didn't exist.
  static func context(
    for request: URLRequest, _ mark: SessionMark?, by requester: @autoclosure () -> Requester = .current
  ) -> RequestContext? {
    // A scope that ends meanwhile can leave the last reference to its registry here.
    let owner = mark?.reference
    return withExtendedLifetime(owner) {
      context(for: request, mark.map { ($0.kind, owner?.registry, $0.test) }, by: requester())
    }
  }

  private static func context(
    for request: URLRequest, _ mark: (kind: SessionMark.Kind, owner: StubRegistry?, test: String?)?,
    by requester: @autoclosure () -> Requester
  ) -> RequestContext? {
    if let mark, mark.kind == .installed {
      guard let owner = mark.owner else { return late(.session, mark.test) }
      return context(for: request, of: owner)
    }
    let requester = requester()
    if let registry = requester.registry {
      guard let lateScope = requester.lateScope else { return context(for: request, of: registry) }
      return late(in: lateScope)
    }
    guard let mark else { return contextOfUnclaimed(request, nil, by: requester) }
    if let owner = mark.owner {
      guard owner.isEnabled else { return NetworkAccess.blocks(request) ? blocked() : nil }
      // Read before the scopes are: if the last scope ends in between, the generation is over, and the request fails.
      let generation = owner.inFlight.generation
      if !owner.inFlight.isOutsideOfScopes {
        return context(for: request, of: owner, .session, CallbackScope(someOf: [generation]))
      }
    }
    return contextOfUnclaimed(request, EndedCreator(test: mark.owner?.test ?? mark.test), by: requester)
  }

  /// Returns the context of a request that neither its task nor its session claims.
  ///
  /// - Parameter creator: The scope that created the session, if it has ended.
  private static func contextOfUnclaimed(
    _ request: URLRequest, _ creator: EndedCreator?, by requester: Requester
  ) -> RequestContext? {
    let scopes = OpenScopes.shared
    let hasGlobal = StubRegistry.global.isEnabled
    let inferred = hasGlobal && requester.isKnown ? .global : scopes.inferred(besideGlobal: hasGlobal)
    let departure = Departure(
      isLate: requester.lateScope != nil, isUnscoped: requester.isKnown, inferred, isLoopback: request.isLoopback,
      unscoped: HTTPStubs.unscoped)
    switch (departure, inferred) {
    case (.late, _):
      if let lateScope = requester.lateScope { return late(in: lateScope) }
      return creator.map { late(.session, $0.test) } ?? late(.outside, inferred.lastTest)
    case (_, .never), (.departs, _):
      if NetworkAccess.blocksUnscoped(request) { return blocked() }
      NetworkAccess.tellOfDeparture(request)
      if case .never = inferred { return nil }
      return requester.isKnown ? network(.unscoped) : nil
    case (_, .global):
      let confidence = requester.isKnown || scopes.isEmpty ? AttributionConfidence.certain : .global
      return context(for: request, of: .global, confidence, nil, creator)
    case (_, .only(let reference, let generations)):
      let route: RequestContext.Route = if case .hangsOnStubs = departure { .unclaimed(inferred) } else { .registry }
      return withExtendedLifetime(reference) {
        context(for: request, of: reference.registry, .onlyScope, CallbackScope(someOf: generations), creator, route)
      }
    case (_, .several(let generations)):
      // The request can belong to any of them.
      return RequestContext(
        .placeholder, StubRegistry.Snapshot(endedCreator: creator), callbackScope: CallbackScope(someOf: generations),
        route: .unclaimed(inferred))
    case (_, .ended):
      return nil
    }
  }

  /// Returns the context of a request that certainly belongs to a registry.
  private static func context(for request: URLRequest, of registry: StubRegistry) -> RequestContext? {
    let isGlobal = registry === StubRegistry.global
    var scope: CallbackScope? { isGlobal ? nil : CallbackScope(registry, someOf: [registry.inFlight.generation]) }
    return context(for: request, of: registry, .certain, scope)
  }

  /// Returns the context of a request that belongs to a registry, if that takes requests.
  private static func context(
    for request: URLRequest, of registry: StubRegistry, _ confidence: AttributionConfidence,
    _ scope: @autoclosure () -> CallbackScope?, _ creator: EndedCreator? = nil,
    _ route: @autoclosure () -> RequestContext.Route = .registry
  ) -> RequestContext? {
    guard var snapshot = registry.snapshot(for: request) else {
      if NetworkAccess.blocks(request) { return blocked() }
      return registry.inFlight.isOutsideOfScopes ? nil : network(scope())
    }
    snapshot.endedCreator = creator
    if registry === StubRegistry.local, registry.inFlight.isOver {
      // A task of the test has outlived it. The registry still answers.
      RequestWarnings.later { [test = registry.test] in
        RequestWarnings.addLate(request, after: test, isOutside: false)
      }
      snapshot.testReport = nil
    }
    return RequestContext(registry, snapshot, confidence, callbackScope: scope(), route: route())
  }

  /// Returns the context of a request that was made after the end of its scope, or of every scope: that of the named
  /// test, if it is known.
  private static func late(_ reason: StubScopeEndedError.Reason, _ test: String?) -> RequestContext {
    RequestContext(.placeholder, callbackScope: .ended, route: .late(reason, test))
  }

  /// Returns the context of a request that a callback makes whose scope has ended.
  private static func late(in scope: CallbackScope) -> RequestContext {
    RequestContext(.placeholder, callbackScope: scope, route: .late(.callback, scope.registry?.test))
  }

  /// Returns the context of a request that mustn't go to the network, and that nothing answers.
  private static func blocked() -> RequestContext {
    RequestContext(.placeholder, callbackScope: .unscoped, route: .blocked(RunningTest.name))
  }

  /// Returns the context of a request that goes to the network. Without a scope, its callbacks need none.
  private static func network(_ scope: CallbackScope?) -> RequestContext? {
    scope.map { RequestContext(.placeholder, callbackScope: $0, route: .network) }
  }
}

extension RunningTest {
  /// Intercepts sessions before the first test, so that the first request of one without a scope is told, or fails. On
  /// Apple platforms, StubKit can't reach sessions that exist. The first trait or test case calls this when the
  /// framework looks for tests.
  package static func prepare() { SessionInstallation.activate() }
}

extension StubRegistry {
  /// Returns the class that marks sessions with this registry.
  func mark(_ kind: SessionMark.Kind) -> StubURLProtocol.Type {
    mark("\(kind)") { SessionMark.makeClass(kind, for: self, of: $0) } as! StubURLProtocol.Type
  }
}
