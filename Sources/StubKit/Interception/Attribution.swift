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
      guard owner.isEnabled else { return disabled(request, nil) }
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
      var passage = Passage(isUnscoped: true, test: .running)
      if case .ended(let test) = inferred, !requester.isKnown {
        passage.lateness = creator.map { (.session, $0.test) } ?? (.outside, test)
      }
      if let refusal = passage.refusal(of: request) { return outside(refusal, .unscoped) }
      let scope = requester.isKnown ? CallbackScope.unscoped : nil
      if case .never = inferred {} else if scope != nil { return outside(.network(passage), scope) }
      return passage.asksRedirects(of: request) ? outside(.network(passage), scope) : nil
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
    let (generation, isOver) = registry.inFlight.current
    let scope = registry === StubRegistry.global ? nil : CallbackScope(registry, someOf: [generation])
    return context(for: request, of: registry, .certain, scope, isOver: isOver)
  }

  /// Returns the context of a request that belongs to a registry, if that takes requests.
  ///
  /// - Parameter isOver: Whether the registry has had a scope, and has none any more.
  private static func context(
    for request: URLRequest, of registry: StubRegistry, _ confidence: AttributionConfidence,
    _ scope: @autoclosure () -> CallbackScope?, _ creator: EndedCreator? = nil,
    _ route: @autoclosure () -> RequestContext.Route = .registry, isOver: Bool = false
  ) -> RequestContext? {
    guard var snapshot = registry.snapshot(for: request) else {
      return disabled(request, registry.inFlight.isOutsideOfScopes ? nil : scope())
    }
    snapshot.endedCreator = creator
    if isOver, registry === StubRegistry.local {
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

  /// Returns the context of a request whose registry isn't enabled, or `nil` if nothing has to be known of it.
  private static func disabled(_ request: URLRequest, _ scope: CallbackScope?) -> RequestContext? {
    let passage = Passage(isUnscoped: false, test: .running)
    if let refusal = passage.refusal(of: request) { return outside(refusal, .unscoped) }
    return scope != nil || passage.asksRedirects(of: request) ? outside(.network(passage), scope) : nil
  }

  /// Returns the context of a request that no registry answers.
  private static func outside(_ route: RequestContext.Route, _ scope: CallbackScope?) -> RequestContext {
    RequestContext(.placeholder, callbackScope: scope, route: route)
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
